"""Signals at any moment: within long steps, and while a case is made."""

import random
import signal
import subprocess
import time
import unittest

from command import CASES, CORRAL, LONG, settings
from cut_runs import ResumeTest, checkpoints

SIGNALS = 40 if LONG else 6

# A step is a second or so, nearly all of it the solver's: many cells, and a tolerance that takes many iterations.
SLOW = """
[case]
driver = mppic
[grid]
cells = {cells}
size = {size} mm
[sides]
z_high = outlet
[gas]
tolerance = 1e-15
[solids]
density = 2500 kg/m3
[size.grains]
diameter = 0.3 mm
[seed.bed]
high = {low} mm
arrangement = random
solids_fraction = 0.2
parcels = 20000
[time]
dt = 2e-4 s
end = 1.2e-3 s
[output]
log = 2e-4 s
fields = 0
parcels = 4e-4 s
"""


class Signals(ResumeTest):
    def send(self, command, case, output, after, *options, number=signal.SIGTERM):
        run = subprocess.Popen([CORRAL, command, case, "--output", output, "--quiet", *options], stderr=subprocess.PIPE,
                               text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(run.stderr.close)
        after(run)
        run.send_signal(number)
        began = time.monotonic()
        try:
            said = run.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            run.kill()
            said = run.communicate()[1]
        return run.returncode, said, time.monotonic() - began

    def test_long_steps(self):
        """The step under way is finished, and what goes on has the same bytes."""
        n = 64 if LONG else 40
        case = self.write_case(SLOW.format(cells=f"{n}, {n}, {n}", size=f"{n}, {n}, {n}", low=f"{n}, {n}, 8"))
        whole, output = self.directory / "whole", self.directory / "cut"
        began = time.monotonic()
        self.run_into(whole, case)
        step = (time.monotonic() - began) / 6
        chance, ends = random.Random(3), []
        wait = lambda run: time.sleep(chance.uniform(0.2, 2) * step)
        for _ in range(SIGNALS):
            command = "resume" if output.exists() and (output / "checkpoint").exists() else "run"
            status, said, took = self.send(command, case, output, wait)
            self.assertIn(status, (0, 3, -signal.SIGTERM), said)
            if status == -signal.SIGTERM:  # before the first step
                self.assertIn("nothing was written", said)
                continue
            self.assertLess(took, 5 * step + 5)
            self.assertTrue(checkpoints(output))
            ends.append(status)
            if status == 0:
                break
        self.assertIn(3, ends)
        self.run_into(output, case, command="resume")
        self.assert_same_results(whole, output)
        print(f"promise signals: steps of about {step:.2f} s; {ends.count(3)} runs ended by a signal within them, none differs")

    def test_what_queues_send(self):
        """The end of a job's time or of its processor time; the latter is said again each second."""
        case = self.write_case(SLOW.format(cells="24, 24, 24", size="24, 24, 24", low="24, 24, 8"))
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU):
            output = self.directory / number.name

            def again(run):
                while not (output / "log.csv").exists():
                    time.sleep(0.002)
                for _ in range(2):
                    run.send_signal(number)
                    time.sleep(0.001)

            status, said, _ = self.send("run", case, output, again, "--set", "time.end=1000", number=number)
            self.assertEqual(status, 3, said)
            self.assertTrue(checkpoints(output))

    def test_while_a_case_is_made(self):
        """A crowd that finds no room for long: the process ends at once, and nothing was written."""
        case, crowd = CASES / "blood_channel", settings(membranes__blood__volume_fraction=0.6)
        for number in (signal.SIGINT, signal.SIGTERM):
            output = self.directory / number.name
            status, said, took = self.send("run", case, output, lambda run: time.sleep(1), *crowd, number=number)
            self.assertEqual(status, -number, said)
            self.assertEqual(said, "corral: ended by a signal before the first step; nothing was written\n")
            self.assertLess(took, 1)
            self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
