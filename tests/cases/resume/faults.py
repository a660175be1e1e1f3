"""A run that was killed or met a full disk goes on to the very bytes of one that was not."""

import errno
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from command import CASES, CORRAL, LONG, THOROUGH, settings
from cut_runs import ResumeTest, checkpoints

KILLS = 200 if LONG else 30


class Kills(ResumeTest):
    """SIGKILL at any moment, also while a checkpoint is written: what is lost is one interval at most."""

    def test_kills(self):
        case, keys = self.small(checkpoint__steps=4)
        whole, cut = self.directory / "whole", self.directory / "cut"
        began = time.monotonic()
        self.run_into(whole, case, *keys)
        whole_takes = time.monotonic() - began
        chance, kills, finished = random.Random(1), 0, 0
        while kills < KILLS:
            command = "resume" if cut.exists() and (cut / "checkpoint").exists() and checkpoints(cut) else "run"
            run = subprocess.Popen([CORRAL, command, case, "--output", cut, "--quiet", *keys,
                                    *(["--overwrite"] if command == "run" else [])], stderr=subprocess.PIPE, text=True)
            try:
                said = run.communicate(timeout=chance.uniform(0.1, 0.7) * whole_takes)[1]
                if command == "run" or run.returncode != 2:
                    self.assertEqual(run.returncode, 0, said)
                else:  # killed before its first checkpoint was whole
                    self.assertIn("holds no checkpoint", said)
                    shutil.rmtree(cut)
                    continue
                self.assert_same_results(whole, cut)
                finished += 1
                shutil.rmtree(cut)
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                kills += 1
        if cut.exists() and (cut / "checkpoint").exists() and checkpoints(cut):
            self.run_into(cut, case, *keys, command="resume")
            self.assert_same_results(whole, cut)
        print(f"promise kill: {kills} kills, {finished} runs that came to their end between them, none differs")


class NoRoom(ResumeTest):
    """A checkpoint that cannot be written: a run goes on without, an interrupted one has failed."""

    def test_no_place(self):
        case, keys = self.small()
        for interrupted in (False, True):
            output = self.directory / f"out_{interrupted}"
            output.mkdir()
            (output / "checkpoint").touch()  # a file, where a directory is due
            # However quiet a run is to be, a checkpoint is not lost in silence.
            run = subprocess.Popen([CORRAL, "run", case, "--output", output, "--quiet", *keys], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
            while interrupted and not (output / "log.csv").exists():
                time.sleep(0.002)
            if interrupted:
                run.send_signal(signal.SIGTERM)
            said = run.communicate()[1]
            self.assertEqual(run.returncode, 1 if interrupted else 0, said)
            self.assertIn("cannot write", said)
            self.assertEqual(said.count("no checkpoint was written"), 0 if interrupted else 1)

    def test_strict(self):
        case, keys = self.small()
        output = self.directory / "out_strict"
        output.mkdir()
        (output / "checkpoint").touch()
        run = subprocess.run([CORRAL, "run", case, "--output", output, "--strict", *keys], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("a warning ends the run, by --strict: no checkpoint was written", run.stderr)


class Faults(ResumeTest):
    """The k-th call that changes a file fails, for k = 1, 2, ...: what stands can be gone on from."""

    kinds = [(errno.ENOSPC, {}), (errno.EIO, {"FAIL_ON": "1"}), (errno.ENOSPC, {"FAIL_SHORT": "1"})]

    def faulty(self, output, case, keys, command="run", **environment):
        return subprocess.run([CORRAL, command, case, "--output", output, "--quiet", *keys], capture_output=True, text=True,
                              check=False, env={**os.environ, "LD_PRELOAD": os.environ["FAIL_AT_LIBRARY"], **environment})

    def test_faults(self):
        case = self.write_case((CASES / "column" / "case.ini").read_text(encoding="utf-8"))
        keys = settings(time__end="0.01", output__log="2e-3", output__fields="5e-3", output__parcels="5e-3",
                        output__format="both", checkpoint__steps=4)
        whole, count = self.directory / "whole", self.directory / "count"
        self.assertEqual(self.faulty(whole, case, keys, FAIL_COUNT=str(count)).returncode, 0)
        calls = int(count.read_text())
        self.assertGreater(calls, 100)
        injected = gone_on = 0
        for code, how in self.kinds:
            for k in range(1, calls + 1, 1 if LONG else 10 if THOROUGH else 31):
                output = self.directory / "faulty"
                done = self.faulty(output, case, keys, FAIL_AT=str(k), FAIL_WITH=str(code), **how)
                injected += 1
                where = f"call {k}, {errno.errorcode[code]}, {how}: {done.stderr}"
                self.assertIn(done.returncode, (0, 1, 2), where)
                if done.returncode:
                    self.assertRegex(done.stderr, "(?i)no space|input/output error|cannot|left behind|lost", where)
                if (output / "checkpoint").exists() and checkpoints(output) and (output / "log.csv").exists():
                    self.run_into(output, case, *keys, command="resume")
                    self.assert_same_results(whole, output)
                    gone_on += 1
                elif done.returncode == 0:
                    self.assert_same_results(whole, output)
                shutil.rmtree(output, ignore_errors=True)
        print(f"promise faults: {injected} faults; {gone_on} runs went on from a checkpoint, none differs")

    def test_faults_of_resumed_runs(self):
        """The checkpoint that a run goes on from stands whatever fails, also before the next one."""
        case, keys = self.small(checkpoint__steps=4)
        keys = [key.replace("time.end=0.12", "time.end=0.02") for key in keys]
        whole, base, output, count = (self.directory / name for name in ("whole", "base", "output", "count"))
        self.run_into(whole, case, *keys)
        self.run_into(base, case, *keys, "--steps", 6)
        shutil.copytree(base, output)
        injected = 0
        reads = [(errno.EIO, {"FAIL_READS": "1"}), (errno.EIO, {"FAIL_READS": "1", "FAIL_ON": "1"})]
        for code, how in self.kinds + reads:
            shutil.rmtree(output)
            shutil.copytree(base, output)
            self.assertEqual(self.faulty(output, case, keys, "resume", FAIL_COUNT=str(count), **how).returncode, 0)
            calls = int(count.read_text())
            for k in range(1 + injected % 7, calls + 1, 1 if LONG else 41 if THOROUGH else 127):
                shutil.rmtree(output)
                shutil.copytree(base, output)
                done = self.faulty(output, case, keys, "resume", FAIL_AT=str(k), FAIL_WITH=str(code), **how)
                injected += 1
                self.assertIn(done.returncode, (0, 1, 2), f"call {k}, {errno.errorcode[code]}, {how}: {done.stderr}")
                self.run_into(output, case, *keys, command="resume")
                self.assert_same_results(whole, output)
        print(f"{injected} faults of resumed runs, none differs")


if __name__ == "__main__":
    unittest.main(verbosity=2)
