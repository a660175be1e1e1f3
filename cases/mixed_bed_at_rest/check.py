#!/usr/bin/env python3
"""Checks whether a mixed bed at rest stays mixed, or separates where it should: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, run_of

run = run_of(__file__)
run.must_reach()
s = run.settings
heavy, light = sorted(s.blocks("solid"), key=lambda n: -s.real(f"solid.{n}.density"))
blended = s.text("contact.acceleration") == "blended"
apart = [b - a for a, b in zip(run.log[f"centre_z_{heavy}"], run.log[f"centre_z_{light}"])]
bed, last = run.log["height_99"][-1], run.times()[-1]
moving = s.real("inlet.floor.velocity") > 0
checks = Checks(f"A mixed bed {'that is blown through' if moving else 'at rest'}, accelerations "
                f"{'blended' if blended else 'of each its own'}, {last:g} s")
if moving:
    checks.between(f"{light} above {heavy}, over the bed's height", apart[-1] / bed, 0.05, 1)
elif blended:
    checks.at_most("mean heights apart, over the bed's height, largest of all", max(abs(a) / bed for a in apart), 0.005)
else:
    checks.between("mean heights apart, over the bed's height, at the end", apart[-1] / bed, 0.05, 1)
if not moving:
    checks.near("floor contact and wall impulse over weight, last half", (run.mean("floor_contact", last / 2) +
                run.mean("wall_impulse", last / 2) + run.mean("pressure_drop", last / 2)) / run.mean("weight", last / 2),
                1, relative=0.005)
checks.at_most("theta, largest of all", max(run.log["theta_max"]), s.real("solids.close_packing") + 0.03)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.at_most("audit: energy that no term explains", max(run.log["energy_residual"]), 1e-12)
checks.at_most("audit: momentum that no term explains", max(run.log["momentum_books"]), 1e-12)
sys.exit(checks.end())
