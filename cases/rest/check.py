#!/usr/bin/env python3
"""Checks that a bed lies still: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, judge_energy, judge_floor, judge_rest, lying_centres, parcels_astray, sinking_time
from case_files import Checks, run_of

FALLING = 2.0  # s in which the bed comes to rest, from the start or from when the gas stops, once its gas has left it

run = run_of(__file__)
s = run.settings
(inlet,) = s.blocks("inlet")
fluidised = s.real(f"inlet.{inlet}.velocity") > 0
stop = s.reals(f"inlet.{inlet}.times")[-1] if fluidised else 0.0
begin = stop + FALLING + 2 * sinking_time(run)  # the last of it leaves slowly
run.must_reach(begin + 1)
beds = [Bed(s, file) for file in run.parcels()]
weight = run.mean("weight", begin)

checks = Checks(f"A bed at rest, from {begin:g} s on")
judge_rest(checks, run, beds, begin)
judge_floor(checks, run, beds[-1], begin, stirred=fluidised)
packed, loose = lying_centres(run)
checks.between("centre of mass at the end [m]", run.log["centre_z"][-1], 0.99 * packed, 1.02 * loose)
# Air carries what still sinks.
end = run.times()[-1]
checks.at_most("|pressure drop| / weight, last second", abs(run.mean("pressure_drop", end - 1)) / weight, 0.03)
judge_energy(checks, run, beds, begin=stop)
checks.equal("faces whose gas fraction was raised", sum(run.log["eps_clipped"]), 0)
checks.at_most("theta, largest of all from then on", max(run.column("theta_max", begin)),
               s.real("solids.close_packing") + 0.03)
checks.equal("parcels astray", parcels_astray(run), 0)
if not fluidised:
    checks.equal("parcels that left", run.log["left"][-1], 0)
checks.report("rms speed at the end [m/s]", beds[-1].rms_speed())
checks.report("fastest parcel of the last second [m/s]", max(run.column("speed_max", end - 1)))
checks.report("floor contact / weight", run.mean("floor_contact", begin) / weight)
checks.report("packing that did not converge, steps", sum(run.log["contact_failures"]))
sys.exit(checks.end())
