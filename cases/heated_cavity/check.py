#!/usr/bin/env python3
"""Checks a run of the heated cavity against the benchmark of Le Quere et al.: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

STEADY = 10.0  # s: gas has gone round often enough by then

run = run_of(__file__)
run.must_reach(STEADY)
s = run.settings
hot, cold, T, c, R, p, mu = (s.real(key) for key in (
    "heat.x_low_temperature", "heat.x_high_temperature", "gas.temperature", "gas.heat_capacity", "gas.gas_constant",
    "gas.pressure", "gas.viscosity"))
L, depth, _ = s.reals("grid.size")
cells, prandtl = int(s.reals("grid.cells")[0]), s.real("gas.prandtl")
varies = s.text("gas.viscosity_law") == "sutherland"
pressure, nusselt = (0.924487, 8.6866) if varies else (0.856338, 8.85978)
rayleigh = prandtl * -s.reals("forces.gravity")[2] * (p / (R * T)) ** 2 * (hot - cold) / T * L**3 / mu**2

checks = Checks(f"Heated cavity of {cells} x {cells} cells, Ra = {rayleigh:.5g}")
checks.near("Rayleigh number", rayleigh, 1e6, relative=1e-4)
seconds = run.times()[-1] - run.times()[-2]
through = [run.log[f"heat_wall_x_{side}"][-1] / seconds / (mu * c / prandtl * (hot - cold) * depth) for side in ("low", "high")]
checks.near("pressure over that of the start", run.log["absolute_pressure"][-1] / p, pressure, relative=1.6 / cells)
checks.near("Nusselt number of the hot wall", through[0], nusselt, relative=6 / cells)
checks.near("heat in and out", -through[1] / through[0], 1, absolute=1e-3)
checks.near("mass", max(run.log["gas_mass"]) / min(run.log["gas_mass"]), 1, absolute=1e-12)
checks.at_most("heat_residual", max(run.log["heat_residual"]), 1e-12)
checks.at_most("gas_volume_drift", run.log["gas_volume_drift"][-1], 1e-4)
sys.exit(checks.end())
