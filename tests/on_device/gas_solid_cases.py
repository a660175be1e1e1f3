#!/usr/bin/env python3
"""Runs gas-solid cases on a CUDA device beside the same on the CPU: gas_solid_cases.py CORRAL [CASE ...] [--steps N] [--set KEY=VALUE ...]

A line each, of all shipped cases or of those named: milliseconds a step on either, and how far log.csv is apart after some steps. Then
a large bed, with nanoseconds a parcel and step by phases. Ends with status 1 where counts differ, or others by more than what solvers
leave over. tools/gpu calls it; tests/cases/device_steps.py compares small ones closely, emulated.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from beside import CASES, HEADING, beside, run_case, seconds_of_phases, settings, status_of, tell_arrays

COUNTS = ("parcels", "created", "left", "rejected")
WORK = ("iterations", "rounds", "failures", "residual", "maps", "sorts", "isotropy", "drift", "books")  # solvers' own, and round-off
ROUND_OFF = 1e-12  # in SI: what is all below is none
# Ten million parcels in 330,000 cells, the lower half of them packed and blown through: of `rest`.
LARGE = ["grid.cells=69, 69, 69", "grid.size=0.138, 0.138, 0.138 m", "size.beads.diameter=0.2 mm", "seed.bed.lattice=4, 4, 4",
         "seed.bed.high=0.138, 0.138, 0.069 m", "seed.bed.jitter=0", "inlet.floor.velocity=0.2 m/s", "time.step=fixed", "time.dt=0.2 ms",
         "output.log=1 ms", "output.fields=0", "output.parcels=0", "output.audit=false"]


def apart(host, device):
    """The largest difference of a figure over the largest of its kind, and of which; counts to the last."""
    worst = (0.0, "none")
    for column, values in host.log.items():
        if any(word in column for word in WORK):
            continue
        scale = max(map(abs, values))
        for a, b in zip(values, device.log[column]):
            share = (a != b) if column in COUNTS else abs(a - b) / max(scale, ROUND_OFF)
            worst = max(worst, (float(share), column))
    return worst


def large_bed(corral, folder, keys):
    for backend, steps in (("gpu", 20), ("cpu", 3)):
        _, summary = run_case(corral, "rest", folder / "large", "--backend", backend, *settings(keys), "--steps", str(steps))
        parcels = summary["parcels"]
        ns = {name: 1e9 * seconds / steps / parcels for name, seconds in seconds_of_phases(summary).items()}
        print(f"{parcels:.0f} parcels on the {backend}, ns a parcel and step: {sum(ns.values()):.3f}; "
              + ", ".join(f"{name} {value:.3f}" for name, value in ns.items()))
        tell_arrays(summary, backend)
    return True


def main():
    parser = argparse.ArgumentParser(description="gas-solid cases on a device beside the CPU")
    parser.add_argument("corral")
    parser.add_argument("cases", nargs="*", help="all shipped ones, and the large bed")
    parser.add_argument("--steps", default="10")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of the cases")
    asked = parser.parse_args()
    shipped = sorted(p.parent.name for p in CASES.glob("*/case.ini") if "driver = mppic" in p.read_text(encoding="utf-8"))
    print(HEADING)
    with tempfile.TemporaryDirectory(prefix="corral-") as name:
        folder, options = Path(name), ["--steps", asked.steps, *settings(asked.set)]
        work = [lambda case=case: beside(asked.corral, case, case, folder, options, 0.05, by=apart) for case in asked.cases or shipped]
        if not asked.cases:
            work.append(lambda: large_bed(asked.corral, folder, LARGE))
        return status_of(work)


if __name__ == "__main__":
    sys.exit(main())
