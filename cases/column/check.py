#!/usr/bin/env python3
"""Checks a run of the column against a packed bed at rest: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of

run = run_of(__file__)
run.must_reach()
begin = 0.5 * run.settings.real("time.end")  # at rest by then
checks = Checks(f"Settling column, means from {begin:g} s on")

cp = run.settings.real("solids.close_packing")
height = run.log["solids_volume"][0] / run.floor_area() / cp
weight = run.mean("weight", begin)
drop, contact, bounces = (run.mean(part, begin) for part in ("pressure_drop", "floor_contact", "wall_impulse"))

checks.near("99 % height [m]", run.mean("height_99", begin), 0.99 * height, relative=0.01)
checks.near("centre of mass [m]", run.mean("centre_z", begin), 0.5 * height, relative=0.01)
checks.at_most("theta, largest of all", max(run.column("theta_max", begin)), cp + 0.02)
checks.at_most("|pressure drop| / weight", abs(drop) / weight, 0.025)
checks.near("pressure drop + floor contact + wall impulse, over weight", (drop + contact + bounces) / weight, 1,
            relative=0.005)
checks.at_most("fastest parcel [m/s]", max(run.column("speed_max", begin)), 1.0)
checks.equal("parcels astray", max(abs(n - run.log["created"][0]) for n in run.log["parcels"]), 0)
checks.report("floor contact / weight", contact / weight)
checks.report("wall impulse / weight", bounces / weight)
checks.report("theta drift, rms, mean", mean(run.column("theta_drift_rms", begin)))
sys.exit(checks.end())
