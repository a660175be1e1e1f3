#!/usr/bin/env python3
"""corral's maps beside FINUFFT's: maps.py LIBCORRAL.so [--threads LIST] [--quick] [--json-file FILE]

Both get the same points and strengths in the same process and are timed in turn. FINUFFT spreads and interpolates
alone (spreadinterponly), in double, one complex number a point; corral two real columns and fields, and one. Where both
have the same kernel (exponential of semicircle) their results are compared before anything is timed. Needs finufft and
numpy; tools/peers installs them in build/peers. docs/peers.md says how to read the table.
"""

import argparse
import json
import sys
from pathlib import Path

import finufft
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
from corral_c import Library, Order
from measure import in_turn, markdown, median, milliseconds, provenance, ratio, thread_counts, times

# corral's kernel; its points; the tolerance at which FINUFFT takes as many; FINUFFT's kernel, 0: its default (prolate
# spheroidal wave functions), 1: exponential of semicircle; beta of the latter per point.
KERNELS = [
    ("linear", 2, 5e-2, 0, 0),
    ("peskin4", 4, 1e-3, 0, 0),
    ("exponential_semicircle6", 6, 1e-5, 1, 2.3),
    ("exponential_semicircle8", 8, 1e-7, 1, 2.3),
]
AGREE = {6: 3e-6, 8: 3e-7}  # the polynomials' errors of both, relative to the largest value
UPSAMPLING = 2.0  # what FINUFFT fits its kernel to; it changes no width here
GRIDS = [(128, 4_000_000), (64, 4_000_000)]  # cells an axis, points: 1.9 and 15 a cell
QUICK = [(64, 500_000)]


class Scene:
    """Points in [-pi, pi)^3, strengths and grids, which both libraries read and write."""

    def __init__(self, library, cells, points, placed):
        random = numpy.random.default_rng(1)
        self.library, self.cells, self.size = library, cells, points
        self.xyz = [random.uniform(-numpy.pi, numpy.pi, points) for _ in range(3)]
        if placed == "in cell order":
            order = self.order(threads=2)
            order.sort([x.ctypes.data for x in self.xyz], points)
            order.reorder([x.ctypes.data for x in self.xyz], points)
        self.real = [random.standard_normal(points) for _ in range(2)]
        self.strengths = self.real[0] + 1j * self.real[1]
        self.fields = [numpy.zeros((cells, cells, cells)) for _ in range(2)]
        self.read = [numpy.zeros(points) for _ in range(2)]
        self.grid = numpy.zeros((cells, cells, cells), complex)
        self.read_complex = numpy.zeros(points, complex)

    def order(self, threads):
        """FINUFFT's grid point i lies at -pi + i h, where our cells then have their centres."""
        spacing = 2 * numpy.pi / self.cells
        return Order(self.library, self.cells, -numpy.pi - spacing / 2, spacing, threads)

    def sort(self, order):
        if order.sort([x.ctypes.data for x in self.xyz], self.size) != self.size:
            raise RuntimeError("corral did not find all points inside")

    def spread(self, order, kernel, beta, fields):
        for field in self.fields[:fields]:
            field.fill(0)  # FINUFFT overwrites, corral adds
        order.map("spread", kernel, beta, [c.ctypes.data for c in self.real[:fields]],
                  [f.ctypes.data for f in self.fields[:fields]], self.size)

    def interpolate(self, order, kernel, beta, fields):
        order.map("interpolate", kernel, beta, [c.ctypes.data for c in self.read[:fields]],
                  [f.ctypes.data for f in self.fields[:fields]], self.size)

    def plan(self, type_, tolerance, formula, threads):
        return finufft.Plan(type_, self.grid.shape, 1, eps=tolerance, spreadinterponly=1, upsampfac=UPSAMPLING,
                            spread_kerformula=formula, nthreads=threads)

    def set_points(self, plan):
        plan.setpts(self.xyz[2], self.xyz[1], self.xyz[0])  # x is our fastest axis, and FINUFFT's slowest


def mismatch(found, expected):
    return float(numpy.abs(found - expected).max() / numpy.abs(expected).max())


def compare(scene, calls, width, same):
    """Both libraries' results once, before anything is timed; their mismatch where the kernel is the same."""
    calls["FINUFFT spread"]()
    calls["corral spread 2"]()
    ours = scene.fields[0] + 1j * scene.fields[1]
    if not same:  # kernels that sum to 1 keep the total
        total = abs(ours.sum() - scene.strengths.sum()) / numpy.abs(scene.strengths).sum()
        if total > 1e-12:
            raise RuntimeError(f"corral's spread lost {total:.1e} of the strengths")
        for part, field in zip((scene.grid.real, scene.grid.imag), scene.fields):
            field[:] = part
        return None
    spread = mismatch(ours, scene.grid)
    for part, field in zip((scene.grid.real, scene.grid.imag), scene.fields):
        field[:] = part  # both read the same grid
    calls["FINUFFT interpolate"]()
    calls["corral interpolate 2"]()
    read = mismatch(scene.read[0] + 1j * scene.read[1], scene.read_complex)
    if max(spread, read) > AGREE[width]:
        raise RuntimeError(f"corral and FINUFFT disagree at {width} points: {spread:.1e} spread, {read:.1e} read")
    return max(spread, read)


def measure_maps(scene, order, kernel, threads, repeats):
    name, width, tolerance, formula, beta_per_point = kernel
    beta = width * beta_per_point
    to_grid, to_points = (scene.plan(type_, tolerance, formula, threads) for type_ in (1, 2))
    scene.set_points(to_grid)
    scene.set_points(to_points)
    calls = {
        "FINUFFT spread": lambda: to_grid.execute(scene.strengths, out=scene.grid),
        "corral spread 2": lambda: scene.spread(order, name, beta, 2),
        "corral spread 1": lambda: scene.spread(order, name, beta, 1),
        "FINUFFT interpolate": lambda: to_points.execute(scene.grid, out=scene.read_complex),
        "corral interpolate 2": lambda: scene.interpolate(order, name, beta, 2),
        "corral interpolate 1": lambda: scene.interpolate(order, name, beta, 1),
    }
    disagreement = compare(scene, calls, width, formula == 1)
    seconds = in_turn(calls, repeats, threads)
    return [{"map": map_, "kernel": name, "width": width, "same_kernel": formula == 1, "disagreement": disagreement,
             "finufft": seconds[f"FINUFFT {map_}"], "corral": seconds[f"corral {map_} 2"],
             "corral_one_field": seconds[f"corral {map_} 1"]} for map_ in ("spread", "interpolate")]


def measure_scene(library, cells, points, placed, counts, repeats):
    scene, rows = Scene(library, cells, points, placed), []
    for threads in counts:
        order = scene.order(threads)
        plan = scene.plan(1, 1e-3, 0, threads)
        sorts = {"finufft": lambda: scene.set_points(plan), "corral": lambda: scene.sort(order)}
        seconds = in_turn(sorts, repeats, threads)
        found = [{"map": "sort", "kernel": None, "width": None, "same_kernel": None, **seconds}]
        for kernel in KERNELS:
            found += measure_maps(scene, order, kernel, threads, repeats)
        for row in found:
            row.update(cells=cells, points=points, placed=placed, threads=threads)
        rows += found
        print(f"{cells}^3 cells, {points} points {placed}, {threads} threads: done", file=sys.stderr)
    return rows


def kernel_words(row):
    if row["map"] == "sort":
        return "any"
    if row["same_kernel"]:
        return f"the same, {row['width']} points"
    return f"{row['kernel']}; {row['width']} points"


def with_sums(rows):
    """The rows, and behind each interpolation what a sort, a spread and an interpolation take together."""
    found, parts = [], {}
    for row in rows:
        found.append(row)
        parts[row["map"]] = row  # a sort comes before the maps that it serves, a spread before its interpolation
        if row["map"] == "interpolate":
            sums = {name: [sum(median(parts[map_][name]) for map_ in ("sort", "spread", "interpolate"))]
                    for name in ("finufft", "corral")}
            found.append({**row, "map": "all three", "corral_one_field": [], **sums})
    return found


def table(rows):
    """A row for each map and kernel; all numbers of threads side by side."""
    lines, heads = {}, ["cells, points", "map", "kernel"]
    for row in with_sums(rows):
        line = lines.setdefault((row["cells"], row["placed"], row["map"], row["kernel"]), [
            f"{row['cells']}^3, {row['placed']}", row["map"], kernel_words(row)])
        line += [milliseconds(row["finufft"]), milliseconds(row["corral"]), times(ratio(row["finufft"], row["corral"])),
                 milliseconds(row["corral_one_field"]) if row.get("corral_one_field") else ""]
    for threads in dict.fromkeys(row["threads"] for row in rows):
        clock = "1 thread, processor" if threads == 1 else f"{threads} threads, wall"
        heads += [f"{clock}: FINUFFT ms", "corral ms", "ratio", "corral, one field"]
    return markdown(heads, lines.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--threads", type=thread_counts, default=[1, 2])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json-file", type=Path)
    options = parser.parse_args()
    library, rows = Library(options.library), []
    heading = provenance(Path(__file__).resolve().parents[2],
                         [f"FINUFFT {finufft.__version__} (wheel of PyPI)", f"numpy {numpy.__version__}"])
    for cells, points in QUICK if options.quick else GRIDS:
        for placed in ("in no order", "in cell order"):
            rows += measure_scene(library, cells, points, placed, options.threads, 3 if options.quick else 5)
    if options.json_file:
        options.json_file.write_text(json.dumps(rows, indent=1))
    counts = ", ".join(sorted({f"{row['points']:,} points on {row['cells']}^3" for row in rows}))
    agree = max(row.get("disagreement") or 0 for row in rows)
    print(f"## FINUFFT\n{heading}\n- {counts}; double; where kernels are the same, results differ by {agree:.1e} at "
          f"most\n\n{table(rows)}")


if __name__ == "__main__":
    main()
