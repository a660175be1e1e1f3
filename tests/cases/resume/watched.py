"""Who watches a run that is cut and goes on sees each moment that the uncut run shows, once, and nothing else.

CORRAL_INSITU_PLUGIN is the plug-in of tests/app/insitu that writes down what it is asked and shown.
"""

import re
import shutil
import signal
import subprocess
import time
import unittest

from command import CORRAL, corral, results, settings
from cut_runs import ResumeTest, checkpoints

SCRIPTS = {"often": "0.003", "rarely": "0.017", "each": "0"}  # intervals; steps are of some .001 s


class Watched(ResumeTest):
    def setUp(self):
        super().setUp()
        self.case, keys = self.small(checkpoint__steps=20)
        text = (self.case / "case.ini").read_text(encoding="utf-8")
        for name, interval in SCRIPTS.items():
            (self.case / f"{name}.py").write_text("odd steps\n" if name == "each" else "look\n")
            text += f"\n[insitu.{name}]\nscript = {name}.py\ninterval = {interval} s\n"
        (self.case / "case.ini").write_text(text, encoding="utf-8")
        self.keys = keys
        self.whole = self.directory / "whole"
        self.run_into(self.whole, self.case, *keys)
        self.expected = self.seen(self.whole)

    @staticmethod
    def seen(output):
        """Of each script what it was asked and shown, in order, with the first value of each field, without addresses. What
        is read is gone: the next run writes anew."""
        said = {}
        for name in SCRIPTS:
            file = output / f"insitu/{name}/seen.txt"  # nothing is opened for a script before it is due
            text = re.sub(r" 0x[0-9a-f]+", "", file.read_text()) if file.exists() else ""
            said[name] = [line for line in text.splitlines() if not line.startswith(("open", "close"))]
        shutil.rmtree(output / "insitu", ignore_errors=True)
        return said

    def resumed(self, output, before, *options):
        self.run_into(output, self.case, *self.keys, *options, command="resume")
        after = self.seen(output)
        return {name: before[name] + after[name] for name in SCRIPTS}

    def same_results(self, output):
        self.assertEqual(results(self.whole), results(output))

    def test_uncut(self):
        """That there is something to miss."""
        shown = {name: sum(line.startswith("show") for line in lines) for name, lines in self.expected.items()}
        asked = {name: sum(line.startswith("wants") for line in lines) for name, lines in self.expected.items()}
        self.assertEqual((shown["often"], shown["rarely"]), (asked["often"], asked["rarely"]))
        self.assertEqual((shown["often"], shown["rarely"]), (41, 8))  # at 0, .003 ... .12, and at 0, .017 ... .119 s
        self.assertGreater(shown["each"], 50)
        self.assertGreater(asked["each"], 2 * shown["each"])

    def test_cut(self):
        """At steps that are due for one, for none, for all of them; with and without a checkpoint that was due."""
        cut = self.directory / "cut"
        first, *others = 2, 3, 17, 40, 41, 51
        self.run_into(cut, self.case, *self.keys, "--steps", first)
        said = self.seen(cut)
        for steps in others:
            said = self.resumed(cut, said, "--steps", steps)
        self.assertEqual(self.resumed(cut, said), self.expected)
        self.same_results(cut)

    def test_scripts_elsewhere(self):
        """What a case from elsewhere would run outside its directory, by a path or by a link, nobody runs unasked."""
        outside = self.directory / "outside.py"
        outside.write_text("look\n")
        text = (self.case / "case.ini").read_text(encoding="utf-8")
        line = text.splitlines().index("script = often.py") + 1
        (self.case / "link.py").symlink_to(outside)
        for number, name in enumerate(("../outside.py", str(outside), "link.py")):
            output = self.directory / f"elsewhere_{number}"
            (self.case / "case.ini").write_text(text.replace("script = often.py", f"script = {name}"), encoding="utf-8")
            for command in (["check", self.case], ["run", self.case, "--output", output, *self.keys]):
                done = corral(*command)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(f"case.ini:{line}: [insitu.often] would run {outside}", done.stderr)
                self.assertFalse(output.exists())
            for words in (["--allow-scripts"], ["--set", f"insitu.often.script={outside}"]):
                done = corral("check", self.case, *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"runs      {outside} (Python, with your rights)", done.stdout)
            self.assertEqual(corral("check", self.case, "--set", "output.watch=no").returncode, 0)
        done = corral("run", self.case, "--output", output, "--allow-scripts", "--steps", 1, *self.keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"runs      {outside} (Python, with your rights)", done.stdout)

    def test_interrupted(self):
        cut = self.directory / "interrupted"
        run = subprocess.Popen([CORRAL, "run", self.case, "--output", cut, "--quiet", *self.keys])
        while not (cut / "log.csv").exists():
            time.sleep(0.002)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(), 3)
        self.assertEqual(self.resumed(cut, self.seen(cut)), self.expected)
        self.same_results(cut)

    def test_lost_steps(self):
        """From a checkpoint before the last step the moments since are shown again, as they were."""
        cut = self.directory / "lost"
        self.run_into(cut, self.case, *self.keys, *settings(checkpoint__at_end="false"), "--steps", 55)
        before = self.seen(cut)
        step = int(checkpoints(cut)[-1].name)
        self.assertEqual(step, 40)
        self.run_into(cut, self.case, *self.keys, *settings(checkpoint__at_end=""), command="resume")
        after = self.seen(cut)
        for name in SCRIPTS:
            kept = next((i for i, line in enumerate(before[name])
                         if re.match(r"(wants|show) ", line) and int(line.split()[2]) > step), len(before[name]))
            self.assertLess(kept, len(before[name]))
            self.assertEqual(before[name][:kept] + after[name], self.expected[name])
            again = before[name][kept:]
            self.assertEqual(after[name][:len(again)], again)
        self.same_results(cut)

    def test_watched_from_the_middle(self):
        """A script that comes with the resumed run sees it from then on."""
        cut = self.directory / "later"
        self.run_into(cut, self.case, *self.keys, *settings(output__watch="false"), "--steps", 30)
        self.assertFalse((cut / "insitu").exists())
        said = self.resumed(cut, {name: [] for name in SCRIPTS}, *settings(output__watch=""))
        for name in SCRIPTS:
            self.assertEqual(said[name], self.expected[name][-len(said[name]):])
            self.assertLess(len(said[name]), len(self.expected[name]))


if __name__ == "__main__":
    unittest.main()
