"""Hours of runs that are killed, interrupted, short of disk space and resumed with other numbers of threads: each ends
with the very bytes of the run that nobody disturbed. For SOAK_HOURS, or as long as six hours:

    ctest --test-dir build/ci -C long -R soak

SOAK_TALLY=FILE adds up sittings of fewer hours, each with chances of its own.
"""

import errno
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import CASES, CORRAL, results, settings
from cut_runs import ResumeTest, checkpoints

SECONDS = 3600 * float(os.environ.get("SOAK_HOURS", "6"))
TALLY = Path(os.environ["SOAK_TALLY"]) if "SOAK_TALLY" in os.environ else None
WHOLE_TAKES = 12.0  # seconds of an undisturbed run
PART_TAKES = 0.35  # of it, on average, until something happens
OFTEN = {"killed": 5, "interrupted": 3, "short of space": 2, "failing calls": 3, "undisturbed": 1}


class Soak(ResumeTest):
    def setUp(self):
        super().setUp()
        self.tally = self.read_tally()
        self.chance = random.Random(int(os.environ.get("SOAK_SEED", self.tally["sittings"] + 1)))
        self.happened = dict.fromkeys(OFTEN, 0)
        self.known, self.steps = {}, {}

    @staticmethod
    def read_tally():
        """What earlier sittings came to."""
        if TALLY and TALLY.is_file():
            return json.loads(TALLY.read_text())
        return {"sittings": 0, "hours": 0.0, "runs": 0, "parts": 0}

    def keys(self, case):
        return [case, "--quiet", "--steps", str(self.steps[case.name]), *settings(
            checkpoint__steps=max(self.steps[case.name] // 12, 1), checkpoint__keep=2)]

    def whole(self, case):
        """The hash of the undisturbed run, of so many steps that it takes its time."""
        if case.name not in self.known:
            self.steps[case.name] = 8
            took = self.timed(case)
            self.steps[case.name] = min(max(int(8 * WHOLE_TAKES / took), 8), 4000)
            self.timed(case)
            self.known[case.name] = self.hash(self.directory / "whole")
        return self.known[case.name]

    def timed(self, case):
        shutil.rmtree(self.directory / "whole", ignore_errors=True)
        began = time.monotonic()
        done = subprocess.run([CORRAL, "run", *self.keys(case), "--output", self.directory / "whole"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return time.monotonic() - began

    @staticmethod
    def hash(output):
        return hashlib.sha256(repr(sorted(results(output).items())).encode()).hexdigest()

    def part(self, case, output):
        """One start of the command, and what happens to it. Its exit status, and what it said."""
        resumed = (output / "checkpoint").exists() and checkpoints(output)
        words = [CORRAL, "resume" if resumed else "run", *self.keys(case), "--output", output,
                 "--threads", str(self.chance.randrange(1, 5)), *([] if resumed else ["--overwrite"])]
        what = self.chance.choices(list(OFTEN), list(OFTEN.values()))[0]
        environment = dict(os.environ)
        if what == "failing calls":
            environment.update(LD_PRELOAD=os.environ["FAIL_AT_LIBRARY"], FAIL_AT=str(self.chance.randrange(1, 400)),
                               FAIL_WITH=str(self.chance.choice((errno.ENOSPC, errno.EIO))))
            environment.update(self.chance.choice(({}, {"FAIL_ON": "1"}, {"FAIL_SHORT": "1"})))
        most = self.chance.randrange(20_000, 2_000_000) if what == "short of space" else resource.RLIM_INFINITY
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        limit = self.chance.expovariate(1 / (PART_TAKES * WHOLE_TAKES)) if what in ("killed", "interrupted") else None
        try:
            said = run.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL if what == "killed" else self.chance.choice((signal.SIGINT, signal.SIGTERM)))
            said = run.communicate()[1]
        self.happened[what] += 1
        return what, run.returncode, said

    def test_soak(self):
        cases = [ini.parent for ini in sorted(CASES.glob("*/case.ini"))]
        ends, finished = time.monotonic() + SECONDS, 0
        while time.monotonic() < ends:
            case = self.chance.choice(cases)
            whole, output = self.whole(case), self.directory / "soaked"
            status = None
            while status != 0:
                what, status, said = self.part(case, output)
                right = {"killed": (0, -signal.SIGKILL), "interrupted": (0, 3, -signal.SIGINT, -signal.SIGTERM),
                         "undisturbed": (0,)}.get(what, (0, 1, 2))
                # One that was killed before its first checkpoint leaves nothing to go on from.
                self.assertIn(status, right, f"{case.name}, {what}: {said}")
            self.assertEqual(whole, self.hash(output), f"{case.name}, after {self.happened}")
            shutil.rmtree(output)
            finished += 1
            print(f"{finished} runs to their end ({case.name}); {self.happened}", flush=True)
        self.count(finished)

    def count(self, finished):
        for name, more in (("sittings", 1), ("hours", SECONDS / 3600), ("runs", finished), ("parts", sum(self.happened.values()))):
            self.tally[name] += more
        if TALLY:
            TALLY.write_text(json.dumps(self.tally) + "\n")
        print("promise soak: {hours:g} h in {sittings} sittings, {runs} runs in {parts} parts, none differs".format(**self.tally))


if __name__ == "__main__":
    unittest.main(verbosity=2)
