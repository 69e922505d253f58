"""A user's script that calls every public function; `make types` checks it with no expression of type Any allowed."""

from __future__ import annotations

import houle
from houle import (
    Advice,
    Balance,
    Design,
    Fit,
    Grid,
    Match,
    Position,
    Report,
    Result,
    Review,
    Row,
    RunOptions,
    Setup,
    Simulation,
    StudyResult,
    Table,
    Trace,
    Tuning,
)

wave: Setup = houle.setup("wave", players=3, variants="virage")
settings: Grid = houle.grid("wave", players=[2, 3])

run: RunOptions = {"games": 1e3, "seed": 7}
simulation: Simulation = houle.simulate(wave, strategies="thumb", **run)
comparison: Table = houle.compare([houle.setup("wave"), wave], games=1e3)
sweep: Table = houle.sweep(settings, targets=["win=40%"])
open_rules: Table = houle.open_rules(wave)
difficulty: Table = houle.difficulty(wave)
balance: Balance = houle.balance("land-unter")
strength: Table = houle.strength(wave)
fitted_levels: Fit = houle.fit(wave, "results.csv")
design: Design = houle.design(wave, targets="win=40%")
cards: Table = houle.card_effects(wave)
tuning: Tuning = houle.tune(wave)
fitted: Setup = houle.refit(wave)
trace: Trace = houle.trace(wave, seed=7)
replayed: Trace = houle.replay("record.txt")
position: Position = houle.position(wave, seed=7, game=3, ply=4)
advice: Advice = houle.advise(position)
also: Advice = houle.advise(houle.read_position("game: wave"))
later: Advice = houle.advise(houle.position_in("record.txt", 4))
review: Review = houle.review("record.txt")
study: StudyResult = houle.study("study.toml")
stored: StudyResult = houle.read_study("study")
report: Report = houle.report("wave", effort="quick", out="out/wave")

match: Match = Match(wave, seed=7)
match.push(match.legal_moves[0])
print(match.pop(), match.position(), match.is_over, match.scores(), match.shares())
houle.look_in("my-games")

print(len(comparison.frame()))
rows: tuple[Row, ...] = comparison.rows
print(rows[0].label, rows[0].value.low, rows[0].verdict.text)
results: list[Result] = [simulation, sweep, difficulty, design]
for result in results:
    print(result.repeat(), result.digest, len(result.frame()))
try:
    houle.setup("wavee")
except houle.InputError as problem:
    print(str(problem))
