#!/usr/bin/env python3
"""Checks flow through the square duct against the series of its Poisson equation: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of


def velocity(x, y, terms=60):
    """At (x, y), shares of the side, in units of G a^2/mu."""
    total = 0
    for m in range(1, terms, 2):
        for n in range(1, terms, 2):
            total += math.sin(m * math.pi * x) * math.sin(n * math.pi * y) / (m * n * (m * m + n * n))
    return 16 / math.pi**4 * total


run = run_of(__file__)
s = run.settings
nx, ny, nz = (int(n) for n in s.reals("grid.cells"))
side = s.reals("grid.size")[0]
rho, mu = s.real("gas.density"), s.real("gas.viscosity")
scale = rho * s.reals("forces.gravity")[2] * side**2 / mu

error = 4 / nx**2  # of a scheme of second order
# The slowest part of the start-up falls like exp(-2 pi^2 nu t/a^2): to a tenth of that.
run.must_reach(math.log(10 / error) / (2 * math.pi**2) * rho * side**2 / mu)

checks = Checks(f"Square duct, {nx} x {ny} cells")
flow = [u[2] for u in run.last_fields().values("gas_velocity")]
checks.near("mean velocity [m/s]", mean(flow), 0.0351443 * scale, relative=error)
apart = 0
for k, w in enumerate(flow):
    i, j = k % nx, k // nx % ny
    apart = max(apart, abs(w - scale * velocity((i + 0.5) / nx, (j + 0.5) / ny)))
checks.at_most("largest difference from the series, over the centre's velocity", apart / (0.0736713 * scale), error)
checks.at_most("part of a step's momentum that nothing explains", max(run.column("gas_books")) if run.has("gas_books") else 0,
               1e-12)
sys.exit(checks.end())
