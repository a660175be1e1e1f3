"""Runs a case several times with other numbers, for scripts that judge these runs together.

The command is `corral`, or what CORRAL in the environment says.
"""

import os
import subprocess
import sys
from pathlib import Path

from case_files import Run


def run_all(script, variants):
    """Runs the case beside a script once for each variant, {name: {key: value}}, and returns {name: Run}. Results lie in out_NAME beside
    it, or below the directory that the command line begins with; what follows there are options of all runs. A run whose directory is
    there already is read and not made again."""
    case = Path(script).resolve().parent
    below, options = Path(sys.argv[1]) if len(sys.argv) > 1 else case, sys.argv[2:]
    runs = {}
    for name, keys in variants.items():
        output = below / f"out_{name}"
        if not output.exists():
            settings = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
            command = [os.environ.get("CORRAL", "corral"), "run", str(case), "--quiet", "--output", str(output), *options, *settings]
            if subprocess.run(command, check=False).returncode != 0:
                sys.exit(2)
        runs[name] = Run(output)
    return runs
