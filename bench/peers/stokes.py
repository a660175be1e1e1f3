#!/usr/bin/env python3
"""corral's sums of Stokes flow beside sums whose far field is FINUFFT's: stokes.py CORRAL [--quick] [--json-file FILE]

`corral bench --suite stokes` measures corral's parts; FINUFFT then does the same far field, on as many threads: strengths
to modes (type 1, three at once), and modes to velocities (type 2), for corral's xi and tolerance and the least modes that
serve, on the grid and with the window that FINUFFT takes for them. What multiplies modes is numpy here and counts for
nothing. Before anything is timed its far field is compared with a sum over modes. A whole sum is that far field, or
corral's, and corral's near field. Needs finufft and numpy; tools/peers installs them in build/peers.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import finufft
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import in_turn, markdown, median, provenance, times

POINTS, QUICK = [100_000, 1_000_000], [10_000]
SHARE = 0.55  # of the tolerance, for each of near field, far field and window, as in stokes/accuracy


def modes_needed(xi, tolerance):
    """Along an axis of a box of 1 m: below them exp(-k^2/(4 xi^2)) is not negligible, by the paper's estimate."""
    highest = 2 * xi * math.sqrt(math.log(4 / (math.sqrt(3) * math.pi * SHARE * tolerance)))
    return 2 * (math.ceil(highest / (2 * math.pi)) + 1)


class FarField:
    """Stokeslets in a box of 1 m: the sum over modes of 8 pi (1 + g) exp(-g)/k^4 (k^2 f - k (k.f)), g = k^2/(4 xi^2)."""

    def __init__(self, points, xi, tolerance, threads):
        random = numpy.random.default_rng(1)
        self.xyz = [random.uniform(0, 1, points) for _ in range(3)]
        self.forces = random.uniform(-0.5, 0.5, (3, points)).astype(complex)
        self.modes = modes_needed(xi, tolerance)
        shape = (self.modes,) * 3
        self.to_modes, self.to_points = (finufft.Plan(type_, shape, 3, eps=max(SHARE * tolerance, 1e-14), isign=sign,
                                                      nthreads=threads) for type_, sign in ((1, -1), (2, 1)))
        self.amplitudes = numpy.zeros((3, *shape), complex)
        self.velocities = numpy.zeros((3, points), complex)
        m = numpy.arange(-(self.modes // 2), (self.modes + 1) // 2) * 2 * math.pi
        self.k = numpy.stack(numpy.meshgrid(m, m, m, indexing="ij"))
        square = (self.k**2).sum(0)
        square[(self.modes // 2,) * 3] = 1
        g = square / (4 * xi**2)
        self.flow = 8 * math.pi * (1 + g) * numpy.exp(-g) / square**2
        self.flow[(self.modes // 2,) * 3] = 0
        self.square = square

    def set_points(self):
        for plan in (self.to_modes, self.to_points):
            plan.setpts(*(2 * math.pi * x for x in self.xyz))

    def to(self):
        self.to_modes.execute(self.forces, out=self.amplitudes)

    def multiply(self):
        along = (self.k * self.amplitudes).sum(0)
        self.amplitudes = self.flow * (self.square * self.amplitudes - self.k * along)

    def back(self):
        self.to_points.execute(self.amplitudes, out=self.velocities)


def compare():
    """FINUFFT's far field of few points beside the sum over modes itself."""
    far = FarField(50, 10.0, 1e-9, 1)
    for call in (far.set_points, far.to, far.multiply, far.back):
        call()
    k = far.k.reshape(3, -1)
    phase = numpy.exp(-1j * numpy.tensordot(k, numpy.array(far.xyz), (0, 0)))
    amplitudes = far.forces @ phase.T
    along = (k * amplitudes).sum(0)
    amplitudes = far.flow.ravel() * (far.square.ravel() * amplitudes - k * along)
    right = (amplitudes @ phase.conj()).real
    off = float(numpy.abs(far.velocities.real - right).max() / numpy.abs(right).max())
    if off > 1e-7:
        raise RuntimeError(f"FINUFFT's far field and the sum over modes differ by {off:.1e}")
    return off


def corral_rows(corral, points, repeats):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([corral, "bench", "--suite", "stokes", "--particles", str(points), "--repeats", str(repeats),
                        "--json-file", file.name], check=True, stdout=subprocess.DEVNULL)
        return json.loads(Path(file.name).read_text())


def measure(row, repeats):
    far = FarField(row["points"], row["xi"], row["tolerance"], row["threads"])
    far.set_points()
    seconds = in_turn({"points": far.set_points, "to": far.to, "back": far.back}, repeats, row["threads"])
    parts = row["parts"]
    peer = sum(median(s) for s in seconds.values())
    ours = parts["sort"] + parts["spread"] + parts["transform"] + parts["interpolate"]
    print(f"{row['points']} points, {row['tolerance']:g}, {row['threads']} threads: done", file=sys.stderr)
    return {**row, "finufft_modes": far.modes, "finufft": seconds, "finufft_far": peer, "corral_far": ours}


def table(rows):
    heads = ["points", "tolerance", "threads", "corral's grid, P", "FINUFFT's modes", "FINUFFT far field s", "corral's s",
             "ratio", "near field s", "whole sum, ratio"]
    lines = [[f"{row['points']:,}", f"{row['tolerance']:g}", str(row["threads"]), f"{row['modes'][0]}^3, {row['support']}",
              f"{row['finufft_modes']}^3", f"{row['finufft_far']:.3f}", f"{row['corral_far']:.3f}",
              times(row["finufft_far"] / row["corral_far"]), f"{row['parts']['near']:.3f}",
              times((row["finufft_far"] + row["parts"]["near"]) / (row["corral_far"] + row["parts"]["near"]))]
             for row in rows]
    return markdown(heads, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corral", type=Path)
    parser.add_argument("--threads", default="1,2", help=argparse.SUPPRESS)  # the suite's own are 1 and 2
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json-file", type=Path)
    options = parser.parse_args()
    repeats = 1 if options.quick else 3
    wanted = {int(word) for word in options.threads.split(",")} & {1, min(2, os.cpu_count() or 1)}
    heading = provenance(Path(__file__).resolve().parents[2],
                         [f"FINUFFT {finufft.__version__} (wheel of PyPI)", f"numpy {numpy.__version__}"])
    off, rows = compare(), []
    for points in QUICK if options.quick else POINTS:
        rows += [measure(row, repeats) for row in corral_rows(options.corral, points, repeats) if row["threads"] in wanted]
    if options.json_file:
        options.json_file.write_text(json.dumps(rows, indent=1))
    print(f"## Stokes sums with FINUFFT's far field\n{heading}\n- stokeslets, velocities; FINUFFT's far field and a sum over "
          f"modes differ by {off:.1e}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
