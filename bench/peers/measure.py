"""What both comparisons share: calls timed in turn, medians, Markdown, and what machine this is."""

import os
import platform
import subprocess
import time
from datetime import date
from pathlib import Path

REST = 0.01  # s: threads of the call before may spin for a while after it


def in_turn(calls, repeats, threads=1):
    """Seconds of each call, `repeats` of each: {name: [seconds]}. A round, of all calls in turn, warms up before.

    Of calls on one thread the process' own processor time counts, which is wall time where nothing else runs; of others
    wall time.
    """
    clock = time.process_time if threads == 1 else time.perf_counter
    seconds = {name: [] for name in calls}
    for round_ in range(repeats + 1):
        for name, call in calls.items():
            time.sleep(REST)
            begin = clock()
            call()
            if round_ > 0:
                seconds[name].append(clock() - begin)
    return seconds


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def ratio(peer, ours):
    """The median over the rounds of the peer's time over ours: what slows a round slows both."""
    return median([p / o for p, o in zip(peer, ours)])


def times(figure):
    """A ratio in words of a table: bold where we lose."""
    return f"{figure:.2f}" if figure >= 1 else f"**{figure:.2f}**"


def milliseconds(values):
    figure = 1e3 * median(values)
    return f"{figure:.1f}" if figure < 100 else f"{figure:.0f}"


def markdown(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def thread_counts(words):
    """The argument of --threads: numbers above 0, with commas between them."""
    counts = [int(word) for word in words.split(",")]
    if min(counts) < 1:
        raise ValueError(words)
    return counts


def answer(*command):
    """The first line that a command prints, or nothing where there is no such command."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return said[0].strip() if said else ""


def processor():
    """Vendor's name, family and model: virtual machines often hide the rest."""
    said = {}
    if Path("/proc/cpuinfo").exists():
        for line in Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines():
            key, _, value = line.partition(":")
            said[key.strip()] = value.strip()
    virtual = ", virtual machine" if "hypervisor" in said.get("flags", "").split() else ""
    name = said.get("model name", platform.processor() or platform.machine())
    family = f" family {said['cpu family']} model {said['model']}" if "cpu family" in said else ""
    return f"{name}{family}, {os.cpu_count()} processors{virtual}"


def provenance(repository, versions):
    """Machine, versions, date and commit, as the lines above a table."""
    commit = answer("git", "-C", str(repository), "describe", "--always", "--dirty", "--exclude", "*") or "unknown"
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    return "\n".join([
        f"- machine: {processor()}; {platform.system()} {platform.release()}; load: {load}",
        f"- versions: corral at commit {commit} ({answer('c++', '--version')}), " + ", ".join(versions),
        f"- date: {date.today().isoformat()}",
    ])
