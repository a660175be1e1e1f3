#!/usr/bin/env python3
"""Checks a bed of two sizes against the books of force, and tells which lies above and how fast it got there:
check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bed_figures import judge_bed
from case_files import Checks, mean, run_of

BEGIN = 1.0    # s: means are taken from here on, after the first eruption
WINDOW = 1.0   # s: the segregation is a mean over so long, since bubbles throw both sizes about


def segregation(small, large, share):
    """(S - 1)/(S_most - 1), S the mean height of the small over that of the large beads: 0 mixed, 1 where all small ones
    lie above all large ones, which are `share` of the mass (Goldschmidt and others 2003)."""
    most = (1 + share) / share
    return [(a / b - 1) / (most - 1) for a, b in zip(small, large)]


run = run_of(__file__)
run.must_reach(BEGIN + WINDOW)
s = run.settings
diameter = {name: s.real(f"size.{s.text(f'solid.{name}.size')}.diameter") for name in s.blocks("solid")}
small, large = sorted(diameter, key=diameter.get)
masses = [run.log[f"mass_{name}"][0] for name in (small, large)]
share = masses[1] / sum(masses)
times = run.times()
apart = segregation(run.log[f"centre_z_{small}"], run.log[f"centre_z_{large}"], share)


def at(time):
    """Mean over a window around a time."""
    return mean([a for t, a in zip(times, apart) if abs(t - time) <= 0.5 * WINDOW])


seconds = range(1, max(int(times[-1] - 0.5 * WINDOW), 1) + 1)
end, early = at(times[-1] - 0.5 * WINDOW), min(10, seconds[-1])
checks = Checks(f"Two sizes at {s.real('inlet.floor.velocity'):g} m/s, {times[-1]:g} s")
judge_bed(checks, run, BEGIN)
checks.between("segregation at the end: small beads lie above (1: all of them, 0: mixed)", end, 0.02, 1)
checks.report("the same, mean of 1.5 to 2.5 s", at(2.0))
if early > 1:
    checks.report(f"its speed from 1 to {early} s [1/s]", (at(early) - at(1)) / (early - 1))
half = [t for t in seconds if at(t) >= 0.5 * end]
checks.report("half of what it is at the end is reached at [s]", half[0] if half else times[-1])
checks.report("height below which 99 % lie, mean [m]", mean(run.column("height_99", BEGIN)))
checks.report("pressure drop over weight, mean", run.mean("pressure_drop", BEGIN) / run.mean("weight", BEGIN))
sys.exit(checks.end())
