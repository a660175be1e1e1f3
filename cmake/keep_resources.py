#!/usr/bin/env python3
"""A launcher of nvcc: keep_resources.py COMMAND...

Runs the command and keeps what ptxas says of the device entries (-Xptxas=-v) beside the object, in OBJECT.resources,
for tests/house/device_resources.py. Everything else goes on to the screen.
"""

import subprocess
import sys

command = sys.argv[1:]
run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
lines = run.stderr.splitlines(keepends=True)
of_ptxas = [l for l in lines if l.startswith("ptxas info") or "bytes stack frame" in l]
sys.stderr.writelines(l for l in lines if l not in of_ptxas)
if "-o" in command and "-c" in command:
    with open(command[command.index("-o") + 1] + ".resources", "w") as out:
        out.writelines(of_ptxas)
sys.exit(run.returncode)
