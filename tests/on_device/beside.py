"""Runs of a shipped case on the host and on a device, and the time that their steps took."""

import json
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"
sys.path.insert(0, str(CASES))
from case_files import Run  # noqa: E402

ONCE = ("set up", "start", "output", "checkpoint")  # phases that are no part of a step


class Failed(Exception):
    """A run did, and said so."""


def settings(keys):
    return [word for key in keys for word in ("--set", key)]


def run_case(corral, case, output, *options):
    """The run, and its summary."""
    done = subprocess.run([corral, "run", CASES / case, "--quiet", "--overwrite", "--output", output, *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{case} {' '.join(options)}: {done.stderr.strip()}")
    return Run(output), json.loads((output / "summary.json").read_text(encoding="utf-8"))


def seconds_of_phases(summary):
    """Of a step, all steps together."""
    return {phase["name"]: phase["seconds"] for phase in summary["phases"] if phase["name"] not in ONCE}


def milliseconds(summary):
    """That a step took."""
    return 1e3 * sum(seconds_of_phases(summary).values()) / max(summary["steps"], 1)


def status_of(work):
    """0 where each of these calls, in turn, was content; a run that failed is told of, and the others go on."""
    good = True
    for one in work:
        try:
            good = one() and good
        except Failed as failed:
            print(failed, flush=True)
            good = False
    return 0 if good else 1
