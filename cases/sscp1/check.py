#!/usr/bin/env python3
"""Checks a run of the bed against the books of force: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import judge_bed, main_frequency
from case_files import Checks, deviation, run_of
from drag_laws import law_of, minimum_fluidisation

BEGIN = 2.0      # s: means are taken from here on, after the first eruption
WEIGHT = 1070.0  # Pa, of the experiment's 1.9 kg on its floor, less the gas's head

run = run_of(__file__)
run.must_reach(BEGIN + 1)
checks = Checks("Small-scale challenge problem I, means from 2 s on")
s = run.settings
drop, times = run.column("pressure_drop", BEGIN), run.column("time", BEGIN)
weight = run.mean("weight", BEGIN)
per_volume = (s.real("solids.density") - s.real("gas.density")) * -s.reals("forces.gravity")[2]

judge_bed(checks, run, BEGIN, over=0.01, packed_from=BEGIN)
checks.near("weight over the floor [Pa]", weight, WEIGHT, relative=0.02)
checks.between("pressure drop / weight", run.mean("pressure_drop", BEGIN) / weight, 0.95, 1.05)
checks.report("pressure drop: standard deviation over weight", deviation(drop) / weight)
checks.report("pressure drop: main frequency [Hz]", main_frequency(times, drop))
checks.report("99 % height [m]", run.mean("height_99", BEGIN))
checks.report("centre of mass [m]", run.mean("centre_z", BEGIN))
checks.report("minimum fluidisation velocity of the drag law at eps .42 [m/s]",
              minimum_fluidisation(law_of(s), 0.42, 0.58 * per_volume), "experiment 1.05")
sys.exit(checks.end())
