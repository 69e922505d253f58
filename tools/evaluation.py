"""Trains the evaluation that ends playouts early (solver/players/evaluation.py) and writes it into the game's folder.

python -m tools.evaluation vague-attaque --games 16000

Noisy thumbs play games of every printed setup. Positions after some turns, as the `prospects` of all seats, and the
winners train a small network. Only this tool needs PyTorch. Training is not repeatable to the last bit; the file says
how it was made, and digests of players who use it contain its weights.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive, start_streams
from houle.solver.compiler.kernels import entry
from houle.solver.interface import WIN, blank, deal, outcome, prospects, to_move
from houle.solver.players.allowed_moves import act
from houle.solver.players.any_move import any_move
from houle.solver.players.evaluation import CONSTANT, FILE, HIDDEN, INPUTS, MOST, NAT, SHIFT, WIDTH
from houle.solver.players.player import seat_strategies, weights_file
from houle.solver.players.workspace import move_buffers
from houle.solver.rules import Setup, make_setup

SEATS = 5
EVERY, LAST = 4, 120  # a position every fourth turn, until this turn
MOST_POSITIONS = LAST // EVERY  # of a game
SEED, EPOCHS, BATCH, RATE = 7001, 12, 4096, 3e-3
BLOCK, BLOCKS = 2000, 10  # neighbours are positions of one game, so whole blocks are held out: the last of every ten
SETUPS: dict[str, tuple[float, list[tuple[int, dict[str, Any]]]]] = {  # temperature of the thumbs, players, knobs
    "vague-attaque": (250, [(1, {}), (2, {}), (3, {}), (4, {}), (5, {}), (4, {"teams": "2v2"})]),
    "vague-verte": (600, [(2, {}), (3, {}), (4, {})]),
}


class Positions(NamedTuple):
    """Positions of games, and how these ended."""

    inputs: Any  # position x seat x INPUTS
    shares: Any  # position x side, the last column for draws
    sides: Any  # position x seat x side: 1 where the seat belongs to the side
    allowed: Any  # position x side: whether there is such a side; always a draw


@entry
def play_and_note(
    states: Any, all_rules: Any, players: Any, moves: Any, table: Any, seed: Any, first: Any, number: Any,
    inputs: Any, shares: Any,
) -> Any:  # fmt: skip
    """Plays games; writes the prospects of all seats after some turns and the winners. Returns how many positions."""
    state, rules = states[0], all_rules[0]
    n = 0
    for game in range(first, first + number):
        start_streams(state, U8(seed), game, 0)
        deal(state, rules)
        begin, seat = n, to_move(state)
        wanted = np.int64(derive(U8(seed), U8(game)) % U8(EVERY))
        while seat >= 0:
            before = np.int64(state.turns)
            act(state, rules, any_move(state, rules, players[seat], seat, U8(0), moves, table, None, False))
            seat, turns = to_move(state), np.int64(state.turns)
            if seat >= 0 and turns != before and turns % EVERY == wanted and turns < LAST:
                for other in range(rules.seats):
                    prospects(state, rules, other, inputs[n, other])
                n += 1
        for i in range(begin, n):
            outcome(state, rules, shares[i])
    return n


def positions_of(setup: Setup, temperature: float, seed: int, first: int, number: int) -> Positions:
    line_up = seat_strategies(setup, [f"thumb[temperature={temperature:g}]"])
    inputs = np.zeros((number * MOST_POSITIONS, SEATS, WIDTH), np.int64)
    shares = np.zeros((len(inputs), SEATS + 1), np.int64)
    moves, table = move_buffers(setup)
    states, rules = blank(setup.game.STATE), setup.rules
    n = play_and_note(states, rules, line_up.records, moves, table, seed, first, number, inputs, shares)
    sides = np.zeros((SEATS, SEATS + 1), np.float32)
    for seat in range(setup.players):
        sides[seat, rules[0].side[seat]] = 1
    won = shares[:n] / WIN
    won[:, SEATS] = 1 - won.sum(axis=1)
    allowed = (np.arange(SEATS + 1) < rules[0].sides) | (np.arange(SEATS + 1) == SEATS)
    return Positions(
        inputs[:n, :, :INPUTS].astype(np.int16),
        won.astype(np.float32),
        np.broadcast_to(sides, (n, *sides.shape)),
        np.broadcast_to(allowed, (n, SEATS + 1)),
    )


def _part(
    game: str, players: int, knobs: dict[str, Any], temperature: float, seed: int, first: int, n: int
) -> Positions:
    return positions_of(make_setup(game, players, (), knobs, None, place="set"), temperature, seed, first, n)


def collect(game: str, games: int, seed: int, jobs: int) -> Positions:
    """Positions of `games` games of every printed setup."""
    temperature, setups = SETUPS[game]
    size = max(1, games // (2 * jobs))
    asked = [
        (game, players, knobs, temperature, seed, first, min(size, games - first))
        for players, knobs in setups
        for first in range(0, games, size)
    ]
    _part(*asked[0][:-1], 1)  # compiles once
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_part, *zip(*asked, strict=True))) if jobs > 1 else list(starmap(_part, asked))
    return Positions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def train(positions: Positions, seed: int) -> tuple[Any, Any, str]:
    """The weights as whole numbers, and what is left to learn: the log loss of games held out."""
    import torch  # type: ignore[import-not-found]

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(seed)
    inputs, shares, sides, allowed = (torch.tensor(part).to(device) for part in positions)
    seated = sides.sum(2)
    rows = torch.arange(len(inputs), device=device)
    held = (rows // BLOCK) % BLOCKS == BLOCKS - 1
    inner = torch.nn.Linear(INPUTS, HIDDEN).to(device)
    outer = torch.nn.Linear(HIDDEN, 2, bias=False).to(device)

    def loss_of(some: Any) -> Any:
        rated = outer(torch.relu(inner(inputs[some].float() / CONSTANT)))
        logits = torch.einsum("ns,nsd->nd", rated[..., 0], sides[some])
        logits[:, SEATS] = (rated[..., 1] * seated[some]).sum(1)
        logs = torch.log_softmax(logits.masked_fill(~allowed[some], -1e9), 1)
        return -(shares[some] * logs.masked_fill(~allowed[some], 0)).sum(1).mean()

    steps = torch.optim.Adam([*inner.parameters(), *outer.parameters()], lr=RATE)
    training = rows[~held]
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(steps, EPOCHS * (len(training) // BATCH + 1))
    for epoch in range(EPOCHS):
        for some in training[torch.randperm(len(training), device=device)].split(BATCH):
            steps.zero_grad()
            loss_of(some).backward()
            steps.step()
            slower.step()
        with torch.no_grad():
            left = float(loss_of(rows[held]))
            print(f"epoch {epoch + 1} of {EPOCHS}: log loss of games held out {left:.4f}", flush=True)
    blind = float(torch.log(allowed[held].float().sum(1)).mean())
    weights = (part.detach().cpu().numpy() for part in (inner.weight, inner.bias, outer.weight))
    return *whole_numbers(*weights), f"log loss {left:.3f} on games held out, {blind:.3f} without any knowledge"


def whole_numbers(inner: Any, bias: Any, outer: Any) -> tuple[Any, Any]:
    """The weights in the units of evaluation.py: hidden units in 1/CONSTANT, ratings in 1/NAT."""
    scale = 1 << SHIFT
    made = np.concatenate([inner, bias[:, None]], axis=1) * scale, outer * scale * NAT / CONSTANT
    if max(abs(part).max() for part in made) > MOST:
        raise SystemExit("a weight is too large for 16 bits: train again with another --seed")
    return np.round(made[0]).astype(np.int16), np.round(made[1]).astype(np.int16)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=SETUPS)
    parser.add_argument("--games", type=int, default=16_000, help="of each setup")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="file to write instead of the game's own")
    asked = parser.parse_args()
    start = time.perf_counter()
    positions = collect(asked.game, asked.games, asked.seed, asked.jobs)
    print(f"{len(positions.inputs):,} positions in {time.perf_counter() - start:.0f} s", flush=True)
    inner, outer, reached = train(positions, asked.seed)
    path = asked.out or weights_file(asked.game).with_name(FILE)
    path.write_text(_text(asked, len(positions.inputs), reached, inner, outer), encoding="utf-8")
    print(f"{path}: {reached}; {time.perf_counter() - start:.0f} s")


def _text(asked: argparse.Namespace, positions: int, reached: str, inner: Any, outer: Any) -> str:
    def rows(array: Any) -> str:
        return "".join(f"    {row.tolist()},\n" for row in array)

    return (
        f"# Who will win: a network over `prospects`, trained by tools/evaluation.py. No file to edit by hand.\n\n"
        f'trained = {{seed = {asked.seed}, games = {asked.games}, positions = {positions}, reach = "{reached}", '
        f'command = "python -m tools.evaluation {asked.game} --games {asked.games} --seed {asked.seed}"}}\n'
        f"inner = [\n{rows(inner)}]\nouter = [\n{rows(outer)}]\n"
    )


if __name__ == "__main__":
    main()
