"""The command over ranks, for tests of cases that ranks share."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from case_files import Run
from command import CaseTest, corral

OVER_RANKS, MPIEXEC, NUMPROC = os.environ["CORRAL_OVER_RANKS"], os.environ["MPIEXEC"], os.environ["MPIEXEC_NUMPROC_FLAG"]

ENVIRONMENT = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_odls_base_sigkill_timeout": "0"}  # what has failed has nothing to say any more: a second less for each refusal


def words(ranks, *arguments):
    return [MPIEXEC, NUMPROC, str(ranks), OVER_RANKS, *map(str, arguments)]


def over(ranks, *arguments):
    return subprocess.run(words(ranks, *arguments), capture_output=True, text=True, check=False, timeout=300, env=os.environ | ENVIRONMENT)


def children(parent):
    """Processes that it has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text(encoding="utf-8")
        except OSError:  # it has ended
            continue
        name, fields = text[text.index("(") + 1:].rsplit(")", 1)
        if int(fields.split()[1]) == parent and "corral_over_r".startswith(name[:13]):
            found.append(int(stat.parent.name))
    return found


class RanksTest(CaseTest):
    def run_alone(self, case, *options, verb="run", name="alone"):
        done = corral(verb, case, "--quiet", "--threads", 1, "--output", self.directory / name, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.directory / name

    def run_over(self, ranks, case, *options, verb="run", status=0, name=None):
        output = self.directory / (name or f"over_{ranks}")
        done = over(ranks, verb, case, "--quiet", "--threads", 1, "--output", output, *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return output

    def check_logs(self, one, other, tolerance, nothing, left_out=()):
        """Figures of the same name, to the largest of their unit: round-off of sums is that of what they are made of. `nothing` is what those
        may be that are 0. Left out are figures with such words in their names."""
        a, b = Run(one).log, Run(other).log
        self.assertEqual(list(a), list(b))
        units = {name: about["unit"] for name, about in json.loads((one / "summary.json").read_text())["log_columns"].items()}
        scale = {unit: max(max(map(abs, values)) for name, values in a.items() if units.get(name) == unit) for unit in units.values()}
        for column, values in a.items():
            if not any(word in column for word in left_out):
                for x, y in zip(values, b[column], strict=True):
                    self.assertLessEqual(abs(x - y), max(tolerance * scale.get(units.get(column), 0), nothing), column)

    def killed_once_it_has_a_checkpoint(self, ranks, case, *options, name="killed"):
        """One of the ranks is killed by the system; all end."""
        output = self.directory / name
        with subprocess.Popen(words(ranks, "run", case, "--quiet", "--threads", 1, "--output", output, *options), env=os.environ | ENVIRONMENT,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            deadline = time.monotonic() + 60
            while not list((output / "checkpoint").glob("0*/manifest")) and time.monotonic() < deadline:
                time.sleep(0.05)
            victims = children(run.pid)
            self.assertEqual(len(victims), ranks, "the ranks are mpirun's children")
            os.kill(victims[-1], signal.SIGKILL)
            self.assertNotEqual(run.wait(timeout=20), 0)
        return output
