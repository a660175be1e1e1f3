"""The k-th allocation of memory fails, alone or with all after it, for k = 1, 2, ...: no crash, memory is named, and what
stands can be gone on from."""

import os
import random
import shutil
import subprocess
import unittest

from command import CASES, CORRAL, LONG, results, settings
from cut_runs import ResumeTest, checkpoints
from hostile_membranes import GOOD

INJECTIONS = 60 if LONG else 3  # of each command and sort


class Allocations(ResumeTest):
    def faulty(self, *words, **environment):
        library = {"LD_PRELOAD": os.environ["FAIL_MEMORY_LIBRARY"]}
        return subprocess.run([CORRAL, *map(str, words)], capture_output=True, text=True, check=False, timeout=120,
                              env={**os.environ, **library, **environment})

    def count(self, *words, **environment):
        counts = self.directory / "count"
        self.assertEqual(self.faulty(*words, FAIL_COUNT=str(counts), **environment).returncode, 0)
        return int(counts.read_text())

    def injections(self, *words, prepare=lambda: None):
        """(what was done, its end) for numbers of allocations near and far: the first ones, and any; of large ones most."""
        callers = self.directory / "callers"
        chance = random.Random(" ".join(map(str, words[:1])))
        prepare()
        for only in ({}, {"FAIL_BYTES": "4096"}):
            prepare()
            calls = self.count(*words, **only)
            self.assertGreater(calls, 0)
            numbers = {1, 2, *(chance.randint(1, calls) for _ in range(INJECTIONS)),
                       *(int(calls ** chance.random()) for _ in range(INJECTIONS // 2))}
            for how in ({}, {"FAIL_ON": "1"}):
                for k in sorted(numbers):
                    prepare()
                    callers.unlink(missing_ok=True)
                    done = self.faulty(*words, FAIL_AT=str(k), FAIL_WHERE=str(callers), **only, **how)
                    where = f"{words[0]}: allocation {k} of {calls}, {only}, {how}: {done.returncode}, {done.stdout + done.stderr}"
                    # HDF5 itself may end the process; what stands on the disk is looked at all the same.
                    if not (callers.exists() and "hdf5" in callers.read_text()):
                        self.assertIn(done.returncode, (0, 1, 2), where)
                        if done.returncode:
                            self.assertRegex(done.stderr, "(?i)^(.*memory.*\n)+$", where)
                    yield where, done

    def sweep(self, case, keys, steps):
        whole, base, output = (self.directory / name for name in ("whole", "base", "output"))
        self.run_into(whole, case, *keys)
        self.run_into(base, case, *keys, "--steps", steps)
        count = {"fell": 0, "stood": 0, "resumed": 0}

        def again():
            shutil.rmtree(output, ignore_errors=True)

        def cut():
            again()
            shutil.copytree(base, output)

        def followed(command, where, done):
            count["fell" if done.returncode else "stood"] += 1
            if done.returncode == 0:
                self.assertEqual([name for name, data in results(whole).items() if results(output).get(name) != data], [], where)
            if command == "resume":
                self.assertTrue(checkpoints(output), where)
            if (output / "checkpoint").exists() and checkpoints(output):
                self.run_into(output, case, *keys, command="resume")
                self.assert_same_results(whole, output)
                count["resumed"] += 1

        into = [case, "--output", output, "--quiet", *keys]
        for where, done in self.injections("run", *into, prepare=again):
            followed("run", where, done)
        for where, done in self.injections("resume", *into, prepare=cut):
            followed("resume", where, done)
        cut()
        answers = {command: self.faulty(command, path).stdout for command, path in (("info", output), ("check", case))}
        for command, path in (("info", output), ("check", case)):
            for where, done in self.injections(command, path):
                if done.returncode == 0:  # what was answered is all of it
                    self.assertEqual(done.stdout, answers[command], where)
        print(f"promise memory: {count['fell']} runs fell for want of memory, {count['stood']} stood it; {count['resumed']} went on from a "
              "checkpoint, none differs")

    def test_bed(self):
        case = self.write_case((CASES / "column" / "case.ini").read_text(encoding="utf-8"))
        self.sweep(case, settings(time__end="0.01", output__log="2e-3", output__fields="5e-3", output__parcels="5e-3",
                                  checkpoint__steps=4), 6)

    def test_membranes(self):
        self.sweep(self.write_case(GOOD), settings(time__end="6 us", output__log="2 us", output__fields="3 us",
                                                   output__vertices="3 us", checkpoint__steps=2), 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
