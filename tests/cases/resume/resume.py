"""A run that was cut, killed or met a full disk goes on to the very bytes of one that was not."""

import errno
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command import CASES, CORRAL, CaseTest, corral, settings
from threads import MEMBRANES, PATH

LONG = os.environ.get("LONG") == "1"
KILLS = 200 if LONG else 30
EACH_STEP = settings(output__log="1e-12", output__fields="1e-12")


def results(output):
    """Bytes of all that a run wrote, but of summary.json and checkpoints."""
    return {str(p.relative_to(output)): p.read_bytes() for p in sorted(output.rglob("*"))
            if p.is_file() and p.name != "summary.json" and "checkpoint" not in p.relative_to(output).parts}


def checkpoints(output):
    return sorted(p for p in (output / "checkpoint").iterdir() if p.name.isdigit())


class ResumeTest(CaseTest):
    def same(self, whole, cut):
        one, other = results(whole), results(cut)
        self.assertEqual(sorted(one), sorted(other))
        self.assertEqual([name for name in one if one[name] != other[name]], [])

    def run_into(self, output, case, *options, command="run", status=0):
        done = corral(command, case, "--output", output, "--quiet", *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def small(self, **keys):
        """A bed that falls, some 100 steps."""
        text = (CASES / "column" / "case.ini").read_text(encoding="utf-8")
        return self.write_case(text), settings(time__end="0.12", output__log="2e-3", output__fields="0.01",
                                               output__parcels="0.02", **keys)


class ShippedCases(ResumeTest):
    """Each case of each driver, cut at three steps, goes on with 1, 2 and 4 threads."""

    def test_all(self):
        for ini in sorted(CASES.glob("*/case.ini")):
            case, steps = ini.parent, 40 if LONG else 6
            with self.subTest(case.name):
                whole = self.directory / f"{case.name}-whole"
                self.run_into(whole, case, "--steps", steps, *EACH_STEP)
                cuts = sorted(random.Random(case.name).sample(range(1, steps), 3))
                for at, threads in zip(cuts, (1, 2, 4)):
                    cut = self.directory / f"{case.name}-{at}"
                    self.run_into(cut, case, "--steps", at, *EACH_STEP)
                    self.run_into(cut, case, "--steps", steps, "--threads", threads, *EACH_STEP, command="resume")
                    self.same(whole, cut)
                    shutil.rmtree(cut)
                shutil.rmtree(whole)


class Cuts(ResumeTest):
    def test_again_and_again(self):
        """Cut ten times, at times that are due for nothing."""
        case, keys = self.small()
        self.run_into(self.directory / "whole", case, *keys)
        cut = self.directory / "cut"
        for number in range(11):
            self.run_into(cut, case, *keys, "--steps", 10 * number + 3, command="resume" if number else "run")
        self.run_into(cut, case, *keys, command="resume")
        self.same(self.directory / "whole", cut)

    def test_interrupted(self):
        """A signal costs nothing, though no checkpoint was asked for."""
        case, keys = self.small(checkpoint__at_end="false")
        self.run_into(self.directory / "whole", case, *keys)
        for sent in (signal.SIGINT, signal.SIGTERM):
            output = self.directory / sent.name
            run = subprocess.Popen([CORRAL, "run", case, "--output", output, "--quiet", *keys])
            while not (output / "log.csv").exists():
                time.sleep(0.002)
            run.send_signal(sent)
            self.assertEqual(run.wait(), 3)
            self.assertEqual(len(checkpoints(output)), 1)
            self.run_into(output, case, *keys, command="resume")
            self.same(self.directory / "whole", output)

    def test_later_end(self):
        case, keys = self.small()
        self.run_into(self.directory / "whole", case, *keys)
        shorter = [key.replace("time.end=0.12", "time.end=0.05") for key in keys]
        self.run_into(self.directory / "short", case, *shorter)
        self.run_into(self.directory / "short", case, *keys, command="resume")
        self.same(self.directory / "whole", self.directory / "short")

    def test_ends_before_it_was_cut(self):
        """What was written after the checkpoint is gone, where the run does not come to it again."""
        case, keys = self.small(checkpoint__steps=40, checkpoint__at_end="false")
        self.run_into(self.directory / "whole", case, *keys, "--steps", 45)
        self.run_into(self.directory / "cut", case, *keys, "--steps", 70)
        self.run_into(self.directory / "cut", case, *keys, "--steps", 45, command="resume")
        self.same(self.directory / "whole", self.directory / "cut")

    def test_intervals(self):
        case, keys = self.small()
        for what, expected in ({"checkpoint__steps": 10}, 12), ({"checkpoint__interval": "0.02"}, 6), ({}, 1):
            output = self.directory / f"every{expected}"
            self.run_into(output, case, *keys, *settings(checkpoint__keep=100, **what))
            self.assertLessEqual(abs(len(checkpoints(output)) - expected), 2 if expected > 1 else 0)
            self.assertEqual((output / "checkpoint/newest").read_text().strip(), checkpoints(output)[-1].name)
        output = self.directory / "kept"
        self.run_into(output, case, *keys, *settings(checkpoint__keep=3, checkpoint__steps=5))
        self.assertEqual(len(checkpoints(output)), 3)

    def test_overwrite_begins_anew(self):
        case, keys = self.small()
        output = self.directory / "out"
        self.run_into(output, case, *keys)
        (output / "checkpoint" / "mine.txt").write_text("kept")
        self.run_into(output, case, *keys, *settings(checkpoint__at_end="false"), "--overwrite")
        self.assertEqual([p.name for p in (output / "checkpoint").iterdir()], ["mine.txt"])


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
                self.same(whole, cut)
                finished += 1
                shutil.rmtree(cut)
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                kills += 1
        if cut.exists() and (cut / "checkpoint").exists() and checkpoints(cut):
            self.run_into(cut, case, *keys, command="resume")
            self.same(whole, cut)
        print(f"{kills} kills, {finished} runs that came to their end between them, none differs")


class Faults(ResumeTest):
    """The k-th call that changes a file fails, for k = 1, 2, ...: what stands can be gone on from."""

    def faulty(self, output, case, keys, command="run", **environment):
        return subprocess.run([CORRAL, command, case, "--output", output, "--quiet", *keys], capture_output=True, text=True,
                              check=False, env={**os.environ, "LD_PRELOAD": os.environ["FAIL_AT_LIBRARY"], **environment})

    def test_faults(self):
        case = self.write_case((CASES / "column" / "case.ini").read_text(encoding="utf-8"))
        keys = settings(time__end="0.01", output__log="2e-3", output__fields="5e-3", output__parcels="5e-3",
                        checkpoint__steps=4)
        whole, count = self.directory / "whole", self.directory / "count"
        self.assertEqual(self.faulty(whole, case, keys, FAIL_COUNT=str(count)).returncode, 0)
        calls = int(count.read_text())
        self.assertGreater(calls, 100)
        kinds = [(errno.ENOSPC, {}), (errno.EIO, {"FAIL_ON": "1"}), (errno.ENOSPC, {"FAIL_SHORT": "1"})]
        injected = gone_on = 0
        for code, how in kinds:
            for k in range(1, calls + 1, 1 if LONG else 10):
                output = self.directory / "faulty"
                done = self.faulty(output, case, keys, FAIL_AT=str(k), FAIL_WITH=str(code), **how)
                injected += 1
                where = f"call {k}, {errno.errorcode[code]}, {how}: {done.stderr}"
                self.assertIn(done.returncode, (0, 1, 2), where)
                if done.returncode:
                    self.assertRegex(done.stderr, "(?i)no space|input/output error|cannot|left behind|lost", where)
                if (output / "checkpoint").exists() and checkpoints(output) and (output / "log.csv").exists():
                    self.run_into(output, case, *keys, command="resume")
                    self.same(whole, output)
                    gone_on += 1
                elif done.returncode == 0:
                    self.same(whole, output)
                shutil.rmtree(output, ignore_errors=True)
        print(f"{injected} faults; {gone_on} runs went on from a checkpoint, none differs")


class Refusals(ResumeTest):
    def setUp(self):
        super().setUp()
        self.case, self.keys = self.small(checkpoint__steps=40)
        self.output = self.directory / "out"
        self.run_into(self.output, self.case, *self.keys, "--steps", 60)

    def refused(self, *options, words=(), case=None):
        before = results(self.output) if self.output.exists() else {}
        done = self.run_into(self.output, case or self.case, *self.keys, *options, command="resume", status=2)
        for word in words:
            self.assertIn(word, done.stderr)
        if before:
            self.assertEqual(before, results(self.output))

    def test_changed_keys(self):
        self.refused(*settings(solids__drag="ergun"), words=["solids.drag is ergun, and was", "--overwrite"])
        self.refused(*settings(grid__cells="1, 1, 41"), words=["grid.cells"])
        self.refused(*settings(output__log="3e-3"), words=["output.log"])
        self.run_into(self.output, self.case, *self.keys, *settings(case__title="a name", checkpoint__keep=5),
                      command="resume")

    def test_without(self):
        shutil.rmtree(self.output / "checkpoint")
        self.refused(words=["no checkpoint that is whole", "corral run"])
        shutil.rmtree(self.output)
        self.refused(words=["is not there"])

    def test_damaged(self):
        """A newest one that is damaged is left aside, with a word, for the one before."""
        newest = checkpoints(self.output)[-1] / "state.h5"
        with newest.open("r+b") as file:
            file.seek(5000)
            file.write(b"?")
        done = corral("resume", self.case, "--output", self.output, *self.keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("is left aside", done.stderr)
        self.assertIn("goes on from step 40", done.stdout)
        self.assertNotIn(newest.parent, checkpoints(self.output))
        whole = self.directory / "whole"
        self.run_into(whole, self.case, *self.keys)
        self.same(whole, self.output)

    def test_changed_log(self):
        log = self.output / "log.csv"
        text = log.read_bytes()
        for changed in (text[:200], text.replace(b"0", b"1", 1)):
            log.write_bytes(changed)
            self.refused(words=["log.csv is not what the run wrote"])
        log.write_bytes(text + b"a row of somebody")  # behind what counts: cut off
        self.run_into(self.output, self.case, *self.keys, command="resume")

    def test_changed_file(self):
        """What a file holds counts, not where it is."""
        case = self.write_case(MEMBRANES, "anchored")
        (case / "path.csv").write_text(PATH, encoding="utf-8")
        output, whole = case / "out", self.directory / "whole"
        self.run_into(whole, case)
        self.run_into(output, case, "--steps", 7)
        (case / "path.csv").write_text(PATH.replace("1e-6", "2e-6"), encoding="utf-8")
        done = self.run_into(output, case, command="resume", status=2)
        self.assertIn("membranes.body.path: the file is not what the run began with", done.stderr)
        self.assertRegex(done.stderr, r"case.ini:\d+: ")
        done = self.run_into(output, case, *settings(membranes__body__path=""), command="resume", status=2)
        self.assertIn("membranes.body.path: names no file", done.stderr)
        (case / "path.csv").write_text(PATH, encoding="utf-8")
        moved = case.rename(self.directory / "moved")
        self.run_into(moved / "out", moved, command="resume")
        one, other = results(whole), results(moved / "out")
        for files in (one, other):
            files.pop("used.ini")  # it has the file's absolute path
        self.assertTrue(one == other)

    def test_other_version(self):
        for checkpoint in checkpoints(self.output):
            manifest = checkpoint / "manifest"
            manifest.write_bytes(manifest.read_bytes().replace(b"checkpoint 1", b"checkpoint 9", 1))
        self.refused(words=["of another version"])


class Reading(ResumeTest):
    """Others read checkpoints: h5py, and the words that openPMD asks for."""

    def test_openpmd(self):
        case, keys = self.small()
        output = self.directory / "out"
        run = self.run_into(output, case, *keys, "--steps", 20)
        self.assertEqual(run.returncode, 0)
        said = corral("info", output)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("/data/20/particles/parcels/position/x", said.stdout)
        script = Path(__file__).with_name("read_openpmd.py")
        done = subprocess.run(["/usr/bin/python3", script, checkpoints(output)[-1] / "state.h5"], capture_output=True,
                              text=True, check=False)
        if "No module named 'h5py'" in done.stderr:
            self.skipTest("h5py is not installed (python3-h5py)")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
