#!/usr/bin/env python3
"""Checks that clouds that meet leave no faster than they came: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, judge_energy, parcels_astray
from case_files import Checks, run_of

run = run_of(__file__)
run.must_reach()
s = run.settings
speed = max(abs(u) for seed in s.blocks("seed") for u in s.reals(f"seed.{seed}.velocity"))
beds = [Bed(s, file) for file in run.parcels()]
last = beds[-1]
inside = [bed for bed in beds if len(bed.volumes) == len(beds[0].volumes)]  # what leaves takes its momentum along

checks = Checks("Two clouds that meet")
end = run.times()[-1]
# Where clouds pass through each other a parcel may get a push that is meant for its neighbours, for a moment.
checks.at_most("fastest parcel at any moment [m/s]", max(run.log["speed_max"]), 1.1 * speed)
checks.at_most("fastest parcel after they have met [m/s]", max(run.column("speed_max", 0.75 * end)), speed)
judge_energy(checks, run, beds)
drift = max(abs(sum(v * u[2] for v, u in zip(bed.volumes, bed.velocities))) / sum(bed.volumes) for bed in inside)
checks.at_most("velocity of the common centre of mass, largest, over the clouds'", drift / speed, 1e-3)
checks.equal("parcels astray", parcels_astray(run), 0)
if s.given("contact.restitution") and s.real("contact.restitution") == 0:
    checks.equal("parcels that left", run.log["left"][-1], 0)
    checks.at_most("rms speed at the end, over the clouds'", last.rms_speed() / speed, 0.05)
checks.report("rms speed at the end [m/s]", last.rms_speed())
checks.report("kinetic energy of what is inside at the end, over the start's", last.energy() / beds[0].energy())
checks.report("parcels that left", run.log["left"][-1], f"of {len(beds[0].volumes)}")
checks.report("theta, largest of all", max(run.log["theta_max"]), f"close packing {s.real('solids.close_packing'):g}")
sys.exit(checks.end())
