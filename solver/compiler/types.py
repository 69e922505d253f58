"""Names for the arguments of kernels.

numba infers their types when an entry is compiled, so to a type checker they are all Any. They document the meaning.
"""

from __future__ import annotations

from typing import Any, TypeAlias

State: TypeAlias = Any  # one record of a game's STATE
States: TypeAlias = Any  # an array of them: entries take arrays, because they can write only to arrays
Rules: TypeAlias = Any  # one record of a game's RULES
AllRules: TypeAlias = Any  # an array of one

Card: TypeAlias = Any  # the index of a card
Cards: TypeAlias = Any  # a set of cards: bits of an unsigned integer
Seat: TypeAlias = Any  # a player's seat, from 0
Side: TypeAlias = Any  # seats that are scored together: one player or a team
Action: TypeAlias = Any  # the code of a move
Moves: TypeAlias = Any  # an array of action codes
Features: TypeAlias = Any  # an array of whole numbers: a row per move, a column per rule of thumb
Categories: TypeAlias = Any  # a set of categories of moves, as bits

Stream: TypeAlias = Any  # a random stream: an unsigned integer (streams.py)
Key: TypeAlias = Any  # where a stream starts
Label: TypeAlias = Any  # 64 bits, equal for things that a player cannot tell apart

Number: TypeAlias = Any  # a whole number: a count, an index, a ply
Real: TypeAlias = Any  # a floating-point number
Flag: TypeAlias = Any  # true or false
Numbers: TypeAlias = Any  # an array of whole numbers

Player: TypeAlias = Any  # one PLAYER record (players/player.py)
Players: TypeAlias = Any  # one for each seat
