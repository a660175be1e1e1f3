#!/usr/bin/env python3
"""Checks the force on a cylinder that oscillates: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of
from cylinders import morison

# Duetsch, Durst, Becker and Lienhart 1998: coefficients of drag and of added mass at a Keulegan-Carpenter number and a Reynolds number.
KNOWN = {(5, 100): (2.09, 1.45)}
PERIODS = 4  # by then flow repeats itself

run = run_of(__file__)
s = run.settings
(shape,), (body,) = s.blocks("shape"), s.blocks("bodies")
D, amplitude, frequency = 2 * s.real(f"shape.{shape}.radius"), s.reals(f"bodies.{body}.amplitude")[0], s.real(f"bodies.{body}.frequency")
speed = 2 * math.pi * frequency * amplitude
density, viscosity = s.real("fluid.density"), s.real("fluid.viscosity")
kc, reynolds = speed / (frequency * D), density * speed * D / viscosity
h = s.reals("grid.size")[0] / s.reals("grid.cells")[0]
run.must_reach(PERIODS / frequency)
end = math.floor(run.times()[-1] * frequency + 1e-9) / frequency
checks = Checks(f"An oscillating cylinder, KC = {kc:.4g}, Re {reynolds:.4g}, {D / h:.3g} cells to its diameter")
fits = [morison(run, first / frequency, (first + 1) / frequency) for first in range(round(end * frequency) - 2, round(end * frequency))]
before, last = fits
wide = min(s.reals("grid.size")[:2]) / D
for name, found, again, known in zip(("drag", "added mass"), last, before, KNOWN.get((round(kc, 3), round(reynolds, 1)), (None, None))):
    if known and wide > 9 and D / h > 9:
        checks.near(f"coefficient of {name}", found, known, relative=0.03 if wide > 19 and D / h > 19 else 0.1)
    else:
        checks.report(f"coefficient of {name}", found)
    checks.near(f"coefficient of {name} in the period before", again, found, relative=0.01)
checks.at_most("what they leave of the force, root of the mean square over that of the force", last[2], 0.15)
unit = 0.5 * density * speed**2 * D * s.reals("grid.size")[2]
begin = end - 1 / frequency
checks.report("largest force over rho U^2 D/2", max(abs(f) for f in run.column("force_x", begin, end)) / unit)
checks.at_most("largest force across over that", max(abs(f) for f in run.column("force_y", begin, end)) / unit, 0.01)
away = max(abs(a - b) for a, b in zip(run.column("force_x", begin, end), run.column("momentum_force_x", begin, end)))
checks.at_most("force by points and by momentum, apart, over that", away / unit, 1e-6)
sys.exit(checks.end())
