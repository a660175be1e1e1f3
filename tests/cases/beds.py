#!/usr/bin/env python3
"""Beds in all their variants, each run judged by its case's own check: minutes to hours, so by name.

  beds.py --list                       the groups and their runs
  beds.py rest packing                 these groups, one run after the other
  beds.py rest --only "60 um" --all    runs of `rest` with these words in their name; every figure, not failing ones

Needs CORRAL, the command, in the environment. The exit status is the number of runs that failed, at most 100.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"
sys.path.insert(0, str(CASES))
import drag_laws

AIR = (1.2, 1.8e-5)  # density [kg/m3], viscosity [Pa s]
WATER = (1000.0, 1e-3)


class Row:
    """A run: its case, what it is called in the table, what it sets in case.ini, and arguments for the check."""

    def __init__(self, case, name, settings, *arguments):
        self.case, self.name, self.settings, self.arguments = case, name, settings, arguments


def fluidising(drag, diameter, density, theta=0.6, gas=AIR, g=9.81):
    """The law's own minimum fluidisation velocity [m/s]."""
    law = getattr(drag_laws, drag)
    return drag_laws.minimum_fluidisation(lambda eps, slip: law(eps, slip, diameter, *gas), 1 - theta,
                                          theta * (density - gas[0]) * g)


def sides(kind):
    return {f"sides.{side}": kind for side in ("x_low", "x_high", "y_low", "y_high")}


def width(cells, height=0.1):
    """Of a bed of `rest`, whose cells are 5 mm wide."""
    return {"grid.cells": f"{cells}, {cells}, 40", "grid.size": f"{0.005 * cells}, {0.005 * cells}, 0.2",
            "seed.bed.high": f"{0.005 * cells}, {0.005 * cells}, {height}"}


BEADS = {"2.5 mm": {}, "1 mm": {"size.beads.diameter": "1 mm"}, "0.5 mm": {"size.beads.diameter": "0.5 mm"},
         "60 um": {"size.beads.diameter": "60 um", "solids.density": 1500, "time.end": 22}}
FINE = {"size.beads.diameter": "30 um", "solids.density": 1500, "time.dt": 5e-3, "time.end": 46}


def rest():
    """Still beds: of four sizes with three steps, of one to eight cells across, and once fluidised."""
    for beads, settings in BEADS.items():
        for dt in (2e-3, 5e-4, 1e-4):
            yield Row("rest", f"{beads}, dt {dt:g}", {**settings, "time.dt": dt})
    for kind in ("free_slip", "no_slip", "periodic"):
        for cells in (1, 2, 4, 8):
            if (kind, cells) != ("free_slip", 4):
                yield Row("rest", f"{cells} cells wide, {kind}", {**width(cells), **sides(kind)})
    for beads, velocity, end in (("2.5 mm", 1.95, 13.2), ("60 um", 3.3e-3, 23.2)):
        yield Row("rest", f"{beads}, fluidised first", {**BEADS[beads], "inlet.floor.velocity": velocity,
                                                        "seed.bed.lattice": "4, 4, 4", "time.end": end})
    yield Row("rest", "random places, falling", {"seed.bed.lattice": "4, 4, 4", "seed.bed.jitter": "0.625 mm",
                                                 "seed.bed.solids_fraction": 0.45})
    yield Row("rest", "30 um, dt 0.005", FINE)


def drop():
    """A bed dropped without gas."""
    for dt in (2e-3, 1e-3, 2e-4):
        yield Row("drop", f"dt {dt:g}", {"time.dt": dt})
    yield Row("drop", "without loss at walls", {"walls.normal_restitution": 1, "walls.tangential_restitution": 1})
    yield Row("drop", "twice as fine a grid", {"grid.cells": "1, 30, 90"})
    yield Row("drop", "without friction", {"contact.friction": 0})


def clouds():
    """Clouds that meet."""
    for dt in (1e-3, 1e-4):
        for restitution in (0.97, 0):
            yield Row("clouds", f"e {restitution:g}, dt {dt:g}", {"contact.restitution": restitution, "time.dt": dt})


def packing():
    """Goldschmidt's bed on refined grids, with one and with eight beads to a parcel."""
    for times in (1, 2, 4):
        for parcels, seed in ((1, {}), (8, {"seed.bed.lattice": "3, 21, 49", "seed.bed.particles_per_parcel": 8})):
            for dt in (1e-3, 2e-4):
                yield Row("refined", f"{times} times the cells, {parcels} a parcel, dt {dt:g}",
                          {"grid.cells": f"1, {15 * times}, {45 * times}", "time.dt": dt, **seed})


def powders():
    """36 powders that bubble."""
    for diameter in (60, 30, 15):
        slowest = fluidising("gidaspow_blended", 1e-6 * diameter, 1500)
        for dt in (5e-3, 2e-3, 1e-3):
            for times in (50, 20, 10, 5):
                yield Row("powder", f"{diameter} um, dt {dt:g}, {times} U_mf",
                          {"size.catalyst.diameter": f"{diameter} um", "time.dt": dt,
                           "inlet.floor.velocity": f"{times * slowest:.5g}"})


def profile():
    """The pressure profile of powder that lies, blown through at .4 of its minimum fluidisation velocity."""
    for drag in ("gidaspow_blended", "beetstra"):
        for cells, size, high in (("20, 1, 80", "100, 5, 400 mm", "100, 5, 100 mm"),
                                  ("4, 4, 40", "20, 20, 200 mm", "20, 20, 100 mm")):
            velocity = 0.4 * fluidising(drag, 60e-6, 1500)
            lattice = {} if "1," in cells else {"seed.bed.lattice": "2, 2, 3"}
            yield Row("powder", f"{drag}, {cells} cells", {
                "solids.drag": drag, "inlet.floor.velocity": f"{velocity:.5g}", "time.end": 12, "output.fields": 0.5,
                "output.parcels": 2, "grid.cells": cells, "grid.size": size, "seed.bed.high": high, **lattice})


SLOWLY = 4  # times as long as shipped: powder loses its gas in seconds


def fluidisation():
    """Minimum fluidisation velocities of beads and powders."""
    yield Row("minimum_fluidisation", "2.5 mm", {})
    jumps = [1.2 + 0.5 * n for n in range(10)]  # as shipped
    slow = ", ".join(f"{SLOWLY * t:g}" for t in [0.2, 0.7] + [t for jump in jumps for t in (jump, jump)])
    # Forty cells to the bed: its surface is smeared over a cell, and fine powder's drag with it.
    fine = {"grid.cells": "4, 4, 80", "grid.size": "10, 10, 200 mm", "seed.bed.high": "10, 10, 100 mm",
            "inlet.floor.times": slow, "time.end": SLOWLY * 6.2, "time.dt": 1e-3,
            "output.fields": 2, "output.parcels": 2}
    for name, drag, diameter, density, grid in (("60 um catalyst", "beetstra", 60e-6, 1500, fine),
                                                ("60 um catalyst", "ergun", 60e-6, 1500, fine),
                                                (".1 mm glass", "ergun", 1e-4, 2500, fine),
                                                ("3.256 mm nylon", "ergun", 3.256e-3, 1131, {})):
        yield Row("minimum_fluidisation", f"{name}, {drag}", {
            "solids.drag": drag, "size.beads.diameter": diameter, "solids.density": density,
            "inlet.floor.velocity": f"{fluidising(drag, diameter, density):.5g}", **grid})


def water():
    """Glass in water, with steps in which drag takes hold of it."""
    for dt in (5e-3, 1e-3):
        for velocity in ("5.63 mm/s", "2.6 mm/s", "0"):
            yield Row("water", f"{velocity}, dt {dt:g}", {"inlet.floor.velocity": velocity, "time.dt": dt,
                                                          "time.end": 40})
    for dt in (2e-2, 5e-3):
        yield Row("water", f".1 mm, at rest, dt {dt:g}", {
            "size.beads.diameter": "0.1 mm", "inlet.floor.velocity": 0, "time.dt": dt, "seed.bed.solids_fraction": 0.55,
            "time.end": 100})


def jets():
    """Facing jets, with steps in which gas crosses a cell and more."""
    for dt in (2e-3, 5e-4):
        yield Row("jets", f"dt {dt:g}", {"time.dt": dt})


def shipped():
    """The other cases, whole, and the variants that their documents promise."""
    for dt in (2e-4, 5e-4, 1e-3, 2e-3, 4e-3):
        yield Row("column", f"dt {dt:g}", {"time.dt": dt})
    law = lambda eps, slip: 18 * WATER[1] / 0.3e-3**2 * eps**-2.65
    for theta in (0.1, 0.15, 0.2):
        speed = drag_laws.hindered_settling(law, 1 - theta, 1000, 9.81)
        yield Row("settling", f"solids fraction {theta:g}", {"seed.suspension.solids_fraction": theta,
                                                             "seed.suspension.velocity": f"0, 0, {-speed:.6g}"})
    yield Row("goldschmidt", "dt 0.0002", {})
    yield Row("goldschmidt", "dt 0.001", {"time.dt": 1e-3, "output.log": 1e-3})
    for drag in ("gidaspow", "beetstra"):
        for velocity in (0.05, 0.2):
            yield Row("packed_bed", f"{drag}, {velocity:g} m/s",
                      {"solids.drag": drag, "inlet.floor.velocity": velocity})
    yield Row("terminal_velocity", "drag coefficient 1", {})


def heat():
    yield Row("hot_parcel", "1 mm", {})
    for cells, dt in ((100, 8e-3), (200, 4e-3)):
        yield Row("heated_bed", f"{cells} cells", {"grid.cells": f"1, 1, {cells}", "time.dt": dt})


GROUPS = {group.__name__: group for group in (rest, drop, clouds, packing, powders, profile, fluidisation, water, jets,
                                              heat, shipped)}


def figures(table):
    """Rows of a check's table as lists of their columns, its head left out."""
    return [re.split(r"  +", line.strip()) for line in table.splitlines()[2:] if line.strip()]


def perform(row, directory, threads, budget):
    """Runs and checks: (seconds, what the check printed or what went wrong, whether all is well)."""
    sets = [word for key, value in row.settings.items() for word in ("--set", f"{key}={value}")]
    begin = time.monotonic()
    try:
        done = subprocess.run([os.environ["CORRAL"], "run", CASES / row.case, "--quiet", "--overwrite", "--threads",
                               str(threads), "--output", directory, *sets], capture_output=True, text=True,
                              timeout=budget, check=False)
    except subprocess.TimeoutExpired:
        return budget, f"not done after {budget:g} s", False
    seconds = time.monotonic() - begin
    if done.returncode:
        return seconds, (done.stdout + done.stderr).strip(), False
    checked = subprocess.run([sys.executable, "-B", CASES / row.case / "check.py", directory, *row.arguments],
                             capture_output=True, text=True, check=False)
    return seconds, (checked.stdout + checked.stderr).strip(), checked.returncode == 0


def report(row, seconds, said, well, everything):
    print(f"{seconds:7.1f} s  {'ok' if well else 'FAIL'}", flush=True)
    rows = figures(said)
    judged = [r for r in rows if r[-1] in ("ok", "FAIL", "-")]
    shown = judged if everything else [r for r in judged if r[-1] == "FAIL"]
    for quantity, *others in shown:
        print(f"      {quantity}: {', '.join(others)}")
    if not well and not judged:
        print("      " + said.replace("\n", "\n      "))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--only", default="", metavar="WORDS", help="runs whose name has these words")
    parser.add_argument("--list", action="store_true", help="name the runs, and run none")
    parser.add_argument("--all", action="store_true", help="show every figure, not those that fail alone")
    parser.add_argument("--keep", metavar="DIRECTORY", help="where the outputs stay")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--budget", type=float, default=3600, help="seconds that a run may take")
    options = parser.parse_args()
    unknown = set(options.groups) - set(GROUPS)
    if unknown or not (options.groups or options.list):
        parser.error(f"no group {', '.join(unknown)}" if unknown else "name a group: " + ", ".join(GROUPS))
    rows = [(name, row) for name in options.groups or GROUPS for row in GROUPS[name]() if options.only in row.name]
    if options.list:
        for name, row in rows:
            print(f"{name:13} {row.case:21} {row.name}")
        return 0

    results = []
    with tempfile.TemporaryDirectory(prefix="corral-") as temporary:
        for number, (name, row) in enumerate(rows, 1):
            print(f"{number:3}/{len(rows)} {name}: {row.name} ... ", end="", flush=True)
            kept = Path(options.keep) / name / re.sub(r"[^\w.]+", "_", row.name) if options.keep else None
            directory = kept or Path(temporary) / "out"
            directory.parent.mkdir(parents=True, exist_ok=True)
            result = perform(row, directory, options.threads, options.budget)
            report(row, *result, options.all)
            results.append((name, row, *result))
    print(f"\n{'group':13} {'run':45} {'seconds':>8}  fails")
    for name, row, seconds, said, well in results:
        failing = sum(r[-1] == "FAIL" for r in figures(said))
        print(f"{name:13} {row.name:45} {seconds:8.1f}  {'' if well else failing or 'did not end'}".rstrip())
    failed = sum(not result[-1] for result in results)
    print(f"{len(results) - failed} of {len(results)} runs hold their limits")
    return min(failed, 100)


if __name__ == "__main__":
    sys.exit(main())
