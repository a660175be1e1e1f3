"""A run over ranks, one of which is killed a hundred times at random, and which goes on each time, on another number of ranks as often as not."""

import os
import random
import signal
import subprocess
import time
import unittest

from case_files import Run
from command import settings
from gas_solid_over_ranks import BED
from ranks import ENVIRONMENT, RanksTest, children, over, words

KILLS = int(os.environ.get("KILLS", "100"))
OPTIONS = settings(time__end="100 s", output__log="1 s", output__fields="100 s", output__parcels="100 s", output__audit="false",
                   inlet__jet__solids_rate="1e-4 kg/s", checkpoint__steps=11)


class KilledRanks(RanksTest):
    def test_nothing_is_lost(self):
        case, output = self.write_case(BED, "bed"), self.directory / "out"
        chance = random.Random(38)
        verb, step = "run", 0
        for kill in range(KILLS):
            ranks = chance.choice((2, 3, 4))
            with subprocess.Popen(words(ranks, verb, case, "--quiet", "--threads", 1, "--output", output, *OPTIONS), env=os.environ | ENVIRONMENT,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
                time.sleep(chance.uniform(0.3, 2.5))  # before its first checkpoint, in the middle of one, and later
                victims = children(run.pid)
                if victims:
                    os.kill(chance.choice(victims), signal.SIGKILL)
                said, _ = run.communicate(timeout=60)
                self.assertNotIn("books", said, f"kill {kill} of {ranks} ranks")
                self.assertNotEqual(run.returncode, 0, said)
            found = sorted(int(path.parent.name) for path in (output / "checkpoint").glob("0*/manifest"))
            if found:
                self.assertGreaterEqual(found[-1], step, "checkpoints only come")
                verb, step = "resume", found[-1]
            elif output.exists():
                verb = "run"
                subprocess.run(["rm", "-r", output], check=True)
        self.assertGreater(step, 0)
        done = over(3, "resume", case, "--quiet", "--threads", 1, "--output", output, *OPTIONS, "--steps", 22)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        log = Run(output).log
        self.assertEqual(log["created"][-1], log["parcels"][-1] + log["left"][-1] + log["rejected"][-1])


if __name__ == "__main__":
    unittest.main()
