"""The games that come with houle, one package each, and `define`, which collects a game from its files.

A game is a folder with the same files in every game: state.py, play.py, score.py, seen.py, worlds.py, features.py,
text/ or text.py, opening.py, and clairvoyant.py if it has an exact solver. A small game may be a single file.
"""

from houle.solver.games.defining import define
