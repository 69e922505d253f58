"""A user's script that calls every public function; `make types` checks it with no expression of type Any allowed."""

from __future__ import annotations

import houle
from houle import (
    Ablation,
    Advice,
    Assumptions,
    Balance,
    Batch,
    Calibration,
    CardEffects,
    Comparison,
    Comparisons,
    CustomOpening,
    Decisions,
    Design,
    Difficulty,
    Endings,
    Grid,
    LearningCurve,
    Match,
    Merged,
    MoveChances,
    Openings,
    Position,
    Report,
    Result,
    Review,
    Rotation,
    RunOptions,
    SearchTuning,
    Setup,
    Simulation,
    Skill,
    Strength,
    StudyResult,
    Sweep,
    Trace,
    Tuning,
)

wave: Setup = houle.setup("wave", players=3, variants="virage")
settings: Grid = houle.grid("wave", players=[2, 3])

run: RunOptions = {"games": 1e3, "seed": 7}
simulation: Simulation | Rotation = houle.simulate(wave, strategies="thumb", **run)
comparison: Comparison | Comparisons = houle.compare([houle.setup("wave"), wave], games=1e3)
sweep: Sweep = houle.sweep(settings, targets=["win=40%"])
assumptions: Assumptions = houle.assumptions(wave)
difficulty: Difficulty = houle.difficulty(wave)
endings: Endings = houle.endings(wave)
openings: Openings | CustomOpening = houle.openings(wave)
balance: Balance = houle.balance("land-unter")
strength: Strength = houle.strength(wave)
skill: Skill = houle.skill(wave)
decisions: Decisions = houle.decisions(wave)
ablation: Ablation = houle.ablate(wave)
learning: LearningCurve = houle.learning_curve(wave)
calibration: Calibration = houle.calibrate(wave, results="results.csv")
design: Design = houle.design(wave, targets="win=40%")
cards: CardEffects = houle.card_effects(wave)
tuning: Tuning = houle.tune(wave)
fitted: Setup = houle.refit(wave)
search_tuning: SearchTuning = houle.tune_search(wave)
trace: Trace = houle.trace(wave, seed=7)
replayed: Trace = houle.replay("record.txt")
position: Position = houle.position(wave, seed=7, game=3, ply=4)
advice: Advice = houle.advise(position)
also: Advice = houle.advise(houle.read_position("game: wave"))
later: Advice = houle.advise(houle.position_in("record.txt", 4))
review: Review = houle.review("record.txt")
likely: list[MoveChances] = houle.move_chances([position], "family")
study: StudyResult = houle.study("study.toml")
stored: StudyResult = houle.read_study("study.db")
merged: Merged = houle.merge_study(["1.db", "2.db"], db="study.db", audit=True)
report: Report = houle.report("wave", effort="quick", out="out/wave")

match: Match = Match(wave, seed=7)
match.push(match.legal_moves[0])
print(match.pop(), match.position(), match.is_over, match.scores())
batch: Batch = Batch(wave, games=16)
print(batch.reset().mask.shape, batch.step([0] * 16).finished.all(), batch.match(0).legal_moves)
houle.look_in("my-games")

print(len(comparison.frame()))
results: list[Result] = [simulation, sweep, difficulty, skill, design]
for result in results:
    print(result.repeat(), result.digest, len(result.frame()))
try:
    houle.setup("wavee")
except houle.InputError as problem:
    print(str(problem))
