#!/usr/bin/env python3
"""Runs membranes in either fluid on a CUDA device beside the same on the CPU: membrane_cases.py CORRAL [--steps N]

A line each: milliseconds a step on either, and how far log.csv is apart after some steps. Then 64 red cells of 2,562
vertices in 128 cells each way, with microseconds a step by phases. Ends with status 1 where logs differ by more than round-off, or
where a second run on the device has other bits: cuFFT promises none.
tools/gpu calls it; tests/cases/device_membranes.py compares more closely, emulated.
"""

import sys

from beside import large, main, settings

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


def many_cells(case, *keys):
    return lambda corral, folder: large(corral, case, folder, f"64 red cells of 2,562 vertices in 128^3 cells of {case}",
                                        settings([*QUIET, *MANY, *keys]))


if __name__ == "__main__":
    sys.exit(main("membranes on a device beside the CPU", CASES, QUIET, [many_cells(LATTICE), many_cells(INCOMPRESSIBLE, *INERTIA[:2])],
                  twice=True))
