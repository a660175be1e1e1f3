#!/usr/bin/env python3
"""Draws squirmers in their box, where they point, and the way that each has come: picture.py OUTPUT_DIRECTORY FILE.png [TIME [s]].
Those that are nearer to the eye are darker. Needs numpy and matplotlib."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Run, VtkFile


def assemblies(file, edges):
    """(middles in the box, axes, ways) of all assemblies."""
    of = np.array(file.values("assembly"), int)
    count = np.bincount(of)

    def mean(name):
        values = np.array(file.values(name))
        return np.stack([np.bincount(of, values[:, d]) for d in range(3)], axis=1) / count[:, None]

    return mean("Points") % edges, mean("axis"), mean("displacement")


results, picture = Path(sys.argv[1]), sys.argv[2]
run = Run(results)
edges = 1e6 * np.array(run.settings.reals("box.size"))
radius = 1e6 * run.settings.real("group.swimmers.shell_radius")
files = [VtkFile(path) for path in run.files("beads", 2)]
until = float(sys.argv[3]) if len(sys.argv) > 3 else files[-1].time
files = [f for f in files if f.time <= until + 1e-9]
places, axes_of, _ = assemblies(files[-1], edges)
places = places * 1e6 % edges
figure, panel = plt.subplots(figsize=(6.4, 6.2), dpi=90, layout="constrained")
ways = np.array([assemblies(f, edges)[2] for f in files]) * 1e6
for k in np.argsort(places[:, 2]):
    x, y, z = places[k]
    way = places[k] + ways[:, k] - ways[-1, k]
    panel.plot(way[:, 0], way[:, 1], color="0.6", linewidth=0.7, zorder=1)
    shade = 0.9 - 0.5 * z / edges[2]
    panel.add_patch(plt.Circle((x, y), radius, facecolor=plt.cm.YlGnBu(1 - shade), edgecolor="0.2", linewidth=0.7, zorder=2 + z / edges[2]))
    e = radius * axes_of[k]
    panel.annotate("", (x + 0.9 * e[0], y + 0.9 * e[1]), (x - 0.6 * e[0], y - 0.6 * e[1]), zorder=4,
                   arrowprops={"arrowstyle": "-|>", "color": "crimson", "linewidth": 1.2})
panel.set(title=f"{files[-1].time:.3g} s", xlabel="x [um]", ylabel="y [um]", xlim=(0, edges[0]), ylim=(0, edges[1]), aspect="equal")
figure.savefig(picture, pil_kwargs={"optimize": True})
