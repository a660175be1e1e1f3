"""A run that goes on with another [output] writes what that asks for, and comes to the same."""

import re
import unittest

from command import corral, settings
from cut_runs import ResumeTest
from threads import MEMBRANES, PATH


class OtherOutputs(ResumeTest):
    """What a run writes may change where it goes on; what it comes to does not."""

    def rows(self, file):
        with file.open(encoding="utf-8") as text:
            header, *rows = text.read().splitlines()
        return header.split(","), [row.split(",") for row in rows]

    def steps(self, file):
        return [int(row[0]) for row in self.rows(file)[1]]

    def test_intervals(self):
        """Due is what is a multiple of the new interval, and nothing twice; an interval that stays is kept to."""
        case, keys = self.small()
        whole, cut = self.directory / "whole", self.directory / "cut"
        others = settings(output__log="5e-3", output__fields="0.03", output__parcels="0.02", output__format="vtk")
        self.run_into(whole, case, *keys[:2], *others)
        self.run_into(cut, case, *keys, "--steps", 40)
        at = float(self.rows(cut / "log.csv")[1][-1][1])
        before = self.steps(cut / "log.csv")
        self.run_into(cut, case, *others, command="resume")
        times = [float(row[1]) for row in self.rows(cut / "log.csv")[1]]
        self.assertEqual(self.steps(cut / "log.csv")[:len(before)], before)
        later = [row for row in self.rows(whole / "log.csv")[1] if float(row[1]) > at]
        self.assertEqual([row[:2] for row in self.rows(cut / "log.csv")[1]][len(before):], [row[:2] for row in later])
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual((cut / "parcels_000006.vtp").read_bytes(), (whole / "parcels_000006.vtp").read_bytes())
        self.assertEqual(len(list(cut.glob("openpmd_*.h5"))), 5)  # those of the first part
        fields = re.findall(r'timestep="(\S+)"', (cut / "fields.pvd").read_text())
        self.assertEqual([round(float(t), 3) for t in fields], [0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.09, 0.12])

    def test_audit(self):
        """Other columns begin another log.csv, and the one before stays whole, also where the run is cut before its next
        checkpoint; without the audit again, the rows go on where they were."""
        case, keys = self.small(checkpoint__at_end="false", checkpoint__steps=40)
        whole, cut = self.directory / "whole", self.directory / "cut"
        self.run_into(whole, case, *keys)
        self.run_into(cut, case, *keys, "--steps", 50)
        audit = settings(output__audit="true")
        done = corral("resume", case, "--output", cut, *audit, "--steps", 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("log.csv has other columns from here on: what was before is in log_000000000040.csv\n", done.stdout)
        left = cut / "log_000000000040.csv"
        self.assertEqual(self.steps(left), list(range(0, 41, 2)))
        self.assertEqual(self.steps(cut / "log.csv"), list(range(42, 61, 2)))
        columns, rows = self.rows(cut / "log.csv")
        residuals = [float(row[columns.index("energy_residual")]) for row in rows]
        self.assertTrue(0 < max(residuals) < 1e-9, residuals)
        self.run_into(cut, case, *audit, "--steps", 60, command="resume")  # it came to no checkpoint: once more
        self.assertEqual(self.steps(left), list(range(0, 41, 2)))
        self.assertEqual(self.steps(cut / "log.csv"), list(range(42, 61, 2)))
        self.run_into(cut, case, *settings(output__audit=""), command="resume")
        self.assert_same_results(whole, cut)
        self.run_into(cut, case, *audit, *settings(time__end="0.14"), command="resume")
        self.assertEqual((cut / "log_000000000120.csv").read_bytes(), (whole / "log.csv").read_bytes())
        self.run_into(cut, case, *keys, "--overwrite")
        self.assertEqual(sorted(cut.glob("log*")), [cut / "log.csv"])

    def test_tables(self):
        """A table may begin, stop and go on."""
        case = self.write_case(MEMBRANES)
        (case / "path.csv").write_text(PATH, encoding="utf-8")
        cut, other = self.directory / "cut", self.directory / "other"
        each = settings(output__cells="1e-12")
        self.run_into(cut, case, "--steps", 2, *settings(output__cells="0"))
        self.assertFalse((cut / "cells.csv").exists())
        for until, keys in ((4, each), (6, settings(output__cells="0")), (8, each)):
            self.run_into(cut, case, "--steps", until, *keys, command="resume")
        self.assertEqual(sorted(set(self.steps(cut / "cells.csv"))), [3, 4, 7, 8])
        self.run_into(other, case, "--steps", 8, *each)
        last = [row for row in self.rows(other / "cells.csv")[1] if row[0] == "8"]
        self.assertEqual([row for row in self.rows(cut / "cells.csv")[1] if row[0] == "8"], last)


if __name__ == "__main__":
    unittest.main(verbosity=2)
