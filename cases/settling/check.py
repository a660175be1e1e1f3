#!/usr/bin/env python3
"""Checks a run of the suspension against the kinematics of its fronts: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of
from drag_laws import hindered_settling, law_of


FRONTS = 1.0  # s: the solids have their speed from here on


def crossing(heights, profile, level, from_above):
    """Where the profile first falls through the level going up (or rises to it going down), linear between points."""
    places = range(len(profile) - 1)
    for k in reversed(places) if from_above else places:
        if profile[k] >= level > profile[k + 1]:
            share = (profile[k] - level) / (profile[k] - profile[k + 1])
            return heights[k] + share * (heights[k + 1] - heights[k])
    return float("nan")


run = run_of(__file__)
run.must_reach(FRONTS)
s = run.settings
(block,) = s.blocks("seed")
theta0, cp = s.real(f"seed.{block}.solids_fraction"), s.real("solids.close_packing")
fill = s.reals(f"seed.{block}.high")[2]
nz, height = int(s.reals("grid.cells")[2]), s.reals("grid.size")[2]
buoyed = s.real("solids.density") - s.real("gas.density")
speed = hindered_settling(law_of(s), 1 - theta0, buoyed, -s.reals("forces.gravity")[2])

checks = Checks(f"Settling suspension, solids fraction {theta0:g}")
settled = []
low, high = 0.3 * height, 0.5 * height
for file in run.parcels():
    top, bottom = fill - speed * file.time, speed * file.time * theta0 / (cp - theta0)
    # Parcels within 2 % of the box of a front belong to it.
    if file.time < FRONTS or top < high + 0.02 * height or bottom > low - 0.02 * height:
        continue
    inside = [-u[2] for x, u in zip(file.values("Points"), file.values("velocity")) if low < x[2] < high]
    settled.append(mean(inside))
if settled:
    checks.near("settling speed between .3 and .5 of the height [m/s]", mean(settled), speed, relative=0.02)

last = run.last_fields()
cell = height / nz
profile = run.profile(last, "solids_fraction")
heights = [(k + 0.5) * cell for k in range(nz)]
checks.near(f"front of clear liquid at {last.time:g} s [m]", crossing(heights, profile, 0.5 * theta0, True),
            fill - speed * last.time, absolute=cell)
sediment = speed * last.time * theta0 / (cp - theta0)
front = crossing(heights, profile, 0.5 * (theta0 + cp), False)
if sediment > 1.5 * cell or front == front:
    checks.near(f"front of sediment at {last.time:g} s [m]", front, sediment, absolute=cell)
else:  # it fills no cell, and no cell can show its front
    checks.report(f"solids fraction of the lowest cells at {last.time:g} s", profile[0],
                  f"a sediment of {sediment:.2g} m is thinner than a cell, {cell:.2g} m")
checks.at_most("theta, largest of all", max(run.log["theta_max"]), cp + 0.03)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.equal("parcels astray", max(abs(n - run.log["created"][0]) for n in run.log["parcels"]), 0)
sys.exit(checks.end())
