"""tools/plot draws what a run left, says what it cannot draw, and draws the same columns for several runs; tools/picture
draws membranes to scale."""

import importlib.machinery
import importlib.util
import math
import struct
import subprocess
import sys
import unittest

from command import CASES, CaseTest, settings

TOOLS = CASES.parent / "tools"
PLOT = TOOLS / "plot"
sys.path.insert(0, str(TOOLS))  # where picture finds its own


def script(name):
    """A tool as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Plot(CaseTest):
    def plot(self, *words):
        return subprocess.run([sys.executable, PLOT, *map(str, words)], capture_output=True, text=True, check=False)

    def size(self, picture):
        data = picture.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", data[16:24])

    def test_plot(self):
        runs = [self.run_case("column", *settings(time__end="0.1", output__fields=0, output__parcels=0, solids__density=density),
                              name=f"of_{density}").directory for density in (2000, 3000)]
        done = self.plot(*runs)
        self.assertEqual(done.returncode, 0, done.stderr)
        picture = runs[0] / "plot.png"
        self.assertTrue(done.stdout.startswith(f"{picture}: "))
        drawn = done.stdout.split(": ")[1].split(", ")
        self.assertIn("velocity_z", drawn)
        self.assertLessEqual(len(drawn), 12)
        self.assertFalse({"dt", "maps", "mixture_residual", "pressure_iterations", "parcel_courant"} & set(drawn))
        whole = self.size(picture)
        done = self.plot("--columns", "velocity_z", "--output", self.directory / "one.png", "--to", 0.05, runs[1])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(self.size(self.directory / "one.png"), whole)

    def test_rows(self):
        """What steps have a mean of is drawn from the first one on; what there is at the start, from there."""
        plot = script("plot")
        run = self.run_case("column", *settings(time__end="0.05", output__fields=0, output__parcels=0))
        for name, first in (("pressure_drop", 0.01), ("theta_max", 0.01), ("centre_z", 0), ("weight", 0)):
            self.assertAlmostEqual(plot.rows_of(run, name)[0][0], first, places=9, msg=name)

    def test_refusals(self):
        run = self.run_case("column", *settings(time__end="0.02", output__fields=0, output__parcels=0)).directory
        for words, said in ((["--columns", "nothing", run], "no column nothing (there are"),
                            ([self.directory / "away"], "has a log.csv")):
            done = self.plot(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_damaged_tables(self):
        run = self.run_case("column", *settings(time__end="0.02", output__fields=0, output__parcels=0)).directory
        whole = {name: (run / name).read_bytes() for name in ("log.csv", "used.ini", "summary.json")}
        log = whole["log.csv"]
        for name, text in (("log.csv", b""), ("log.csv", log.replace(b",", b",x", 30)), ("log.csv", b"\xff\xfe" + log),
                           ("log.csv", log.replace(b"step", b"stop", 1)), ("log.csv", log.splitlines()[0]),
                           ("used.ini", whole["used.ini"] + b"nothing\n"), ("summary.json", whole["summary.json"][:99]),
                           ("summary.json", b"[1]")):
            with self.subTest(name, text=text[:40]):
                (run / name).write_bytes(text)
                done = self.plot(run)
                (run / name).write_bytes(whole[name])
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertNotIn("Traceback", done.stderr)


class Axes:
    """What is drawn on it."""

    def plot(self, x, _, **__):
        self.bar = x[1] - x[0]

    def annotate(self, text, *_, **__):
        self.text = text


class Picture(CaseTest):
    def test_membranes(self):
        """With a scale below the first moment, in the picture's own pixels."""
        run = self.run_case("red_cells_8", "--steps", 1).directory
        file = self.directory / "cells.png"
        picture, drawn = script("picture"), []
        scale, picture.draw_scale = picture.draw_scale, lambda *words, **more: drawn.append((words, more))
        picture.draw_run(run, file, [0])
        (axes, _, _, width), more = drawn[0]
        axes = Axes()
        scale(axes, 0, 0, width, **more)
        self.assertEqual(axes.text, "5 \N{MICRO SIGN}m")
        # A box of 20 um, seen over its edge by 28 degrees, and 2 % of its diagonal on both sides.
        shown = 20 * (math.cos(math.radians(28)) + math.sin(math.radians(28))) + 0.04 * 20 * math.sqrt(3)
        self.assertAlmostEqual(axes.bar / width * shown, 5, delta=0.4)


if __name__ == "__main__":
    unittest.main()
