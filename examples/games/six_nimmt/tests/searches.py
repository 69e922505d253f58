"""What searches of 6 nimmt! come to, a line each: with NUMBA_DISABLE_JIT=1 the lines must be the same."""

from pathlib import Path

from houle.analysis.players.line_ups import line_up, setup
from houle.solver.rules import digest
from houle.solver.rules.game_folders import look_in
from houle.solver.run.playout import play_chunk


def lines() -> list[str]:
    look_in(Path(__file__).parents[1] / "six_nimmt")
    found = []
    for players in (2, 5, 10):
        played = setup("six-nimmt", players=players, variants="round", set={"hand": 3})
        for strategy in ("flat:20", "ismcts:50"):
            found.append(f"{players} {strategy} {digest(play_chunk(line_up(played, strategy), 1, 0, 1).as_data())}")
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
