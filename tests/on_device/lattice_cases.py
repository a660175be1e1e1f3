#!/usr/bin/env python3
"""Runs cases whose lattice fluid moves on a CUDA device beside the same on the host: lattice_cases.py CORRAL

A line each: milliseconds a step on either, and how far log.csv is apart. Ends with
status 1 where that is beyond round-off. tools/gpu calls it; tests/cases/device_fluid.py compares byte for byte what is emulated.
"""

import sys
import tempfile
from pathlib import Path

from beside import Failed, milliseconds, run_case, settings

SPHERE = ["bodies.one.position=50, 9, 50 mm", "output.points=0", "output.fields=0"]
CASES = [
    ("cylinder_20", "cylinder_20", ["time.end=5 s", "output.fields=0", "output.points=0"]),
    ("cylinder_20, 9 million cells", "cylinder_20", ["grid.cells=4800, 1800, 1", "shape.cylinder.radius=5 mm", "time.dt=0.35 ms",
                                                     "time.end=35 ms", "output.log=3.5 ms", "output.fields=0", "output.points=0"]),
    ("falling_sphere", "falling_sphere", ["time.end=0.12 s", *SPHERE]),
    ("falling_sphere, 3 million cells", "falling_sphere", ["grid.cells=120, 192, 120", "time.dt=0.15 ms", "time.end=15 ms",
                                                           "output.log=1.5 ms", *SPHERE]),
    ("red_cell_lattice", "red_cell_lattice", ["time.end=0.25 ms", "output.fields=0", "output.vertices=0", "output.cells=0"]),
]


def apart(host, device):
    """The largest difference of a figure over the largest of its kind, parts of a vector together, and where. What sums over
    cells has the round-off of what cancels in them: of the momentum that the fluid could have, and of that in a step; and what books
    of energy miss has that of the elastic energy."""
    sizes = host.settings.reals("grid.size")
    momentum = host.settings.real("fluid.density") * sizes[0] * sizes[1] * sizes[2] * max(host.log["fluid_speed_max"])
    force = 1e-6 * momentum / host.settings.real("time.dt")
    worst = (0.0, "none")
    for column in host.log:
        stem = "stress" if column.startswith("stress") else column[:-2] if column[-2:] in ("_x", "_y", "_z") else column
        scale = max(abs(v) for name in host.log if name.startswith(stem) for v in host.log[name])
        scale = max(scale, {"momentum": momentum, "torque": force * max(sizes)}.get(stem, force if stem.endswith("force") else 0))
        scale = max([scale, *(host.log["elastic_energy"] if column == "energy_residual" else [])])
        for a, b in zip(host.log[column], device.log[column]):
            worst = max(worst, (abs(a - b) / scale if scale > 0 else abs(a - b), column))
    return worst


def main(corral):
    bad = False
    print(f"{'case':34} {'steps':>6} {'host':>9} {'device':>9}  ms a step; largest difference in log.csv")
    with tempfile.TemporaryDirectory(prefix="corral-") as folder:
        for name, case, keys in CASES:
            try:
                (host, on_host), (device, on_device) = (
                    run_case(corral, case, Path(folder) / p, *settings([*keys, f"lattice.processor={p}"])) for p in ("host", "device"))
            except Failed as failed:
                sys.exit(str(failed))
            most, column = apart(host, device)
            bad = bad or not most < 1e-8
            print(f"{name:34} {on_host['steps']:6} {milliseconds(on_host):9.3f} {milliseconds(on_device):9.3f}  {most:.1e} ({column})",
                  flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
