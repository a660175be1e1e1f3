#!/usr/bin/env python3
"""Checks a bed of glass in water: where water rises its height, where it stands its rest:
check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import Bed, books_of_force, judge_floor, judge_rest, lying_centres, parcels_astray
from case_files import Checks, root, run_of
from drag_laws import hindered_settling, law_of

run = run_of(__file__)
run.must_reach()
s = run.settings
(inlet,) = s.blocks("inlet")
superficial, cp = s.real(f"inlet.{inlet}.velocity"), s.real("solids.close_packing")
law, g = law_of(s), -s.reals("forces.gravity")[2]
buoyed = s.real("solids.density") - s.real("gas.density")
end = run.times()[-1]
begin = 0.6 * end
beds = [Bed(s, file) for file in run.parcels()]
solids = run.log["solids_volume"][0] / run.floor_area()  # height of the solids alone [m]
height = 2 * run.mean("centre_z", begin)
weight = run.mean("weight", begin)
drop = run.mean("pressure_drop", begin) / weight

if superficial > 0:
    eps = root(lambda e: hindered_settling(law, e, buoyed, g) - superficial, 1 - cp, 1.0)
    checks = Checks(f"Glass in water that rises at {superficial:g} m/s, means from {begin:g} s on")
    checks.near("twice the height of the centre of mass [m]", height, solids / (1 - eps), relative=0.03)
    # Contact pressure, a function of the solids fraction, carries some of a bed that is not packed: at its floor tau.
    tau = s.real("contact.pressure") * (1 - eps) ** s.real("contact.exponent") / (cp - (1 - eps))
    checks.between("pressure drop / weight", drop, 0.98 - tau / weight, 1.02)
    carried, _ = books_of_force(run, begin)
    checks.near("the same with floor contact and wall impulse", carried / weight, 1, relative=0.005)
    checks.at_most("rms speed, largest of the parcel files, over the water's",
                   max(bed.rms_speed() for bed in run.since(begin, "parcels", beds)) / (superficial / eps), 1.0)
else:
    checks = Checks(f"Glass that lies in water, from {begin:g} s on")
    judge_rest(checks, run, beds, begin)
    judge_floor(checks, run, beds[-1], begin, stirred=True)  # it has sunk through its water for long
    packed, loose = lying_centres(run)
    checks.between("centre of mass at the end [m]", run.log["centre_z"][-1], 0.99 * packed, 1.02 * loose)
    checks.at_most("|pressure drop| / weight", abs(drop), 0.03)
checks.at_most("theta, largest of all from then on", max(run.column("theta_max", begin)), cp + 0.03)
checks.equal("parcels that left", run.log["left"][-1], 0)
checks.equal("parcels astray", parcels_astray(run), 0)
checks.equal("faces whose gas fraction was raised", sum(run.column("eps_clipped", begin)), 0)
checks.at_most("momentum residual", max(run.log["momentum_residual"]), 1e-12)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * s.real("gas.tolerance"))
checks.report("theta, largest of all", max(run.log["theta_max"]))
checks.report("packing that did not converge, steps", sum(run.log["contact_failures"]))
sys.exit(checks.end())
