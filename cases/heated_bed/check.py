#!/usr/bin/env python3
"""Checks a run of the heated bed against Schumann's solution: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of


def bessel_i0(x):
    """exp(-x) I0(x), by its integral (1/pi) of exp(x (cos t - 1)): the midpoint rule converges like a spectral method."""
    n = 64 + int(4 * math.sqrt(x)) * 8
    return sum(math.exp(x * (math.cos(math.pi * (i + 0.5) / n) - 1)) for i in range(n)) / n


def schumann(x, y):
    """J(x, y) = 1 - integral from 0 to x of exp(-y - s) I0(2 sqrt(y s)) ds, by Simpson's rule in r = sqrt(s)."""
    n, top = 400, math.sqrt(x)
    total = 0.0
    for i in range(n + 1):
        r = top * i / n
        value = 2 * r * math.exp(-((math.sqrt(y) - r) ** 2)) * bessel_i0(2 * math.sqrt(y) * r)
        total += (1 if i in (0, n) else 4 if i % 2 else 2) * value
    return 1 - total * top / n / 3


def upwind(cells, far, times):
    """Gas and solids at the end of a bed of so many cells, each with the temperature of what leaves it, Z by Z."""
    share, a = far / cells, 1 / (1 + far / cells)
    solids, now, found = [0.0] * cells, 0.0, []

    def rates(state):
        gas, out = 1.0, []
        for t in state:
            gas = a * (gas + share * t)
            out.append(gas - t)
        return out, gas

    for z in times:
        steps = max(1, math.ceil((z - now) * 100))
        dz = (z - now) / steps
        for _ in range(steps):
            first, _ = rates(solids)
            second, _ = rates([t + 0.5 * dz * r for t, r in zip(solids, first)])
            solids = [t + dz * r for t, r in zip(solids, second)]
        now = z
        found.append((rates(solids)[1], solids[-1]))
    return found


run = run_of(__file__)
s = run.settings
(inlet,), (seed,), (size,) = s.blocks("inlet"), s.blocks("seed"), s.blocks("size")
theta, d = s.real(f"seed.{seed}.solids_fraction"), s.real(f"size.{size}.diameter")
U, rho, c, k, nu = (s.real(key) for key in (f"inlet.{inlet}.velocity", "gas.density", "gas.heat_capacity",
                                           "gas.conductivity", "heat.nusselt"))
cold, hot = s.real("gas.temperature"), s.real(f"inlet.{inlet}.temperature")
length, cells = s.reals("grid.size")[2], int(s.reals("grid.cells")[2])
t_h = s.real("solids.density") * s.real("solids.heat_capacity") * d**2 / (6 * nu * k)
run.must_reach((1 - theta) * length / U + 10 * t_h)
far = 6 * theta * nu * k * length / (d**2 * rho * c * U)

checks = Checks(f"Heated bed of {cells} cells, Y = {far:.4g} at its end, t_h = {t_h:.5g} s")
share = lambda column, i: (run.log[column][i] - cold) / (hot - cold)  # what is coldest is the end of the bed
rows = [i for i, t in enumerate(run.times()) if 5 <= (t - (1 - theta) * length / U) / t_h <= 17]
checks.between("rows to compare", len(rows), 4, math.inf)
zs = [(run.times()[i] - (1 - theta) * length / U) / t_h for i in rows]
worst = {"gas": 0.0, "solids": 0.0}
for i, z, (gas, solids) in zip(rows, zs, upwind(cells, far, zs)):
    worst["gas"] = max(worst["gas"], abs(share("gas_temperature_min", i) - gas))
    worst["solids"] = max(worst["solids"], abs(share("solids_temperature_min", i) - solids))
checks.at_most("gas at the end from upwind cells' own", worst["gas"], 1.5e-3)
checks.at_most("solids at the end from upwind cells' own", worst["solids"], 1.5e-3)
middle = min(range(len(rows)), key=lambda j: abs(zs[j] - 8))
checks.near(f"gas at Z = {zs[middle]:.4g}, Schumann", share("gas_temperature_min", rows[middle]),
            schumann(far, zs[middle]), absolute=0.75 / cells)
given = run.log["solids_heat"][-1] - run.log["solids_heat"][0]
checks.near("heat of the solids [J]", given, math.fsum(run.log["heat_to_solids"]), relative=1e-10)
through = math.fsum(run.log[f"heat_gas_{s.text(f'inlet.{inlet}.side')}"]) + math.fsum(run.log["heat_gas_z_high"])
checks.near("heat that gas left behind [J]", through, given + run.log["gas_heat"][-1] - run.log["gas_heat"][0],
            relative=1e-10)
checks.at_most("heat_residual", max(run.log["heat_residual"]), 1e-12)
sys.exit(checks.end())
