#!/usr/bin/env python3
"""Runs the first step of each case that ships a script, watched: views.py CORRAL PLUGIN CASES

Each draws the start and the first step, without a word of complaint. Exits with 77 where ParaView is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from catalyst import colours
from with_paraview import skip_without_paraview


def draw(corral, plugin, case, out):
    environment = {k: v for k, v in os.environ.items() if k != "DISPLAY"} | {"CORRAL_INSITU_PLUGIN": plugin}
    done = subprocess.run([corral, "run", case, "--output", out, "--steps", "1", "--quiet", "--set", "output.watch=true",
                           "--set", "insitu.view.interval=0"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    notices = [n for n in json.loads((out / "summary.json").read_text())["notices"] if "in situ" in n]
    assert notices == [], (case.name, notices, done.stderr)
    pictures = sorted((out / "insitu/view").glob("*.png"))
    assert [p.name for p in pictures] == ["view_000000.png", "view_000001.png"], (case.name, pictures, done.stderr)
    assert all(colours(p) > 100 for p in pictures), (case.name, [colours(p) for p in pictures])


def main(corral, plugin, cases):
    watched = sorted(script.parent.parent for script in Path(cases).glob("*/insitu/view.py"))
    assert len(watched) >= 25, watched
    with tempfile.TemporaryDirectory() as folder:
        for case in watched:
            text = (case / "case.ini").read_text()
            assert "\nwatch = false" in text and "\nscript = insitu/view.py\n" in text, case
            draw(corral, plugin, case, Path(folder) / case.name)
    print(f"{len(watched)} cases are drawn")


if __name__ == "__main__":
    skip_without_paraview()
    main(*sys.argv[1:])
