#!/usr/bin/env python3
"""Runs cases whose lattice fluid moves on a CUDA device beside the same on the host: lattice_cases.py CORRAL

A line each: milliseconds a step on either, and how far log.csv is apart. Ends with
status 1 where that is beyond round-off. tools/gpu calls it; tests/cases/device_fluid.py compares byte for byte what is emulated.
"""

import sys
import tempfile
from pathlib import Path

from beside import Failed, apart, milliseconds, run_case, settings

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
