"""Each shipped case's check says what a run lacks that is too short for it, or without output, and ends with a verdict."""

import re
import subprocess
import sys
import unittest

from case_files import Run, Settings
from command import CASES, THOROUGH, CaseTest, settings

SHIPPED = sorted(path.parent.name for path in CASES.glob("*/case.ini"))
LACKS = re.compile(r"ends at .* s \(this check needs .* s\) let it go on: corral resume CASE|"
                   r"\(this check reads \d or more; output\.|has the start alone \(output.log is .*, this check needs .* s\)|has no row \(output\.log is 0|"
                   r"no values \(the run has nothing in the interval|no plateau below")
VERDICT = re.compile(r"all \d+ checks hold|1 of \d+ checks fails: .+|\d+ of \d+ checks fail: .+")


class Checks(CaseTest):
    def said(self, case, run):
        done = subprocess.run([sys.executable, CASES / case / "check.py", run], capture_output=True, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr, done.stderr)
        if done.stderr:
            self.assertRegex(done.stderr, LACKS)
            self.assertEqual(done.returncode, 1)
        else:
            last = done.stdout.splitlines()[-1]
            self.assertRegex(last, VERDICT)
            self.assertEqual(done.returncode, 0 if last.startswith("all") else 1)
        return done.stdout + done.stderr

    def test_short_runs_and_no_files(self):
        for case in SHIPPED if THOROUGH else SHIPPED[::2]:
            with self.subTest(case=case):
                two = self.run_case(case, "--steps", 2, name=f"{case}_two")
                said = self.said(case, two.directory)
                if needs := re.search(r"this check needs (\S+) s", said):  # which the case as it is shipped has
                    self.assertLessEqual(float(needs[1]), two.settings.real("time.end"))
                self.no_files(case, two.directory)

    def no_files(self, case, run):
        """As if the run had come to its end by then, and had written no files."""
        used = run / "used.ini"
        end = Run(run).times()[-1]
        used.write_text(re.sub(r"(?m)^end = .*", f"end = {end} s", used.read_text(encoding="utf-8"), count=1), encoding="utf-8")
        self.said(case, run)
        for file in run.glob("*.vt[ip]"):
            file.unlink()
        self.said(case, run)

    def test_no_rows(self):
        run = self.directory / "out"
        self.run_case("packed_bed", *settings(time__end=0.01), name="out")
        rows = (run / "log.csv").read_text(encoding="utf-8").splitlines()
        (run / "log.csv").write_text(rows[0] + "\n", encoding="utf-8")
        self.assertIn("has no row", self.said("packed_bed", run))

    def test_verdicts(self):
        run = self.run_case("packed_bed").directory
        self.assertIn("all 2 checks hold", self.said("packed_bed", run))
        self.assertEqual(Settings(run / "used.ini").real("time.end"), 0.2)
        log = run / "log.csv"
        lines = log.read_text(encoding="utf-8").splitlines()
        place, last = lines[0].split(",").index("pressure_drop"), lines[-1].split(",")
        last[place] = str(2 * float(last[place]))
        log.write_text("\n".join([*lines[:-1], ",".join(last)]) + "\n", encoding="utf-8")
        self.assertIn("2 of 2 checks fail: pressure drop [Pa]; half-way through the run [Pa]", self.said("packed_bed", run))


if __name__ == "__main__":
    unittest.main()
