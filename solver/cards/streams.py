"""Keyed random streams: game i of seed s is the same game for any number of threads, chunk size and machine.

A stream is an unsigned integer: a counter that starts at a key and moves in fixed steps. Random bits are a mix of the
counter (wyrand: one 128-bit product folded in half). STATE has four streams: `root` (the game's key, from which later
rounds derive theirs), `deal` (cards), `chance` (dice, ties, reshuffles) and `choice` (strategies). Searches have
separate streams.

Variants are compared with the same luck, even where their games take different courses. So `chance` never advances:
each random event has a moment of its own (a turn, a trick) instead of the next number of the stream.
"""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import U8, high_product
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Key, Number, State, Stream

STEP = U8(0xA076_1D64_78BD_642F)
FOLD = U8(0xE703_7ED1_A0B4_28DB)
APART = U8(0x8EBC_6AF0_9C88_C6E3)
HALF = U8(32)

DEAL, CHANCE, CHOICE, SEARCH = U8(1), U8(2), U8(3), U8(4)

# The fields every STATE starts with.
STREAM_FIELDS = [
    ("root", "u8"),  # key of this game, or of this world in a search
    ("deal", "u8"),  # cards of the current round
    ("chance", "u8"),  # dice, ties, random picks, reshuffles
    ("choice", "u8"),  # strategies
]


@kernel
def mix(counter: Stream) -> Key:
    """64 random bits from a counter."""
    other = counter ^ FOLD
    return high_product(counter, other) ^ (counter * other)


@kernel
def derive(key: Key, part: Number) -> Key:
    """The key of (key, part). Chain calls for keys of several parts."""
    return mix(mix(key ^ (U8(part) * STEP)) + STEP)


@kernel
def advance(stream: Stream) -> Stream:
    return stream + STEP


@kernel
def at(key: Key, moment: Number) -> Stream:
    """The stream position of a moment, independent of all earlier draws."""
    return key + STEP * U8(moment)


@kernel
def apart(stream: Stream, number: Number) -> Stream:
    """The number-th side position of a stream: draws there do not affect the stream."""
    return (stream ^ APART) + STEP * U8(number)


@kernel
def below(stream: Stream, n: Number) -> Number:
    """A uniform number in 0 .. n-1 at the stream's position. The bias is n / 2**32, so n must be far below that."""
    return ((mix(stream) >> HALF) * U8(n)) >> HALF


@kernel
def luck(state: State, n: Number) -> Number:
    """The next random number below n of `state.deal`, as `luck(n)` in a plain class. A die is `1 + luck(state, 6)`."""
    state.deal = advance(state.deal)
    return np.int64(below(state.deal, n))


@kernel
def start_streams(state: State, seed: Key, game: Number, replay: Number) -> None:
    """Sets the streams of a game. `replay` numbers several plays of one deal: same cards, different luck."""
    root = derive(derive(U8(seed), DEAL), game)
    play = root if replay == 0 else derive(root, U8(replay) + SEARCH)
    state.root = root
    state.deal = derive(root, DEAL)
    state.chance = derive(play, CHANCE)
    state.choice = derive(play, CHOICE)


@kernel
def start_round(state: State, number: Number) -> None:
    """Sets the `deal` stream of round `number`, independent of earlier draws."""
    state.deal = derive(derive(state.root, DEAL), U8(number))


@kernel
def start_world(state: State, key: Key) -> None:
    """Sets the streams of an imagined world."""
    state.root = key
    state.deal = derive(key, DEAL)
    state.chance = derive(key, CHANCE)
    state.choice = derive(key, CHOICE)
