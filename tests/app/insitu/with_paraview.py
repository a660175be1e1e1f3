"""What tests that need ParaView have in common."""

import subprocess
import sys


def skip_without_paraview():
    """Exits with 77 where ParaView's Python is missing. It is asked in a process of its own: an import starts ParaView."""
    if subprocess.run([sys.executable, "-c", "import paraview"], capture_output=True).returncode:
        print("skipped: ParaView's Python is not installed (tools/packages insitu)")
        sys.exit(77)
