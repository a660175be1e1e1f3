#!/usr/bin/env python3
"""Checks that a dropped bed loses energy, and never gains any: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, books_of_force, judge_energy, lying_centres, parcels_astray
from case_files import Checks, run_of

run = run_of(__file__)
s = run.settings
(seed,) = s.blocks("seed")
g, cp = -s.reals("forces.gravity")[2], s.real("solids.close_packing")
top = s.reals(f"seed.{seed}.high")[2]
beds = [Bed(s, file) for file in run.parcels()]
end = run.times()[-1]
landed = math.sqrt(2 * top / g)  # s: by then the last bead has
run.must_reach(landed)

checks = Checks("A dropped bed")
checks.equal("parcels that left", run.log["left"][-1], 0)
checks.at_most("fastest parcel [m/s]", max(run.log["speed_max"]), 1.018 * math.sqrt(2 * g * top))
judge_energy(checks, run, beds)
checks.equal("parcels astray", parcels_astray(run), 0)
if end >= landed + 2:
    checks.at_most("rms speed at the end [m/s]", beds[-1].rms_speed(), 1e-3)
    packed, loose = lying_centres(run)
    checks.between("centre of mass at the end [m]", beds[-1].centre(), 0.99 * packed, 1.02 * loose)
    carried, weight = books_of_force(run, end - 1)
    checks.near("floor contact + wall impulse, last second, over weight", carried / weight, 1, relative=0.005)
checks.report("kinetic energy at the end / energy at the start", beds[-1].kinetic_energy() / beds[0].energy())
checks.report("theta, largest of all", max(run.log["theta_max"]), f"close packing {cp:g}")
sys.exit(checks.end())
