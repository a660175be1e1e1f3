#!/usr/bin/env python3
"""Draws the vorticity behind a cylinder: picture.py [OUTPUT_DIRECTORY] [FILE.png]. Needs numpy and matplotlib."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Run
from cylinders import Cylinder

results = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "out"
picture = sys.argv[2] if len(sys.argv) > 2 else results / "vorticity.png"
run = Run(results)
c, s = Cylinder(run), run.settings
nx, ny = (int(n) for n in s.reals("grid.cells")[:2])
u = np.array(run.last_fields().values("velocity")).reshape(ny, nx, 3)
vorticity = (np.gradient(u[:, :, 1], c.spacing, axis=1) - np.gradient(u[:, :, 0], c.spacing, axis=0)) * c.time
(body,) = s.blocks("bodies")
x0, y0 = s.reals(f"bodies.{body}.position")[:2]
ends = [-x0 / c.diameter, (nx * c.spacing - x0) / c.diameter, -y0 / c.diameter, (ny * c.spacing - y0) / c.diameter]
figure, axes = plt.subplots(figsize=(9, 3.2), dpi=110)
shown = axes.imshow(vorticity, origin="lower", extent=ends, cmap="RdBu_r", vmin=-3, vmax=3, interpolation="bilinear")
axes.add_patch(plt.Circle((0, 0), 0.5, color="0.35"))
axes.set(xlim=(-2.5, 22), ylim=(-4, 4), xlabel="x/D", ylabel="y/D")
figure.colorbar(shown, label="vorticity D/U", shrink=0.62)
figure.tight_layout()
figure.savefig(picture)
