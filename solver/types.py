"""Names for what kernels are given. numba decides what each of them is when an entry is compiled, so to a type checker
they are all Any, in arithmetic too; to a reader they say what is meant.
"""

from __future__ import annotations

from typing import Any, TypeAlias

State: TypeAlias = Any  # one record of a game's STATE
States: TypeAlias = Any  # an array of them: entries are given arrays, because only arrays can be written to
Rules: TypeAlias = Any  # one record of a game's RULES
AllRules: TypeAlias = Any  # an array of one

Card: TypeAlias = Any  # the index of a card
Cards: TypeAlias = Any  # a set of cards: bits of an unsigned integer
Seat: TypeAlias = Any  # a place at the table, from 0
Side: TypeAlias = Any  # who is scored together: a seat, a team
Action: TypeAlias = Any  # the code of a move
Moves: TypeAlias = Any  # an array of action codes
Features: TypeAlias = Any  # an array of whole numbers: a row per move, a column per rule of thumb
Categories: TypeAlias = Any  # bits of the categories that moves can be told apart by

Stream: TypeAlias = Any  # a random stream: an unsigned integer, see streams.py
Key: TypeAlias = Any  # where a stream starts
Label: TypeAlias = Any  # 64 bits that are equal for what cannot be told apart

Number: TypeAlias = Any  # a whole number: a count, an index, a ply
Real: TypeAlias = Any  # a floating-point number
Flag: TypeAlias = Any  # true or false
Numbers: TypeAlias = Any  # an array of whole numbers
Reals: TypeAlias = Any  # an array of floating-point numbers

Player: TypeAlias = Any  # one PLAYER record, see strategies/player.py
Players: TypeAlias = Any  # one for each seat
