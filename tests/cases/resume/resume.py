"""A run that was cut goes on to the very bytes of one that was not, or is refused with the reason."""

import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from command import CASES, CORRAL, LONG, TESTS, THOROUGH, corral, results, settings
from cut_runs import ResumeTest, checkpoints
from threads import MEMBRANES, PATH

EACH_STEP = settings(output__log="1e-12", output__fields="1e-12")
BOTH = settings(output__format="both")
IN_BOTH = ["column", "sphere_relaxation"]  # one for each driver
SPARSE = {"blood_channel": settings(membranes__blood__volume_fraction=0.05)} # fewer cells: quicker steps


class ShippedCases(ResumeTest):
    """Each case of each driver, cut at one step or at three, goes on with 1, 2 or 4 threads."""

    def test_all(self):
        cases = runs = 0
        for ini in sorted(CASES.glob("*/case.ini")):
            case, steps, cases = ini.parent, 40 if LONG else 6, cases + 1
            with self.subTest(case.name):
                keys = EACH_STEP + (BOTH if LONG or case.name in IN_BOTH else []) + SPARSE.get(case.name, [])
                whole = self.directory / f"{case.name}-whole"
                self.run_into(whole, case, "--steps", steps, *keys)
                cuts = list(zip(sorted(random.Random(case.name).sample(range(1, steps), 3)), (1, 2, 4)))
                for at, threads in cuts if THOROUGH else [cuts[cases % 3]]:
                    cut = self.directory / f"{case.name}-{at}"
                    self.run_into(cut, case, "--steps", at, *keys)
                    self.run_into(cut, case, "--steps", steps, "--threads", threads, *keys, command="resume")
                    self.assert_same_results(whole, cut)
                    shutil.rmtree(cut)
                    runs += 1
                shutil.rmtree(whole)
        print(f"promise restart: {cases} cases, {runs} times cut and resumed with 1, 2 or 4 threads, 0 bytes differ")


class Cuts(ResumeTest):
    def test_again_and_again(self):
        """Cut ten times, at times that are due for nothing."""
        case, keys = self.small()
        self.run_into(self.directory / "whole", case, *keys)
        cut = self.directory / "cut"
        for number in range(11):
            self.run_into(cut, case, *keys, "--steps", 10 * number + 3, command="resume" if number else "run")
        self.run_into(cut, case, *keys, command="resume")
        self.assert_same_results(self.directory / "whole", cut)

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
            self.assert_same_results(self.directory / "whole", output)

    def test_what_it_was_told(self):
        """It need not be told again; what is said anew replaces it, and is refused where it may not change."""
        case, keys = self.small()
        self.run_into(self.directory / "whole", case, *keys)
        cut = self.directory / "cut"
        self.run_into(cut, case, *keys, "--steps", 20)
        self.run_into(cut, case, "--steps", 40, *settings(checkpoint__keep=2), command="resume")
        refused = self.run_into(cut, case, *settings(solids__drag="ergun"), command="resume", status=2).stderr
        self.assertEqual(refused.count("\n"), 1, refused)
        self.assertIn("solids.drag is ergun, and was", refused)
        done = corral("resume", case, "--output", cut, *settings(case__title="another"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for told in (keys[1], "checkpoint.keep=2", "case.title=another"):
            self.assertIn(f"set       {told}\n", done.stdout)
        cut_used = cut / "used.ini"
        cut_used.write_text(re.sub(r"(?m)^(title|keep) = .*\n", "", cut_used.read_text()))
        whole_used = self.directory / "whole" / "used.ini"
        whole_used.write_text(re.sub(r"(?m)^(title|keep) = .*\n", "", whole_used.read_text()))
        self.assert_same_results(self.directory / "whole", cut)

    def test_told_what_the_case_lacks(self):
        """A case that has changed meanwhile is compared as it is, and says so."""
        case, keys = self.small()
        cut = self.directory / "cut"
        self.run_into(cut, case, *keys, *settings(seed__column__particles_per_parcel=700), "--steps", 20)
        ini = (case / "case.ini").read_text(encoding="utf-8").replace("seed.column", "seed.other")
        changed = self.write_case(ini, "changed")
        refused = self.run_into(cut, changed, command="resume", status=2).stderr
        self.assertIn("[seed.other] is there, and was not given", refused)

    def test_script_of_a_checkpoint(self):
        """What a checkpoint says was told does not run scripts, as what is typed does."""
        case, keys = self.small()
        ini = (case / "case.ini").read_text(encoding="utf-8")
        watched = self.write_case(ini + "\n[insitu.view]\nscript = view.py\ninterval = 1\n", "watched")
        (watched / "view.py").write_text("")
        (self.directory / "far.py").write_text("")
        far = settings(insitu__view__script=self.directory / "far.py")
        cut = self.directory / "cut"
        self.run_into(cut, watched, *keys, *settings(output__watch="false"), *far, "--steps", 20)
        said = self.run_into(cut, watched, *settings(output__watch="true"), command="resume", status=2).stderr
        self.assertRegex(said, r"manifest:1: \[insitu.view\] would run .*far.py")

    def test_later_end(self):
        case, keys = self.small()
        self.run_into(self.directory / "whole", case, *keys)
        shorter = [key.replace("time.end=0.12", "time.end=0.05") for key in keys]
        self.run_into(self.directory / "short", case, *shorter)
        self.run_into(self.directory / "short", case, *keys, command="resume")
        self.assert_same_results(self.directory / "whole", self.directory / "short")

    def test_ends_before_it_was_cut(self):
        """What was written after the checkpoint is gone, where the run does not come to it again."""
        case, keys = self.small(checkpoint__steps=40, checkpoint__at_end="false")
        self.run_into(self.directory / "whole", case, *keys, "--steps", 45)
        self.run_into(self.directory / "cut", case, *keys, "--steps", 70)
        self.run_into(self.directory / "cut", case, *keys, "--steps", 45, command="resume")
        self.assert_same_results(self.directory / "whole", self.directory / "cut")

    def test_intervals(self):
        case, keys = self.small()
        for what, expected in ({"checkpoint__steps": 10}, 12), ({"checkpoint__interval": "0.02"}, 6), ({}, 1):
            output = self.directory / f"every{expected}"
            self.run_into(output, case, *keys, *settings(checkpoint__keep=100, **what))
            self.assertLessEqual(abs(len(checkpoints(output)) - expected), 2 if expected > 1 else 0)
            self.assertEqual((output / "checkpoint/newest").read_text().strip(), checkpoints(output)[-1].name)
            if "checkpoint__interval" in what:  # the start is not due
                first = float(re.search(r"step \d+, (\S+) s", corral("info", checkpoints(output)[0]).stdout)[1])
                self.assertAlmostEqual(first, 0.02, delta=1e-3)
        output = self.directory / "kept"
        self.run_into(output, case, *keys, *settings(checkpoint__keep=3, checkpoint__steps=5))
        self.assertEqual(len(checkpoints(output)), 3)

    def test_overwrite_begins_anew(self):
        case, keys = self.small()
        output = self.directory / "out"
        self.run_into(output, case, *keys)
        for file in (p for p in output.iterdir() if p.is_file()):
            file.unlink()
        said = self.run_into(output, case, *keys, status=2).stderr  # checkpoints are results, too
        self.assertIn("holds checkpoints", said)
        (output / "checkpoint" / "mine.txt").write_text("kept")
        self.run_into(output, case, *keys, *settings(checkpoint__at_end="false"), "--overwrite")
        self.assertEqual([p.name for p in (output / "checkpoint").iterdir()], ["mine.txt"])


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
        self.refused(*settings(random__seed="3"), words=["random.seed", "only case.title, time.end, [output], [insitu.*]"])
        self.assertTrue((self.output / "summary.json").exists())  # a refusal changes nothing
        self.run_into(self.output, self.case, *self.keys, *settings(case__title="a name", checkpoint__keep=5),
                      command="resume")

    def test_without(self):
        shutil.rmtree(self.output / "checkpoint")
        self.refused(words=["holds no checkpoint (the run was ended", "corral run"])
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
        self.assertIn("steps, those after the first 40 in ", done.stdout)
        self.assertNotIn(newest.parent, checkpoints(self.output))
        whole = self.directory / "whole"
        self.run_into(whole, self.case, *self.keys)
        self.assert_same_results(whole, self.output)

    def test_damaged_ones_go_first(self):
        """Whatever lies there under later names, what a run has just written stays."""
        (self.output / "checkpoint" / ("9" * 12)).mkdir()
        (self.output / "checkpoint" / ("9" * 12) / "mine").write_text("kept")
        for checkpoint in checkpoints(self.output)[1:-1]:
            (checkpoint / "state.h5").write_bytes(b"")
        self.run_into(self.output, self.case, *self.keys, *settings(checkpoint__keep=1), "--steps", 60, command="resume")
        self.assertEqual([p.name for p in checkpoints(self.output)], ["0" * 10 + "60", "9" * 12])
        self.run_into(self.output, self.case, *self.keys, *settings(checkpoint__keep=""), command="resume")
        self.run_into(self.directory / "whole", self.case, *self.keys)
        self.assert_same_results(self.directory / "whole", self.output)
        renamed = checkpoints(self.output)[0]
        renamed.rename(renamed.with_name("8" * 12))
        said = self.run_into(self.output, self.case, *self.keys, command="resume").stderr
        self.assertIn("somebody gave it another name", said)

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

    def test_another_case(self):
        """One sentence, not one for each of its keys."""
        for other in ("drop", "red_cell_stretch"):
            done = corral("resume", CASES / other, "--output", self.output)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("is of another case", done.stderr)
            self.assertIn(str(checkpoints(self.output)[-1]), done.stderr)

    def as_nobody(self, *words):
        """The command as a user without rights of its own, where the tests have all rights."""
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        return subprocess.run([CORRAL, *map(str, words)], capture_output=True, text=True, check=False, **user)

    def test_permissions(self):
        """What may not be read is not damaged, and where nothing may be written nothing fails halfway."""
        self.directory.chmod(0o755)
        before = results(self.output)
        done = self.as_nobody("resume", self.case, "--output", self.output, *self.keys)
        if os.geteuid() == 0:  # whose directory it is
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("Permission denied", done.stderr)
        manifest = checkpoints(self.output)[-1] / "manifest"
        manifest.chmod(0)
        for words in (["resume", self.case, "--output", self.output, *self.keys], ["info", self.output]):
            done = self.as_nobody(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"{manifest} cannot be read (Permission denied)", done.stderr)
            self.assertNotIn("--overwrite", done.stderr)
        manifest.chmod(0o644)
        self.assertEqual(before, results(self.output))

    def test_places_without_files(self):
        """Not even root may write there."""
        done = corral("run", self.case, "--output", "/proc", *self.keys)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_links_and_pipes(self):
        """What a case from elsewhere may hold: nothing is written through a link, and nobody waits at a pipe."""
        precious = self.directory / "precious"
        precious.write_text("as it was")
        part, newest = self.output / "checkpoint" / "newest.part", self.output / "checkpoint" / "newest"
        later = [[key.replace("time.end=0.12", f"time.end={end}") for key in self.keys] for end in (0.13, 0.14)]
        part.symlink_to(precious)
        self.run_into(self.output, self.case, *later[0], command="resume")
        part.unlink(missing_ok=True)
        os.mkfifo(part)
        self.run_into(self.output, self.case, *later[1], command="resume")
        self.assertFalse(part.exists())
        self.assertEqual(precious.read_text(), "as it was")
        newest.unlink()
        os.mkfifo(newest)
        for path, statuses in ((self.output, (0, 2)), (newest, (0, 2)), ("/dev/zero", (2,))):
            done = subprocess.run([CORRAL, "info", path], capture_output=True, text=True, check=False, timeout=60)
            self.assertIn(done.returncode, statuses, done.stderr)

    def test_other_version(self):
        for checkpoint in checkpoints(self.output):
            manifest = checkpoint / "manifest"
            manifest.write_bytes(manifest.read_bytes().replace(b"checkpoint 3", b"checkpoint 9", 1))
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
        script = TESTS / "openpmd" / "layout.py"
        done = subprocess.run(["/usr/bin/python3", script, checkpoints(output)[-1] / "state.h5"], capture_output=True,
                              text=True, check=False)
        if "No module named 'h5py'" in done.stderr:
            self.skipTest("h5py is not installed (python3-h5py)")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
