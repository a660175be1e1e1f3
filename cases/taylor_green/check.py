#!/usr/bin/env python3
"""Checks how vortices decay: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from vortices import Vortices

run = run_of(__file__)
run.must_reach()
v = Vortices(run)
coarsest = min(v.cells)
checks = Checks(f"Vortices on {v.cells[0]} x {v.cells[1]} cells")
checks.report("Reynolds number", v.speed * v.lengths[0] / v.viscosity)
checks.near("rate of decay over that in theory", v.decay() / v.rate, 1, absolute=5 / coarsest**2)
checks.at_most("error of the velocity at the end", v.error(), 10 / coarsest**2)
momentum = max(abs(m) for d in "xy" for m in run.log[f"momentum_{d}"])
s = run.settings
whole = s.real("fluid.density") * v.speed * s.reals("grid.size")[2] * v.lengths[0] * v.lengths[1]
checks.at_most("momentum over that of the whole box at their speed", momentum / whole, 1e-12)
sys.exit(checks.end())
