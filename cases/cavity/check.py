#!/usr/bin/env python3
"""Checks the velocities on a cavity's lines through the middle: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

# Over the lid's speed, by Reynolds number: the least u on the upright line, and the greatest and the least v on the level one. To
# five figures or more by Botella and Peyret 1998 (1000) and Marchi, Suero and Araki 2009 (100); on 129 points by Ghia et al. 1982.
KNOWN = {100: (-0.21404, 0.17957, -0.25380), 1000: (-0.38857, 0.37694, -0.52708)}
GHIA = {100: (-0.21090, 0.17527, -0.24533), 1000: (-0.38289, 0.37095, -0.51550)}


def extremum(values, sign):
    """The largest of sign times values, by the parabola through it and its neighbours; times sign."""
    v = [sign * x for x in values]
    i = max(range(1, len(v) - 1), key=lambda k: v[k])
    first, second = 0.5 * (v[i + 1] - v[i - 1]), v[i + 1] - 2 * v[i] + v[i - 1]
    return sign * (v[i] - 0.5 * first * first / second) if second != 0 else sign * v[i]


def middle_line(values, n, other, along_x):
    """Of values[i + n j], on the line through the middle of the box: midway between cells where there is an even number."""
    low, high = (other - 1) // 2, other // 2
    place = (lambda a, m: a + n * m) if along_x else (lambda a, m: m + n * a)
    count = n if along_x else len(values) // n
    return [0.5 * (values[place(a, low)] + values[place(a, high)]) for a in range(count)]


run = run_of(__file__)
s = run.settings
nx, ny, _ = (int(n) for n in s.reals("grid.cells"))
width, depth = s.reals("grid.size")[0], s.reals("grid.size")[2]
lid, viscosity = s.reals("drive.y_high_velocity")[0], s.real("fluid.viscosity")
reynolds = s.real("fluid.density") * lid * width / viscosity
run.must_reach(max(30, 0.1 * reynolds) * width / lid)  # by when it hardly changes
velocity = run.last_fields().values("velocity")
u = middle_line([v[0] / lid for v in velocity], nx, nx, along_x=False)
v = middle_line([v[1] / lid for v in velocity], nx, ny, along_x=True)
found = extremum(u, -1), extremum(v, 1), extremum(v, -1)
known = min(KNOWN, key=lambda re: abs(math.log(reynolds / re)))
checks = Checks(f"A cavity of {nx} x {ny} cells at Re {reynolds:.4g}")
tau = 0.5 + 3 * viscosity / s.real("fluid.density") * s.real("time.dt") / (width / nx) ** 2
checks.report("tau", tau)
for name, value, exact, ghia in zip(("least u on the upright line", "greatest v on the level line", "least v there"), found, KNOWN[known], GHIA[known]):
    if abs(reynolds / known - 1) < 1e-3:
        checks.near(f"{name}, over the lid's speed", value, exact, relative=max(0.01, 0.0025 * (128 / nx) ** 2))
        checks.report("the same over that of Ghia et al.", value / ghia)
    else:
        checks.report(f"{name}, over the lid's speed", value)
row = s.real("fluid.density") * lid * width * (width / nx) * depth
momentum = max(abs(run.log[f"momentum_{d}"][-1]) for d in "xy")
checks.at_most("momentum over that of a row of cells that moves with the lid", momentum / row, 1e-4)
steady = abs(run.log["kinetic_energy"][-1] / run.log["kinetic_energy"][-2] - 1)
checks.at_most("change of kinetic energy in the last row", steady, 1e-4)
force = abs(run.log["sides_force_x"][-1]) / (viscosity * lid * depth)
checks.at_most("force of all walls along the lid over viscosity, speed and depth", force, 0.02)
sys.exit(checks.end())
