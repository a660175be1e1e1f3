"""Each shipped case's check says what a run lacks that is too short for it, or without output, and how to get it; or it
ends with a verdict."""

import re
import subprocess
import sys
import unittest

from case_files import Run, Settings
from command import CASES, THOROUGH, CaseTest, corral, settings

SHIPPED = sorted(path.parent.name for path in CASES.glob("*/case.ini"))
LACKS = re.compile(r"ends at .* s \(this check needs .* s\) let it go on: corral resume CASE|"
                   r"\(this check reads \d or more; output\..*\) run the case again|"
                   r"has the start alone \(output.log is .*, this check needs .* s\)|"
                   r"has no row \(output\.log is 0 s\) run the case again with --set output\.log=|"
                   r" from .* s on \(output\..*\) run the case again|"
                   r"has no column .* \(output.audit is false.*\) run the case again with --set output.audit=true|"
                   r"no values \(the run has nothing in the interval|no plateau below")
VERDICT = re.compile(r"all \d+ checks hold|1 of \d+ checks fails: .+|\d+ of \d+ checks fail: .+")


class Checks(CaseTest):
    def said(self, case, run):
        done = subprocess.run([sys.executable, CASES / case / "check.py", run], capture_output=True, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr, done.stderr)
        if done.stderr:
            self.assertRegex(done.stderr, LACKS)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
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

    def test_files_of_the_start_alone(self):
        """Two steps whose last row is repeated until the end, as of a run that wrote no file later than its start; and
        without the audit, whose columns some checks read."""
        for case in SHIPPED if THOROUGH else SHIPPED[1::2]:
            with self.subTest(case=case):
                audit = "audit = true" in (CASES / case / "case.ini").read_text(encoding="utf-8")
                two = self.run_case(case, "--steps", 2, *settings(output__log=1e-9, **({"output__audit": "false"} if audit else {})),
                                    name=f"{case}_long")
                log = two.directory / "log.csv"
                lines = log.read_text(encoding="utf-8").splitlines()
                place, last, end = lines[0].split(",").index("time"), lines[-1].split(","), two.settings.real("time.end")
                later = (",".join([*last[:place], repr(end * i / 40), *last[place + 1 :]]) for i in range(1, 41))
                log.write_text("\n".join([*lines, *later]) + "\n", encoding="utf-8")
                self.said(case, two.directory)

    def test_cures(self):
        """What a check says to set is what it needs."""
        run = self.directory / "out"
        for case, off in (("packed_bed", {"output__log": 0}), ("cooling_box", {"output__parcels": 0, "output__format": "openpmd"})):
            with self.subTest(case=case):
                cures = re.findall(r"--set (\S+)=(\S+)", self.found(case, run, off))
                self.assertTrue(cures)
                off.update((key.replace(".", "__"), value) for key, value in cures)
                self.assertRegex(self.found(case, run, off), r"all \d+ checks hold")

    def found(self, case, run, keys):
        done = corral("run", CASES / case, "--quiet", "--overwrite", "--output", run, *settings(**keys))
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.said(case, run)

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
