#!/usr/bin/env python3
"""Draws spheres that fall in a tank, and the vorticity in the plane through its middle, at three moments or those given:
picture.py OUTPUT_DIRECTORY FILE.png [TIME [s]...]. Needs numpy and matplotlib."""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Run, VtkFile

results, picture = Path(sys.argv[1]), sys.argv[2]
run = Run(results)
s = run.settings
(nx, ny, nz), size = (int(n) for n in s.reals("grid.cells")), s.reals("grid.size")
radius, h = s.real(f"shape.{s.blocks('shape')[0]}.radius"), size[0] / nx
files = [VtkFile(path) for path in run.files("fields", 2)]
times = [float(t) for t in sys.argv[3:]] or [files[-1].time * share for share in (1 / 3, 2 / 3, 1)]
with open(results / "bodies.csv", newline="", encoding="utf-8") as file:
    bodies = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
speed = max(abs(v) for v in run.log["velocity_y"])
unit = speed / (2 * radius)
figure, panels = plt.subplots(1, len(times), figsize=(3 * len(times) + 0.9, 4.7), dpi=90, sharey=True, layout="constrained")
for axes, time in zip(np.atleast_1d(panels), times):
    field = min(files, key=lambda f: abs(f.time - time))
    u = np.array(field.values("velocity")).reshape(nz, ny, nx, 3)[nz // 2 - 1 : nz // 2 + 1].mean(axis=0)
    vorticity = (np.gradient(u[:, :, 1], h, axis=1) - np.gradient(u[:, :, 0], h, axis=0)) / unit
    shown = axes.imshow(vorticity, origin="lower", extent=[0, 1e3 * size[0], 0, 1e3 * size[1]], cmap="RdBu_r", vmin=-4, vmax=4,
                        interpolation="bicubic")
    nearest = min((row["time"] for row in bodies), key=lambda t: abs(t - field.time))
    for row in bodies:
        if row["time"] == nearest:
            axes.add_patch(plt.Circle((1e3 * row["centre_x"], 1e3 * row["centre_y"]), 1e3 * radius, facecolor="0.82", edgecolor="0.25"))
    axes.set(title=f"{field.time:.2g} s", xlabel="x [mm]")
np.atleast_1d(panels)[0].set_ylabel("height [mm]")
figure.colorbar(shown, ax=panels, label="vorticity D/V", shrink=0.7, aspect=30)
figure.savefig(picture, pil_kwargs={"optimize": True})
