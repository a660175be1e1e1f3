#!/usr/bin/env python3
"""Runs rigid bodies in a lattice fluid on a CUDA device beside the same on the CPU: body_cases.py CORRAL [--steps N]

A line each: milliseconds a step on either, and how far log.csv is apart after some steps. Then 64 free spheres of 16 cells to a
diameter in 128 cells each way, with microseconds a step by phases. Ends with status 1 where logs differ by more than round-off.
tools/gpu calls it; tests/cases/device_bodies.py compares more closely, emulated.
"""

import sys

from beside import large, main

QUIET = ["output.fields=0", "output.points=0", "output.bodies=0"]
TO_THE_FLOOR = ["bodies.one.position=50, 9, 50 mm"]
CASES = [
    ("held", "cylinder_20", ["output.log=0.25 s"]),
    ("held by several passes", "cylinder_20", ["output.log=0.25 s", "forcing.scheme=multi_direct"]),
    ("moved", "moving_cylinder", ["output.log=62.5 ms"]),
    ("falling", "falling_sphere", ["output.log=6 ms"]),
    ("near the floor", "falling_sphere", ["output.log=6 ms", *TO_THE_FLOOR]),
    ("in floats", "falling_sphere", ["output.log=6 ms", "lattice.precision=float"]),
]
MANY = """
[case]
driver = body
[grid]
cells = 128, 128, 128
size = 128, 128, 128 mm
[sides]
x_low = periodic
x_high = periodic
y_low = periodic
y_high = periodic
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 100 cP
[forces]
gravity = 0, -1, 0 m/s2
[shape.sphere]
shape = sphere
radius = 8 mm
[bodies.many]
arrangement = lattice
lattice = 4, 4, 4
motion = free
density = 1100 kg/m3
[time]
dt = 1 ms
end = 1 s
[output]
fields = 0
points = 0
log = 10 ms
"""


def many_spheres(corral, folder):
    case = folder / "case"
    case.mkdir()
    (case / "case.ini").write_text(MANY, encoding="utf-8")
    return large(corral, case, folder, "64 spheres of 16 cells in 128^3 cells")


if __name__ == "__main__":
    sys.exit(main("rigid bodies on a device beside the CPU", CASES, QUIET, [many_spheres]))
