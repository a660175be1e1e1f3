#!/usr/bin/env python3
"""The mean of many arrangements beside theory: seeds.py [DIRECTORY [OPTIONS OF corral run]]; thirty of them at their start"""

import math
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from many_runs import run_all
from theory import Suspension

MANY = 30
runs = run_all(__file__, {f"seed_{seed}": {"random.seed": seed, "time.end": "1e-3 s"} for seed in range(1, MANY + 1)})
all_of = [Suspension(run) for run in runs.values()]
one, speeds = all_of[0], [s.run.column("settling")[0] for s in all_of]
mean, error = statistics.mean(speeds) + one.images(), statistics.stdev(speeds) / math.sqrt(MANY)
slowed, known = (1 - mean) / one.share, error / one.share
print(f"{one.count:.0f} spheres, {100 * one.share:.3g} % of the box: slowed by {slowed:.2f} +- {known:.2f} of the volume fraction; "
      f"by theory {one.slowing():.2f}. One arrangement scatters by {statistics.stdev(speeds):.4f} (taken for {one.scatter():.4f})")
sys.exit(0 if abs(slowed - one.slowing()) < 2.5 * known + 10 * one.share else 1)
