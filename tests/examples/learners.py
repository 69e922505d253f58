"""Steps a batch of each game whose folder is an argument; the test runs it without the compiler."""

import sys
from pathlib import Path

import numpy as np

from houle.analysis.adapters.batch import Batch
from houle.solver.rules.game_folders import look_in

for folder in map(Path, sys.argv[1:]):
    look_in(folder)
    batch = Batch(folder.name.replace("_", "-"), games=2, seed=1)
    step, finished, luck = batch.reset(), 0, np.random.default_rng(1)
    while finished < 3:
        step = batch.step([luck.choice(np.flatnonzero(row)) for row in step.mask])
        finished += int(step.finished.sum())
    print(folder.name, batch.actions, batch.size)
