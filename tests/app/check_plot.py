"""tools/plot draws what a run left, says what it cannot draw, and draws the same columns for several runs."""

import struct
import subprocess
import sys
import unittest

from command import CASES, CaseTest, settings

PLOT = CASES.parent / "tools" / "plot"


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
        whole = self.size(picture)
        done = self.plot("--columns", "velocity_z", "--output", self.directory / "one.png", "--to", 0.05, runs[1])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(self.size(self.directory / "one.png"), whole)

    def test_refusals(self):
        run = self.run_case("column", *settings(time__end="0.02", output__fields=0, output__parcels=0)).directory
        for words, said in ((["--columns", "nothing", run], "no column nothing (there are"),
                            ([self.directory / "away"], "has a log.csv")):
            done = self.plot(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
