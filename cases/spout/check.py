#!/usr/bin/env python3
"""Checks a run of the spout against the books of force, and sets the experiment's mean speeds beside its own:
check.py [OUTPUT_DIRECTORY]"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import judge_bed
from case_files import Checks, mean, run_of

BEGIN = 2.0    # s: means are taken from here on
HEIGHT = 0.2   # m: the bed at rest, whose shares the heights of the experiment are
PLACES = (-31.6, -3.6, 3.3, 10.4, 17.6, 38.5)  # mm from the middle
EXPERIMENT = {0.30: (0.073, 0.581, 0.526, 0.457, 0.116, 0.024), 0.60: (0.154, 0.481, 0.722, 0.705, 0.364, 0.025)}  # m/s
HALF = 0.004   # m: parcels count that are nearer than this to the place, along x and z


def mean_speeds(run, begin):
    """{(share, place): mean over the parcels found there, of all files from `begin` on, of their speed in the plane of
    the bed [m/s]}."""
    middle = run.settings.reals("grid.size")[0] / 2
    found = {(share, place): [] for share in EXPERIMENT for place in PLACES}
    for file in run.parcels():
        if file.time <= begin:
            continue
        for x, u in zip(file.values("Points"), file.values("velocity")):
            for share in EXPERIMENT:
                if abs(x[2] - share * HEIGHT) < HALF:
                    for place in PLACES:
                        if abs(x[0] - middle - 1e-3 * place) < HALF:
                            found[share, place].append(math.hypot(u[0], u[2]))
    return {key: mean(speeds) if speeds else math.nan for key, speeds in found.items()}


run = run_of(__file__)
run.must_reach(BEGIN + 1)
checks = Checks("A spouted bed, means from 2 s on")
judge_bed(checks, run, BEGIN, over=0.01, packed_from=BEGIN)
speeds = mean_speeds(run, BEGIN)
for share, experiment in EXPERIMENT.items():
    inner = mean([speeds[share, place] for place in PLACES if abs(place) < 12])
    outer = max(speeds[share, place] for place in (PLACES[0], PLACES[-1]))
    checks.between(f"mean speed in the spout at {share:g} H0, over the experiment's",
                   inner / mean([v for v, place in zip(experiment, PLACES) if abs(place) < 12]), 0.4, 2.5)
    checks.at_most(f"mean speed beside the spout over that in it, {share:g} H0", outer / inner, 0.5)
    for place, value in zip(PLACES, experiment):
        checks.report(f"mean speed at {place:g} mm, {share:g} H0 [m/s]", speeds[share, place], f"experiment {value:g}")
checks.report("99 % height [m]", run.mean("height_99", BEGIN))
sys.exit(checks.end())
