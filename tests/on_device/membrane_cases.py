#!/usr/bin/env python3
"""Runs membranes in a lattice fluid on a CUDA device beside the same on the CPU: membrane_cases.py CORRAL [--steps N]

A line each: milliseconds a step on either, and how far log.csv is apart after some steps. Then 64 red cells of 2,562
vertices in 128 cells each way, with microseconds a step by phases. Ends with status 1 where logs differ by more than round-off.
tools/gpu calls it; tests/cases/device_membranes.py compares more closely, emulated.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from beside import milliseconds, run_case, seconds_of_phases, settings, status_of
from lattice_cases import apart

QUIET = ["output.fields=0", "output.vertices=0", "output.cells=0", "output.log=12.5 us"]
MANY = ["membranes.one.arrangement=lattice", "membranes.one.lattice=4, 4, 4", "grid.cells=128, 128, 128", "grid.size=64, 64, 64 um",
        "surface.red_cell.vertices=2562"]
CASES = [
    ("red_cell_lattice", []),
    ("by folds of edges", ["surface.red_cell.bending=dihedral"]),
    ("populations of floats", ["lattice.precision=float"]),
    ("two of them, which repel", ["membranes.one.arrangement=lattice", "membranes.one.lattice=1, 2, 1", "repulsion.range=0.5 um",
                                  "repulsion.stiffness=1e-5 N/m"]),
    ("viscous", ["surface.red_cell.membrane_viscosity=1e-8 Pa s m"]),
]


def beside(corral, name, folder, options, tolerance):
    """A line; False where something is wrong."""
    (host, on_host), (device, on_device) = (run_case(corral, "red_cell_lattice", folder / b, "--backend", b, *options) for b in ("cpu", "gpu"))
    most, column = apart(host, device)
    print(f"{name:26} {on_host['steps']:5} {milliseconds(on_host):9.3f} {milliseconds(on_device):9.3f}  {most:.1e} ({column})", flush=True)
    return most < tolerance


def many_cells(corral, folder):
    for backend, steps in (("gpu", 100), ("cpu", 3)):
        _, summary = run_case(corral, "red_cell_lattice", folder / "many", "--backend", backend, *settings([*QUIET, *MANY]), "--steps", str(steps))
        us = {name: 1e6 * seconds / steps for name, seconds in seconds_of_phases(summary).items()}
        print(f"64 red cells of 2,562 vertices in 128^3 cells on the {backend}, microseconds a step: {sum(us.values()):.0f}; "
              + ", ".join(f"{name} {value:.0f}" for name, value in us.items()))
        print(f"  {summary['device_arrays_bytes' if backend == 'gpu' else 'arrays_bytes'] / 1e9:.2f} GB of arrays", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description="membranes on a device beside the CPU")
    parser.add_argument("corral")
    parser.add_argument("--steps", default="40")
    parser.add_argument("--few", action="store_true", help="without the 64 cells, for an emulated device")
    asked = parser.parse_args()
    print(f"{'red_cell_lattice':26} {'steps':>5} {'CPU':>9} {'device':>9}  ms a step; largest difference in log.csv")
    with tempfile.TemporaryDirectory(prefix="corral-") as name:
        folder = Path(name)
        work = [lambda label=label, keys=keys: beside(asked.corral, label, folder, ["--steps", asked.steps, *settings([*QUIET, *keys])],
                                                      1e-4 if label == "populations of floats" else 1e-6)
                for label, keys in CASES]
        if not asked.few:
            work.append(lambda: many_cells(asked.corral, folder))
        return status_of(work)


if __name__ == "__main__":
    sys.exit(main())
