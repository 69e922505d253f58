"""Keyed random streams: game i of seed s is the same game whatever the threads, chunks or machine.

A stream is one unsigned integer, a counter that starts at a key and moves in fixed steps; what is drawn is a
mix of the counter. STATE carries four of them: `root` (the game's key, from which later rounds derive theirs),
`deal` (cards), `chance` (dice, ties, reshuffles) and `choice` (strategies). Search runs on streams of its own.
Variants are compared on the same luck, so luck must stay in step where their games do not: `chance` stays where it
started, and what happens by chance has a moment of it (a turn, a trick) rather than the next number in line.
The mixer is wyrand's: one 128-bit product folded in half.
"""

from __future__ import annotations

from houle.solver.bitset import U8, high_product
from houle.solver.kernels import kernel
from houle.solver.types import Key, Number, State, Stream

STEP = U8(0xA076_1D64_78BD_642F)
FOLD = U8(0xE703_7ED1_A0B4_28DB)
APART = U8(0x8EBC_6AF0_9C88_C6E3)
HALF = U8(32)

DEAL, CHANCE, CHOICE, SEARCH = U8(1), U8(2), U8(3), U8(4)

# The fields every STATE starts with.
STREAM_FIELDS = [
    ("root", "u8"),  # key of this game (or of this world, in a search)
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
    """A key that belongs to (key, part); chains build keys of several parts."""
    return mix(mix(key ^ (U8(part) * STEP)) + STEP)


@kernel
def advance(stream: Stream) -> Stream:
    return stream + STEP


@kernel
def at(key: Key, moment: Number) -> Stream:
    """The position that belongs to a moment: what was drawn before, or how much, makes no difference."""
    return key + STEP * U8(moment)


@kernel
def apart(stream: Stream, number: Number) -> Stream:
    """A position beside the stream's own, the number-th of them: what is drawn there leaves the stream alone."""
    return (stream ^ APART) + STEP * U8(number)


@kernel
def below(stream: Stream, n: Number) -> Number:
    """Uniform in 0 .. n-1 at the stream's position (n far below 2**32: the bias is n / 2**32)."""
    return ((mix(stream) >> HALF) * U8(n)) >> HALF


@kernel
def start_streams(state: State, seed: Key, game: Number, replay: Number) -> None:
    """Opens the streams of a game. `replay` tells apart several plays of one deal: the cards stay the same."""
    root = derive(derive(U8(seed), DEAL), game)
    play = root if replay == 0 else derive(root, U8(replay) + SEARCH)
    state.root = root
    state.deal = derive(root, DEAL)
    state.chance = derive(play, CHANCE)
    state.choice = derive(play, CHOICE)


@kernel
def start_round(state: State, number: Number) -> None:
    """The cards of round `number` have a stream of their own, whatever was drawn before."""
    state.deal = derive(derive(state.root, DEAL), U8(number))


@kernel
def start_world(state: State, key: Key) -> None:
    """Replaces all streams by those of an imagined world."""
    state.root = key
    state.deal = derive(key, DEAL)
    state.chance = derive(key, CHANCE)
    state.choice = derive(key, CHOICE)
