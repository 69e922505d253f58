"""Black Hole: a solitaire game in which all cards lie open, so play needs only exact thinking."""

from houle.own_game import define

GAME = define(__name__, is_cooperative=True)
