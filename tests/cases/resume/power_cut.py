"""A machine that goes down: what a checkpoint counts on had reached the disk before the checkpoint got its name."""

import os
import subprocess
import unittest

from command import CASES, CORRAL, settings
from cut_runs import ResumeTest, checkpoints

# Written anew where a run goes on.
AGAIN = ("used.ini", ".pvd", "openpmd.pmd", "summary.json", "corral.lock", "newest")


def events(trace):
    """(what, path, to) of each operation that changed a file, in their order."""
    return [line.split("\t") for line in trace.read_text().splitlines()]


class Disk:
    """Names and files that would be lost if the machine went down now."""

    def __init__(self):
        self.unsafe_files, self.unsafe_names = set(), set()

    def take(self, what, path, to):
        if what == "write":
            self.unsafe_files.add(path)
        elif what == "create":
            self.unsafe_names.add(path)
        elif what == "fsync":
            self.unsafe_files.discard(path)
            self.unsafe_names = {name for name in self.unsafe_names if os.path.dirname(name) != path}
        elif what == "rename":
            for paths in (self.unsafe_files, self.unsafe_names):
                moved = {p for p in paths if p == path or p.startswith(path + "/")}
                paths -= moved
                paths |= {to + p[len(path):] for p in moved}
            self.unsafe_names.add(to)

    def lost(self, directory):
        return sorted(p for p in self.unsafe_files | self.unsafe_names if p.startswith(str(directory)))


class PowerCut(ResumeTest):
    def test_order(self):
        case = self.write_case((CASES / "column" / "case.ini").read_text(encoding="utf-8"))
        keys = settings(time__end="0.01", output__log="2e-3", output__fields="2e-3", output__parcels="2e-3",
                        output__format="both", checkpoint__steps=3)
        output = self.directory.resolve() / "new" / "out"
        trace = self.directory / "trace"
        for command, steps in (("run", ["--steps", "7"]), ("resume", [])):
            trace.unlink(missing_ok=True)
            subprocess.run([CORRAL, command, case, "--output", output, "--quiet", *keys, *steps], check=True,
                           env={**os.environ, "LD_PRELOAD": os.environ["FAIL_AT_LIBRARY"], "FAIL_TRACE": str(trace)})
            disk, published = Disk(), 0
            for what, path, to in events(trace):
                if what == "rename" and path.endswith(".part") and os.path.basename(to).isdigit():
                    published += 1
                    lost = [p for p in disk.lost(output.parent) if not p.endswith(AGAIN) and p != path]
                    self.assertEqual(lost, [], f"{command}: when {to} gets its name")
                disk.take(what, path, to)
            self.assertGreaterEqual(published, 1, command)
            newest = checkpoints(output)[-1]
            self.assertEqual([p for p in disk.lost(output) if p.startswith(str(newest))], [], "in the end")


if __name__ == "__main__":
    unittest.main(verbosity=2)
