"""What was at stake in a decision: noted by flat search while it decides.

The best and the second best move are chosen on the first half of the worlds and scored on the second half: a maximum
scored on the worlds that chose it would read luck as stakes. In a game whose moves are all equal the means are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.kernels import kernel, outlined

# Where a game is: its number, the ply, the rows of notes used so far; and what searches did: plies and playouts.
GAME, PLY, USED, PLIES, PLAYOUTS = range(5)

# Columns of a note: which decision it was; legal moves, those that differ; worlds of the second half; then by how much
# the best move was better than the second best, than a random one and than the thumb's own, as sums and squares.
(
    NOTE_GAME, NOTE_PLY, NOTE_SEAT, NOTE_MOVES, NOTE_KINDS, NOTE_WORLDS,
    NOTE_SECOND, NOTE_SECOND_SQUARED, NOTE_RANDOM, NOTE_RANDOM_SQUARED, NOTE_THUMB, NOTE_THUMB_SQUARED,
) = range(12)  # fmt: skip
NOTE_COLUMNS = 12


class NotesFullError(ValueError):
    """There were more decisions than rows for notes."""


@outlined
def open_note(notes: Any, place: Any, seat: Any, moves: Any, kinds: Any) -> None:
    """Begins the row of a decision; a forced one stays as it is here."""
    row = notes[place[USED]]
    place[USED] += 1
    row[:] = 0.0
    row[NOTE_GAME], row[NOTE_PLY], row[NOTE_SEAT] = place[GAME], place[PLY], seat
    row[NOTE_MOVES], row[NOTE_KINDS] = moves, kinds


@kernel
def two_best(gain: Any) -> Any:
    """The two moves with the greatest gains so far."""
    best, second = 0, 1
    if gain[1] > gain[0]:
        best, second = 1, 0
    for i in range(2, len(gain)):
        if gain[i] > gain[best]:
            best, second = i, best
        elif gain[i] > gain[second]:
            second = i
    return best, second


@outlined
def note_world(notes: Any, place: Any, value: Any, best: Any, second: Any, thumb: Any) -> None:
    """Adds what one world of the second half says of the moves chosen on the first."""
    row = notes[place[USED] - 1]
    row[NOTE_WORLDS] += 1.0
    _add(row, NOTE_SECOND, value[best] - value[second])
    _add(row, NOTE_RANDOM, value[best] - np.mean(value))
    _add(row, NOTE_THUMB, value[best] - value[thumb])


@kernel
def _add(row: Any, column: Any, difference: Any) -> None:
    row[column] += difference
    row[column + 1] += difference * difference
