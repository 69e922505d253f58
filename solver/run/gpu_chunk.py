"""`play_chunk` on a graphics card: picks the compiled function and passes the memory it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.interface import Game, blank
from houle.solver.players.best_move_race import BATCH
from houle.solver.players.names import RANDOM, THUMB
from houle.solver.players.player import PLAYER, LineUp
from houle.solver.players.workspace import CANDIDATE
from houle.solver.rules import Setup
from houle.solver.run import cuda
from houle.solver.run.gpu_games import games_function
from houle.solver.run.gpu_search import search_function
from houle.solver.run.gpu_tally import LANES, THREADS, blank_bins, blank_words, fill
from houle.solver.run.playout import MAX_COURSE
from houle.solver.run.tally import LEDGER, Tally

COURSES = 1 << 14  # games in progress at a time whose leader is stored


def _made(game: Game, function: Callable[..., None], arguments: tuple[Any, ...], threads: int) -> cuda.OnCard:
    name, code = cuda.compiled(function, arguments, game.package, cuda.capability())
    return cuda.OnCard(name, code, threads)


@lru_cache
def _games(game: Game, by_thumb: bool, apart: bool) -> cuda.OnCard:
    return _made(game, *games_function(game, by_thumb, apart), THREADS)


@lru_cache
def _search(game: Game) -> cuda.OnCard:
    return _made(game, *search_function(game), LANES)


@lru_cache
def _room(shape: tuple[int, ...], kind: Any) -> Any:
    """Memory of the card that is reused by every chunk of a process."""
    return cuda.room_on_card(shape, kind)


def play_chunk_on_card(
    setup: Setup, line_up: LineUp, seed: int, first: int, number: int, replay: int = 0, ledger: Any = None
) -> Tally:
    """`play_chunk` on the card, for random players, thumbs and flat search, with or without a ledger."""
    tally, game = Tally.empty(setup), setup.game
    searching, by_thumb = line_up.level > THUMB, line_up.level > RANDOM
    with cuda.turn:
        play = _search(game) if searching else _games(game, by_thumb, ledger is not None)
        if number == 0:
            return tally
        words, bins = cuda.on_card(blank_words()), cuda.on_card(blank_bins(tally))
        rows = cuda.on_card(np.zeros((1, 1), LEDGER) if ledger is None else np.asarray(ledger))
        leads = ledger is not None and game.has_standing  # the leader is stored ply by ply
        blocks = play.blocks(number * LANES if searching else number)
        if leads:
            blocks = min(blocks, COURSES // (1 if searching else THREADS))
        courses = _room((COURSES, MAX_COURSE if leads else 1), np.int8)
        facts: list[Any] = [
            cuda.on_card(np.asarray(blank(game.STATE))), cuda.on_card(np.asarray(setup.rules)),
            cuda.on_card(np.asarray(line_up.records if by_thumb else blank(PLAYER))),
            U8(seed), *(np.int64(fact) for fact in (first, number, replay, tally.lowest, tally.histogram.shape[1])),
            words, bins, rows,
        ]  # fmt: skip
        if searching:
            values = _room((play.most_blocks, BATCH, game.MAX_MOVES), np.int64)
            candidates = _room((play.most_blocks, game.MAX_MOVES), CANDIDATE)
            play(blocks, *facts, np.int64(ledger is not None), courses, values, candidates)
        else:
            play(blocks, *facts, courses)
        fill(tally, words.copy_to_host(), bins.copy_to_host())
        if ledger is not None:
            np.asarray(ledger)[:] = rows.copy_to_host()
    return tally
