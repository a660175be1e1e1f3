#!/usr/bin/env python3
"""Checks two solids that settle together against their speeds and fronts: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, root, run_of

FRONTS = 1.0  # s: both have their speeds from here on

run = run_of(__file__)
run.must_reach(FRONTS)
s = run.settings
names = s.blocks("solid")
rho, mu, g = s.real("gas.density"), s.real("gas.viscosity"), -s.reals("forces.gravity")[2]
fill, height = s.reals("seed.%s.high" % names[0])[2], s.reals("grid.size")[2]
cell = height / s.reals("grid.cells")[2]
theta = {n: s.real(f"seed.{n}.solids_fraction") for n in names}
density = {n: s.real(f"solid.{n}.density") for n in names}
diameter = {n: s.real(f"size.{s.text(f'seed.{n}.size') if s.given(f'seed.{n}.size') else s.text(f'solid.{n}.size')}"
                      ".diameter") for n in names}


def speeds(theta):
    """Velocities of solids that settle together, Stokes drag times eps^-2.65 (Masliyah 1979)."""
    eps = 1 - sum(theta.values())
    mixture = eps * rho + sum(theta[n] * density[n] for n in theta)
    slip = {n: -(density[n] - mixture) * g * diameter[n] ** 2 * eps**2.65 / (18 * mu) for n in theta}
    mean_flux = sum(theta[n] * slip[n] for n in theta)
    return {n: slip[n] - mean_flux for n in theta}


u = speeds(theta)
fast, slow = sorted(names, key=lambda n: u[n])
checks = Checks("Settling of two solids: " + ", ".join(f"{n} {theta[n]:g}" for n in names))
last = run.last_fields().time

found = {n: [] for n in names}
for file in run.parcels():
    # A middle that no front has come near: 2 % of the box beside them, and from where the sediment may be.
    top, bottom = fill + min(u.values()) * file.time - 0.02 * height, -3 * min(u.values()) * file.time + 0.02 * height
    low, high = 0.4 * height, 0.55 * height
    if file.time < FRONTS or top < high or bottom > low:
        continue
    for k, n in enumerate(names):
        found[n] += [w[2] for x, w, solid in zip(file.values("Points"), file.values("velocity"), file.values("solid"))
                     if solid == k and low < x[2] < high]
for n in names:
    checks.near(f"velocity of {n} in the mixture [m/s]", mean(found[n]), u[n], relative=0.02)

if u[slow] < 0:
    # Above the first front the slow ones settle alone: their flux over it is kept, theta' (u' - u1) = theta (u2 - u1).
    def over_front(alone):
        return alone * (speeds({slow: alone})[slow] - u[fast]) - theta[slow] * (u[slow] - u[fast])

    alone = root(over_front, 1e-6, 0.3)
    second = speeds({slow: alone})[slow]
    profile = run.profile(run.last_fields(), "solids_fraction")
    heights = [(k + 0.5) * cell for k in range(len(profile))]

    def crossing(level):
        for k in reversed(range(len(profile) - 1)):
            if profile[k] >= level > profile[k + 1]:
                return heights[k] + (profile[k] - level) / (profile[k] - profile[k + 1]) * cell
        return float("nan")

    both = sum(theta.values())
    checks.near(f"front of {fast} at {last:g} s [m]", crossing(0.5 * (alone + both)), fill + u[fast] * last, absolute=cell)
    checks.near(f"front of {slow} at {last:g} s [m]", crossing(0.5 * alone), fill + second * last, absolute=cell)
checks.at_most("theta, largest of all", max(run.log["theta_max"]), s.real("solids.close_packing") + 0.03)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
for n in names:
    checks.at_most(f"mass of {n}, lost or gained, over it", max(abs(m / run.log[f"mass_{n}"][0] - 1) for m in run.log[f"mass_{n}"]), 1e-11)
sys.exit(checks.end())
