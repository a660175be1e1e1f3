#!/usr/bin/env python3
"""Runs rigid bodies in a lattice fluid on a CUDA device beside the same on the CPU: body_cases.py CORRAL [--steps N]

A line each: milliseconds a step on either, and how far log.csv is apart after some steps. Then 64 free spheres of 16 cells to a
diameter in 128 cells each way, with microseconds a step by phases. Ends with status 1 where logs differ by more than round-off.
tools/gpu calls it; tests/cases/device_bodies.py compares more closely, emulated.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from beside import milliseconds, run_case, seconds_of_phases, settings, status_of
from lattice_cases import apart

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


def beside(corral, label, case, folder, options, tolerance):
    """A line; False where something is wrong."""
    (host, on_host), (device, on_device) = (run_case(corral, case, folder / b, "--backend", b, *options) for b in ("cpu", "gpu"))
    most, column = apart(host, device)
    print(f"{label:26} {on_host['steps']:5} {milliseconds(on_host):9.3f} {milliseconds(on_device):9.3f}  {most:.1e} ({column})", flush=True)
    return most < tolerance


def many_spheres(corral, folder):
    case = folder / "case"
    case.mkdir()
    (case / "case.ini").write_text(MANY, encoding="utf-8")
    for backend, steps in (("gpu", 100), ("cpu", 3)):
        _, summary = run_case(corral, case, folder / "many", "--backend", backend, "--steps", str(steps))
        us = {name: 1e6 * seconds / steps for name, seconds in seconds_of_phases(summary).items()}
        print(f"64 spheres of 16 cells in 128^3 cells on the {backend}, microseconds a step: {sum(us.values()):.0f}; "
              + ", ".join(f"{name} {value:.0f}" for name, value in us.items()))
        print(f"  {summary['device_arrays_bytes' if backend == 'gpu' else 'arrays_bytes'] / 1e9:.2f} GB of arrays", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description="rigid bodies on a device beside the CPU")
    parser.add_argument("corral")
    parser.add_argument("--steps", default="40")
    parser.add_argument("--few", action="store_true", help="without the 64 spheres, for an emulated device")
    asked = parser.parse_args()
    print(f"{'bodies':26} {'steps':>5} {'CPU':>9} {'device':>9}  ms a step; largest difference in log.csv")
    with tempfile.TemporaryDirectory(prefix="corral-") as name:
        folder = Path(name)
        work = [lambda label=label, case=case, keys=keys: beside(asked.corral, label, case, folder, ["--steps", asked.steps, *settings([*QUIET, *keys])],
                                                                 1e-4 if label == "in floats" else 1e-6)
                for label, case, keys in CASES]
        if not asked.few:
            work.append(lambda: many_spheres(asked.corral, folder))
        return status_of(work)


if __name__ == "__main__":
    sys.exit(main())
