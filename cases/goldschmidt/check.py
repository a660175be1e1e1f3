#!/usr/bin/env python3
"""Checks a run of the bed against the books of force and the peer's figures: check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import books_of_force, judge_bed, main_frequency, report_bubbles
from case_files import Checks, deviation, mean, run_of

BEGIN = 1.0  # s: means are taken from here on, after the first eruption
PEER = {"centre": 0.1066, "height_99": 0.239, "drop_deviation": 0.21, "frequency": "2.0 to 2.7"}

run = run_of(__file__)
run.must_reach(BEGIN + 1)
checks = Checks("Goldschmidt's bed, means from 1 s on")
drop = run.column("pressure_drop", BEGIN)
carried, weight = books_of_force(run, BEGIN)

judge_bed(checks, run, BEGIN)
checks.between("pressure drop / weight", mean(drop) / weight, 0.95, 1.03)
checks.near("centre of mass [m]", run.mean("centre_z", BEGIN), PEER["centre"], relative=0.1)
checks.at_most("mixture residual", max(run.log["mixture_residual"]), 1.01 * run.settings.real("gas.tolerance"))
drift = math.sqrt(mean([d * d for d in run.log["theta_drift_rms"]]))
if run.settings.real("time.dt") <= 2e-4:  # it grows with the step; what matters then is that theta keeps its limit
    checks.at_most("theta drift, rms over cells and steps", drift, 5e-4)
else:
    checks.report("theta drift, rms over cells and steps", drift)
checks.report("pressure drop + floor contact + wall impulse, over weight", carried / weight, "1, in the long run")
checks.report("pressure drop / weight, standard deviation", deviation(drop) / weight,
              f"peer {PEER['drop_deviation']}")
checks.report("main frequency [Hz]", main_frequency(run.column("time", BEGIN), drop), f"peer {PEER['frequency']}")
checks.report("99 % height [m]", run.mean("height_99", BEGIN), f"peer {PEER['height_99']}")
report_bubbles(checks, run, BEGIN)
checks.report("fastest parcel [m/s]", max(run.column("speed_max", BEGIN)))
checks.report("parcels that left", run.log["left"][-1])
sys.exit(checks.end())
