#!/usr/bin/env python3
"""A driver of one's own, built from an installed corral: own_driver.py PROGRAM CASE PLUGIN

It runs, refuses what is wrong, goes on after a cut with the same bits for another number of threads, and is watched.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SMALLER = ["tracers.count=2000", "time.end=3", "output.fields=1", "output.tracers=0.7", "output.log=0.5"]


def call(*arguments, status=0, **environment):
    """What the program answers to arguments; fails where its exit status is another than that."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, **environment})
    assert done.returncode == status, f"{arguments}: {done.returncode} instead of {status}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def settings(*more):
    return [word for setting in [*SMALLER, *more] for word in ("--set", setting)]


def results(folder):
    """Every file that must have the same bits, by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "summary.json" and "checkpoint" not in path.parts}


def crossed(folder):
    with open(folder / "log.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [float(value) for row in rows for name, value in row.items() if name.startswith("crossed")]


def check(out):
    assert "2000" in call("check", case, *settings())
    said = call("check", case, *settings("time.dt=30"), status=2)
    assert "time.dt is longer than gyres.period" in said, said

    call("run", case, *settings(), "--threads", 1, "--quiet", "--output", out / "whole")
    call("run", case, *settings(), "--threads", 1, "--quiet", "--steps", 23, "--output", out / "cut")
    assert results(out / "cut") != results(out / "whole"), "the cut run was not cut"
    call("resume", case, *settings(), "--threads", 2, "--quiet", "--output", out / "cut")
    whole, cut = results(out / "whole"), results(out / "cut")
    assert whole.keys() == cut.keys(), whole.keys() ^ cut.keys()
    different = [name for name in whole if whole[name] != cut[name]]
    assert len(whole) > 8 and not different, f"of {len(whole)} files differ {different}"

    assert crossed(out / "whole")[-1] > 0.02, "nothing has crossed between gyres that swing"
    call("run", case, *settings("gyres.swing=0"), "--quiet", "--output", out / "steady")
    assert max(crossed(out / "steady")) == 0, "tracers cross a line that nothing flows across"

    shutil.copytree(case, out / "case")
    (out / "case/script").write_text("look\n")
    with open(out / "case/case.ini", "a") as file:
        file.write("[insitu.look]\nscript = script\ninterval = 1 s\n")
    call("run", out / "case", *settings(), "--quiet", "--output", out / "watched", CORRAL_INSITU_PLUGIN=plugin)
    seen = (out / "watched/insitu/look/seen.txt").read_text()
    assert seen.count("show ") == 4 and "density" in seen and "began_left" in seen, seen
    watched = results(out / "watched")
    assert all(watched[name] == whole[name] for name in whole if name != "used.ini"), "watching changes the results"
    print(f"{len(whole)} files: the same bits whole, cut and watched; crossed: {crossed(out / 'whole')[-1]:.3f}")


if __name__ == "__main__":
    program, case, plugin = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder))
