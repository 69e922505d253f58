"""Playing until all is known: a run that looks a few times, each time after twice as many games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.stats.looks import DOUBLINGS, confidence_at, doublings

Known = Callable[[Sample, int], bool]


@dataclass(frozen=True)
class UntilSure:
    """A run that plays up to each look what is still open: it ends when all is known, or after the last look."""

    most: int  # games of an arm at the last look
    differences: int  # that can end the run; they and the looks share the 5%
    reached: bool = False  # whether all is known

    @property
    def looks(self) -> tuple[int, ...]:
        """Games of an arm at each look."""
        return doublings(self.most)

    @property
    def confidence(self) -> float:
        """Of each interval."""
        return confidence_at(len(self.looks), self.differences)

    def play(self, experiment: Experiment, spec: RunSpec, known: Known) -> tuple[UntilSure, Sample]:
        """The end of the run, and what was played. `known` says whether an arm needs no more games."""
        sample = Sample(experiment, spec, whole=True)
        references = {other for _, other in experiment.pairs}
        going = [arm for arm in range(len(experiment.arms)) if arm not in references]
        spec.begin(experiment.plan(self.looks[0]))
        for end in self.looks:
            beside = {other for arm, other in experiment.pairs if arm in going}
            spec.expect(sample.games + sum(end - sample.deals(arm) for arm in {*going, *beside}))
            whole = sample.play(end, sorted({*going, *beside}))
            going = [arm for arm in going if not sample.deals(arm) or not known(sample, arm)]
            if not whole or not going:
                break
        return replace(self, reached=not going), sample

    def as_json(self) -> Record:
        return {"most": self.most, "looks": len(self.looks), "differences": self.differences, "reached": self.reached}


def most_games(usual: int) -> int:
    """Games of an arm at the last look: the first look is at a tenth of the usual number."""
    return int(2**DOUBLINGS) * (usual // 10)
