"""Runs the command on shipped and made-up cases, in directories of their own.

Needs the environment of the tests: CORRAL is the command, and PYTHONPATH leads to cases/.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from case_files import Run

TESTS = Path(__file__).resolve().parent
CASES = TESTS.parents[1] / "cases"
CORRAL = os.environ["CORRAL"]
LONG = os.environ.get("LONG") == "1"
THOROUGH = LONG or os.environ.get("THOROUGH") == "1" # tools/test all


def some(rows):
    """Every second of them, and with THOROUGH=1 all."""
    return rows if THOROUGH else rows[::2]


def corral(*arguments):
    """The finished command: returncode, stdout, stderr."""
    return subprocess.run([CORRAL, *map(str, arguments)], capture_output=True, text=True, check=False)


def settings(**keys):
    """--set options; a double underscore stands for the point: solids__drag="ergun"."""
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


def results(output):
    """Bytes of all that a run wrote, but of summary.json and checkpoints."""
    return {str(p.relative_to(output)): p.read_bytes() for p in sorted(output.rglob("*"))
            if p.is_file() and p.name != "summary.json" and "checkpoint" not in p.relative_to(output).parts}


class CaseTest(unittest.TestCase):
    """A test with a directory that lives as long as it."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="corral-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def run_case(self, case, *options, name="out"):
        """Runs the case (the name of a shipped one, or a directory) to its end, and reads its output."""
        directory = CASES / case if isinstance(case, str) else case
        output = self.directory / name
        done = corral("run", directory, "--quiet", "--output", output, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return Run(output)

    def write_case(self, text, name="case"):
        directory = self.directory / name
        directory.mkdir()
        (directory / "case.ini").write_text(text, encoding="utf-8")
        return directory

    def check(self, case, run, *arguments):
        """The shipped case's own check of a run."""
        script = CASES / case / "check.py"
        done = subprocess.run([sys.executable, script, run.directory, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def judge_many(self, case, script, *options):
        """A script of the shipped case, which runs it several times, in directories out_NAME."""
        done = subprocess.run([sys.executable, CASES / case / script, self.directory, *options], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_same_results(self, one, other):
        """The same bytes in the same files."""
        one, other = results(one), results(other)
        self.assertEqual(sorted(one), sorted(other))
        self.assertEqual([name for name in one if one[name] != other[name]], [])

    def assert_same_however_run(self, run, case, *options, cut, threads=(2, 3)):
        """The bytes of a run on other numbers of threads, and cut after so many steps and resumed."""
        directory = CASES / case if isinstance(case, str) else case
        for number in threads:
            self.run_case(case, *options, "--threads", number, name=f"{run.directory.name}_{number}")
            self.assert_same_results(run.directory, self.directory / f"{run.directory.name}_{number}")
        output = self.directory / f"{run.directory.name}_cut"
        self.run_case(case, *options, "--threads", 2, "--steps", cut, name=output.name)
        done = corral("resume", directory, "--quiet", "--output", output, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_same_results(run.directory, output)

    def assert_books(self, run):
        """Parcels created = inside + left + rejected in every row."""
        log = run.log
        for created, inside, left, rejected in zip(log["created"], log["parcels"], log["left"], log["rejected"]):
            self.assertEqual(created, inside + left + rejected)

    def assert_balances(self, run, momentum=1e-12):
        """Momentum and the mixture's volume, in every step."""
        self.assertLessEqual(max(run.log["momentum_residual"]), momentum)
        # What the solver updates and what is measured from the fluxes differ by round-off alone.
        self.assertLessEqual(max(run.log["mixture_residual"]), 1.01 * run.settings.real("gas.tolerance"))
