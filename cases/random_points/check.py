#!/usr/bin/env python3
"""Checks the shape of Table 1 of Kassen, Shankar and Fogelson: check.py [JSON_FILE_OF_THE_BENCHMARK]"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, cannot_judge


def measured():
    """Rows of the suite, from the file that is named or from a run of it."""
    if len(sys.argv) > 1:
        return json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="corral-") as directory:
        file = Path(directory) / "points.json"
        command = [os.environ.get("CORRAL", "corral"), "bench", "--suite", "random_points", "--json-file", str(file)]
        subprocess.run(command, check=True)
        return json.loads(file.read_text(encoding="utf-8"))


def seconds_of(rows, task, method):
    """Seconds by cells along an axis."""
    return {row["cells"][0]: row["seconds_median"] for row in rows if (row["map"], row["method"]) == (task, method)}


try:
    rows = measured()
except (OSError, ValueError, subprocess.CalledProcessError) as fault:
    cannot_judge(f"there are no measurements ({fault}) name a file of them, or have corral on PATH")
plain = seconds_of(rows, "spread", "sort_reduce")
buffered = seconds_of(rows, "spread", "sort_reduce_buffered")
spread, sort = (seconds_of(rows, task, "automatic") for task in ("spread", "sort"))
grids = sorted(plain)
if len(grids) < 2 or not all(sorted(of) == grids for of in (buffered, spread, sort)):
    cannot_judge("the file does not hold what corral bench --suite random_points --json-file writes")

checks = Checks("Random points, spread by sort_reduce on finer and finer grids")
growth = {name: of[grids[-1]] / of[grids[0]] for name, of in (("unbuffered", plain), ("buffered", buffered))}
checks.report(f"unbuffered, {grids[-1]}^3 over {grids[0]}^3", growth["unbuffered"], "1.14 in the paper")
checks.report(f"buffered, {grids[-1]}^3 over {grids[0]}^3", growth["buffered"], "1.6 to 1.7 in the paper")
checks.at_most("growth of the unbuffered over that of the buffered", growth["unbuffered"] / growth["buffered"], 0.9)
for n in grids:
    checks.at_most(f"buffered over unbuffered, {n}^3", buffered[n] / plain[n], 1)
    checks.at_most(f"sort and automatic spread over buffered, {n}^3", (sort[n] + spread[n]) / buffered[n], 0.5)
sys.exit(checks.end())
