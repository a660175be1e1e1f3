#!/usr/bin/env python3
"""Runs membranes in either fluid on a CUDA device beside the same on the CPU: membrane_cases.py CORRAL [--steps N]

A line each: milliseconds a step on either, and how far log.csv is apart after some steps. Then 64 red cells of 2,562
vertices in 128 cells each way, with microseconds a step by phases. Ends with status 1 where logs differ by more than round-off, or
where a second run on the device has other bits: cuFFT promises none.
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
WALLS = ["sides.y_low=no_slip", "sides.y_high=no_slip"]
INERTIA = ["fluid.motion=navier_stokes", "time.dt=20 ns", "output.log=0.1 us"]
SMALL = ["grid.cells=32, 32, 32", "surface.red_cell.vertices=642"]
RADIAL = ["surface.red_cell.representation=radial", "surface.red_cell.vertices=400", "surface.red_cell.sites=4000", "surface.red_cell.stretch=1.05, 1, 1"]
LATTICE, INCOMPRESSIBLE = "red_cell_lattice", "red_cell_in_shear"
CASES = [
    (LATTICE, LATTICE, []),
    ("by folds of edges", LATTICE, ["surface.red_cell.bending=dihedral"]),
    ("populations of floats", LATTICE, ["lattice.precision=float"]),
    ("two of them, which repel", LATTICE, ["membranes.one.arrangement=lattice", "membranes.one.lattice=1, 2, 1", "repulsion.range=0.5 um",
                                           "repulsion.stiffness=1e-5 N/m"]),
    ("viscous", LATTICE, ["surface.red_cell.membrane_viscosity=1e-8 Pa s m"]),
    (INCOMPRESSIBLE, INCOMPRESSIBLE, SMALL),
    ("between walls", INCOMPRESSIBLE, [*SMALL, *WALLS]),
    ("with inertia", INCOMPRESSIBLE, [*SMALL, *INERTIA]),
    ("with both", INCOMPRESSIBLE, [*SMALL, *WALLS, *INERTIA]),
    ("radial", INCOMPRESSIBLE, [*SMALL[:1], *RADIAL]),
    ("radial, variational", INCOMPRESSIBLE, [*SMALL[:1], *RADIAL, "surface.red_cell.forces=variational"]),
    ("viscous, between walls", INCOMPRESSIBLE, [*SMALL, *WALLS, "surface.red_cell.membrane_viscosity=1e-8 Pa s m"]),
]


def joined(keys):
    """As `settings`, of keys of which later ones count."""
    return settings([f"{key}={value}" for key, value in dict(key.split("=", 1) for key in keys).items()])


def beside(corral, name, case, folder, options, tolerance):
    """A line; False where something is wrong."""
    (host, on_host), (device, on_device), (again, _) = (run_case(corral, case, folder / f, "--backend", b, *options)
                                                        for f, b in (("cpu", "cpu"), ("gpu", "gpu"), ("again", "gpu")))
    most, column = apart(host, device)
    same = device.log == again.log
    print(f"{name:26} {on_host['steps']:5} {milliseconds(on_host):9.3f} {milliseconds(on_device):9.3f}  {most:.1e} ({column})"
          + ("" if same else "; OTHER BITS in a second run"), flush=True)
    return most < tolerance and same


def many_cells(corral, case, folder, options):
    for backend, steps in (("gpu", 100), ("cpu", 3)):
        _, summary = run_case(corral, case, folder / "many", "--backend", backend, *joined([*QUIET, *MANY, *options]), "--steps", str(steps))
        us = {name: 1e6 * seconds / steps for name, seconds in seconds_of_phases(summary).items()}
        print(f"64 red cells of 2,562 vertices in 128^3 cells of {case} on the {backend}, microseconds a step: {sum(us.values()):.0f}; "
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
        work = [lambda label=label, case=case, keys=keys: beside(asked.corral, label, case, folder, ["--steps", asked.steps, *joined([*QUIET, *keys])],
                                                                 1e-4 if label == "populations of floats" else 1e-6)
                for label, case, keys in CASES]
        if not asked.few:
            work.append(lambda: many_cells(asked.corral, LATTICE, folder, []))
            work.append(lambda: many_cells(asked.corral, INCOMPRESSIBLE, folder, INERTIA[:2]))
        return status_of(work)


if __name__ == "__main__":
    sys.exit(main())
