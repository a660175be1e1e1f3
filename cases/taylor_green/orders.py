#!/usr/bin/env python3
"""Runs the vortices on 32, 64 and 128 cells with steps that go by the square of the cells, and checks the order of their error:
orders.py [DIRECTORY_OF_RESULTS]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks
from many_runs import run_all
from vortices import Vortices

GRIDS = (32, 64, 128)
runs = run_all(__file__, {str(n): {"grid.cells": f"{n},{n},1", "grid.size": f"10,10,{10 / n}mm", "time.dt": f"{1600 / n**2}ms"}
                          for n in GRIDS})
found = [Vortices(run) for run in runs.values()]
checks = Checks("Vortices, error by the grid")
for n, v in zip(GRIDS, found):
    checks.report(f"rate of decay on {n} x {n} cells over that in theory, less 1", v.decay() / v.rate - 1)
errors = [v.error() for v in found]
for n, error in zip(GRIDS, errors):
    checks.report(f"error of the velocity on {n} x {n} cells", error)
for coarse, (error, finer) in zip(GRIDS, zip(errors, errors[1:])):
    checks.near(f"order from {coarse} to {2 * coarse}", math.log2(error / finer), 2, absolute=0.1)
sys.exit(checks.end())
