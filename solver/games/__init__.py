"""The games that come with houle, one package each, and `define`, which collects a game from its files.

A game is a folder with the same five files in every game: rules.py, knows.py, thumbs.py, words.py and position.py. Some
have a subject of their own beside them, such as clairvoyant.py, an exact solver. A small game may be a single file.
"""

from houle.solver.games.defining import define
