#!/usr/bin/env python3
"""Draws a drop that falls, from the side and from below, at four moments or those given:
picture.py OUTPUT_DIRECTORY FILE.png [TIME [s]...]. Needs numpy and matplotlib."""

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
radius = run.settings.real("group.drop.ball_radius")
files = [VtkFile(path) for path in run.files("beads", 2)]
times = [float(t) for t in sys.argv[3:]] or [files[-1].time * share for share in (0, 1 / 3, 2 / 3, 1)]
speed = abs(run.column("velocity_z")[0])
figure, panels = plt.subplots(2, len(times), figsize=(2.4 * len(times) + 0.3, 7), dpi=90, sharex=True, layout="constrained",
                              height_ratios=[2.2, 1], squeeze=False)
for (side, below), time in zip(panels.T, times):
    file = min(files, key=lambda f: abs(f.time - time))
    x = np.array(file.values("Points")).reshape(-1, 3) / radius
    x -= np.median(x, axis=0)
    inside = np.abs(x[:, 2]) < 3  # of the tail nothing
    side.scatter(x[:, 0], x[:, 2], s=1.2, c="0.15", linewidths=0)
    below.scatter(x[inside, 0], x[inside, 1], s=1.2, c="0.15", linewidths=0)
    side.set(title=f"{file.time * speed / radius:.0f} R/V", xlim=(-2, 2), ylim=(-2, 6.8), aspect="equal")
    below.set(xlabel="x/R", xlim=(-2, 2), ylim=(-2, 2), aspect="equal")
panels[0][0].set_ylabel("height/R")
panels[1][0].set_ylabel("y/R, from below")
figure.savefig(picture, pil_kwargs={"optimize": True})
