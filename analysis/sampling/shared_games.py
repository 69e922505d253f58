"""Games that several analyses of one run need: people who think play them once, and each analysis reads what it keeps.

The sections of a report ask for the same games of the same people in many ways. The progress of a report has
`shared`, a dict in which the chunks of such games stay. Sums do not depend on the size of chunks, so results are those
of games that are played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.players.line_ups import thinks
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Backend, Chunk, Keep, Kernels, Play

MOST_GAMES = 5_000  # of a run: states of more games take too much memory
EVERYTHING = Keep(ledger=True, openings=True, final_states=True)


@dataclass(frozen=True)
class SharedGames:
    """The chunks of people who think, by players and games."""

    chunks: dict[Any, Chunk]

    @classmethod
    def of(cls, spec: RunSpec, plays: Sequence[Play]) -> SharedGames | None:
        """Those of a run; None if it shares no games, or if nobody thinks in it."""
        chunks = spec.watch.shown.shared
        thinking = any(thinks(play.line_up) for play in plays) and spec.games <= MOST_GAMES
        return cls(chunks) if chunks is not None and thinking else None

    def play(self, backend: Backend, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        """A chunk as the backend plays it, or as it was played before."""
        seated = play.line_up
        if not isinstance(backend, Kernels) or not thinks(seated):
            return backend.play(play, seed, first, number, keep)
        key = seated.setup.digest, seated.digests, play.replay, seed, first + play.offset, number
        if key not in self.chunks:
            self.chunks[key] = backend.play(play, seed, first, number, EVERYTHING)
        chunk = self.chunks[key]
        openings = chunk.openings.copy() if keep.openings else None  # copies: a reader may go on from a state
        return replace(chunk, openings=openings, final_states=chunk.final_states.copy() if keep.final_states else None)
