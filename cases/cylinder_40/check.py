#!/usr/bin/env python3
"""Checks a cylinder's drag and eddies: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cylinders import judge

sys.exit(judge(__file__))
