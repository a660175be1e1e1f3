#!/usr/bin/env python3
"""Checks what device entries take: device_resources.py LIMITS FOLDER

FOLDER holds the *.resources files that cmake/keep_resources.py left beside the objects. An entry may spill nothing,
may have no stack frame but one that LIMITS lists with its reason, and takes at most the registers and static shared
memory that LIMITS says; every entry is listed, and nothing else. LIMITS: a line per entry, `name registers shared stack
reason`.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

MOST_ENTRIES = 390  # an architecture; three for each shipped kernel, the others by shape


def entries(folder):
    """(architecture, name, mangled name, stack, spilled, registers, shared) of every entry of the engine's."""
    for path in sorted(Path(folder).rglob("*.resources")):
        mangled = architecture = None
        stack = spilled = 0
        for line in path.read_text().splitlines():
            if found := re.search(r"Compiling entry function '(\w+)' for '(\w+)'", line):
                mangled, architecture = found.groups()
                stack = spilled = 0
            elif found := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill", line):
                stack, spilled = int(found[1]), int(found[2]) + int(found[3])
            elif mangled and (found := re.search(r"Used (\d+) registers", line)):
                shared = re.search(r"(\d+) bytes smem", line)
                if "3cub" not in mangled:
                    name = re.search(r"\d+([a-z][a-z_]*_global)", mangled)
                    yield (architecture, name[1] if name else mangled, mangled, stack, spilled, int(found[1]),
                           int(shared[1]) if shared else 0)
                mangled = None


def read_limits(path):
    limits = {}
    for line in Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            name, registers, shared, stack, *reason = line.split(None, 4)
            limits[name] = (int(registers), int(shared), int(stack), "".join(reason))
    return limits


def main(limits_path, folder):
    limits, complaints, counts = read_limits(limits_path), [], defaultdict(int)
    most = defaultdict(lambda: (0, 0, 0))
    for architecture, name, mangled, stack, spilled, registers, shared in entries(folder):
        counts[architecture] += 1
        most[name] = tuple(map(max, most[name], (registers, shared, stack)))
        where = f"{name} ({architecture}, {mangled})"
        if spilled:
            complaints.append(f"{where} spills {spilled} bytes")
        if name not in limits:
            continue
        for what, is_, may in zip(("registers", "bytes of shared memory", "bytes of stack"), (registers, shared, stack),
                                  limits[name]):
            if is_ > may:
                complaints.append(f"{where} takes {is_} {what} ({may} in {limits_path})")
    for name, numbers in sorted(most.items()):
        if name not in limits:
            complaints.append(f"{name} is not in {limits_path}; it takes: {name} " + " ".join(map(str, numbers)))
        elif numbers[2] and not limits[name][3]:
            complaints.append(f"{name} has a stack frame without a reason in {limits_path}")
    complaints += [f"{name} of {limits_path} is no entry (remove it)" for name in sorted(set(limits) - set(most))]
    complaints += [f"{n} entries for {a} (at most {MOST_ENTRIES})" for a, n in counts.items() if n > MOST_ENTRIES]
    if not counts:
        complaints.append(f"no device entries below {folder}")
    print("\n".join(complaints) or ", ".join(f"{n} entries for {a}" for a, n in sorted(counts.items())))
    return bool(complaints)


sys.exit(main(*sys.argv[1:]))
