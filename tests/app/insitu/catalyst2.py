#!/usr/bin/env python3
"""Runs small cases watched through Catalyst 2: catalyst2.py CORRAL PLUGIN CASES [--library]

The plug-in is that with the stand-in for libcatalyst, which writes down what it is handed, or with --library the real
one, whose own implementation dumps it to files.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = {"goldschmidt": ["--until", "0.004", "--set", "insitu.view.interval=0.002", "--set", "output.fields=0.002"],
         "red_cells_8": ["--steps", "4", "--set", "insitu.view.interval=0", "--set", "grid.cells=32,32,32",
                         "--set", "surface.red_cell.vertices=162"]}


class Bench:
    def __init__(self, corral, plugin, cases):
        self.corral, self.plugin, self.cases, self.folder = corral, plugin, Path(cases), Path(tempfile.mkdtemp())
        (self.folder / "script.py").write_text("look\n")

    def run(self, case, *options, **environment):
        out = self.folder / f"{case}-{len(list(self.folder.iterdir()))}"
        done = subprocess.run([self.corral, "run", self.cases / case, "--output", out, *CASES[case], *options],
                              capture_output=True, text=True, cwd=self.folder,
                              env=os.environ | {"CORRAL_INSITU_PLUGIN": self.plugin} | environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return out, done.stderr

    def watched(self, case, **environment):
        """Watched, and without a difference to what a run that is not writes."""
        script = f"insitu.view.script={self.folder}/script.py"
        out, errors = self.run(case, "--set", "output.watch=true", "--set", script, **environment)
        notices = json.loads((out / "summary.json").read_text())["notices"]
        assert notices == [], (notices, errors)
        plain, _ = self.run(case)
        assert results(out) == results(plain), f"{case}: results differ where a run is watched"
        return out / "insitu/view"


def results(out):
    return {f.name: f.read_bytes() for f in out.iterdir() if f.is_file() and f.name not in ("summary.json", "used.ini")}


def leaves(seen):
    """Path to what is said of it, of each call."""
    calls = seen.split("execute\n")[1:]
    return [dict(line.split(" ", 1) for line in call.splitlines() if line.startswith("catalyst/")) for call in calls]


def size(leaf):
    return int(re.search(r"count (\d+)", leaf)[1])


def check_stand_in(bench):
    seen = (bench.watched("goldschmidt") / "seen.txt").read_text()
    assert "broken" not in seen and seen.endswith("finalize\n"), seen[-2000:]
    calls = leaves(seen)
    assert [call["catalyst/state/timestep"] for call in calls] == ["int64 0", "int64 10", "int64 20"], seen[:2000]
    last = calls[-1]
    parcels, fields = "catalyst/channels/parcels.pvd/data/", "catalyst/channels/fields/data/"
    assert size(last[parcels + "coordsets/coords/values/z"]) == 24750
    assert size(last[parcels + "fields/velocity/values/x"]) == 24750
    assert last[parcels + "fields/id/values"].startswith("uint64 count 24750 stride 8 at 0x")
    assert [last[fields + f"coordsets/coords/dims/{axis}"] for axis in "ijk"] == ["int64 2", "int64 16", "int64 46"]
    assert size(last[fields + "fields/solids_fraction/values"]) == 675
    assert last[fields + "fields/gas_velocity/values/z"].startswith("float64 count 675 stride 24 at 0x")
    rising = float(last[fields + "fields/gas_velocity/values/z"].rpartition("sum ")[2]) / 675
    assert 1 < rising < 3, rising  # [m/s]

    seen = (bench.watched("red_cells_8") / "seen.txt").read_text()
    assert "broken" not in seen and seen.endswith("finalize\n"), seen[-2000:]
    calls = leaves(seen)
    assert len(calls) == 5, len(calls)
    vertices = "catalyst/channels/vertices/data/"
    assert calls[-1][vertices + "topologies/mesh/elements/shape"] == "text tri"
    count = size(calls[-1][vertices + "coordsets/coords/values/x"])
    corners = calls[-1][vertices + "topologies/mesh/elements/connectivity"]
    triangles = 2 * count - 4 * 8  # Euler, of eight closed surfaces
    assert corners.startswith(f"int32 count {3 * triangles} stride 4 at 0x"), (count, corners)


def check_library(bench):
    dumps = bench.folder / "dumps"
    dumps.mkdir()
    bench.watched("goldschmidt", CATALYST_DATA_DUMP_DIRECTORY=str(dumps))
    names = sorted(f.name for f in dumps.iterdir())
    assert any(name.startswith("execute") for name in names), names


if __name__ == "__main__":
    bench = Bench(*sys.argv[1:4])
    (check_library if "--library" in sys.argv else check_stand_in)(bench)
    shutil.rmtree(bench.folder)
    print("in agreement")
