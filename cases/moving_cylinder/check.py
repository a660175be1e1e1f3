#!/usr/bin/env python3
"""Checks the drag of a cylinder on its way through a fluid: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from cylinders import PASSED_FOR, Cylinder, drag_after

# Of the cylinder that is passed, on the shipped grid, from one time to another in diameters that it moves.
FIXED = {(2, 4): 2.0046, (8, 12): 1.8234, (16, 20): 1.6168}

run = run_of(__file__)
c = Cylinder(run)
run.must_reach(PASSED_FOR[-1][1] * c.time)
checks = Checks(f"A cylinder on its way, Re {c.reynolds:.4g}, {c.diameter / c.spacing:.3g} cells to its diameter")
shipped = [int(n) for n in run.settings.reals("grid.cells")] == [320, 160, 1]
for interval in PASSED_FOR:
    name, drag = f"drag from {interval[0]} to {interval[1]} diameters of way", drag_after(c, interval)
    if shipped:
        checks.near(name, drag, FIXED[interval], relative=0.01)
    else:
        checks.report(name, drag)
drag, begin = drag_after(c, PASSED_FOR[-1]), PASSED_FOR[0][0] * c.time
checks.at_most("lift", max(abs(f) for f in c.coefficients("force_y", begin)), 0.01 * drag)
away = max(abs(a - b) for a, b in zip(c.coefficients("force_x", begin), c.coefficients("momentum_force_x", begin)))
checks.at_most("drag by forces at points and by momentum, apart", away / drag, 1e-6)
checks.at_most("slip over the speed", max(run.column("slip", begin)) / c.speed, 0.01)
sys.exit(checks.end())
