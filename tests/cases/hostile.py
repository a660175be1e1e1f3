"""Hostile cases, checked and run: refused with one message and status 2, or fine, soon and in little memory.

A table (hostile_table.py, hostile_membranes.py, hostile_bodies.py, hostile_beads.py) has a GOOD case and what is changed in it. Each row of REFUSED is (changes,
words): `section.key = value` a line, where `section.key =` takes the key away, `[section] =` all of it, and a section that the
good case lacks is added; words of the one message that refuses it. It names a line of a section that was changed, or that of a third value,
a key, a section or, as "NAME:LINE", a place in a file. FILES that changes speak of lie beside the case.
Rows of FINE are (changes, words of the warning that `check` gives, or ""). BAD_NUMBERS and FAR_NUMBERS are tried for
every key that has numbers, BAD_WORDS for every other one: each seventh of these rows, and with THOROUGH=1 all.

    CORRAL=build/cpu/app/corral PYTHONPATH=cases tests/cases/hostile.py          # all
    CORRAL=... PYTHONPATH=cases tests/cases/hostile.py WORDS                     # the rows that hold these words
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from command import CORRAL, THOROUGH, corral
import hostile_beads
import hostile_bodies
import hostile_membranes
import hostile_table

SECONDS = 2.0
MEGABYTES = 256
COMMANDS = {"check": [], "run": ["--quiet", "--steps", "2", "--threads", "1"]}
# What no key takes for a number.
BAD_NUMBERS = ("nan", "inf", "-inf", "1e999", "0x10", "1 parsec", "1, 2", "one", "1e", "--1", "")
# What some keys take: fine or refused, but nothing else, with everything else as it is.
FAR_NUMBERS = ("0", "-1", "1e300", "-1e300", "1e-300", "9223372036854775807", "1e18")
BAD_WORDS = ("", "nonsense", "1")
BOTH, READ = ["check", "run"], ["check"] # what cannot be read is refused by one piece of code


def case_text(table, changes):
    """The changed case; the lines of the sections that were changed; the line of each section and key."""
    sections, changed = {}, set()
    for line in table.GOOD.splitlines():
        if line.startswith("["):
            sections[line[1:-1]] = {}
        else:
            key, value = line.split(" = ")
            sections[list(sections)[-1]][key] = value
    for change in filter(None, changes.splitlines()):
        path, _, value = change.partition(" =")
        if path.startswith("["):
            del sections[path[1:-1]]
            continue
        section, _, key = path.rpartition(".")
        changed.add(section)
        keys = sections.setdefault(section, {})
        keys.pop(key, None)
        if value:
            keys[key] = value.strip()
    text, lines, named = [], {}, {1}
    for section, keys in sections.items():
        begin = len(text) + 1
        text.append(f"[{section}]")
        lines[section] = begin
        for key, value in keys.items():
            text.append(f"{key} = {value}")
            lines[f"{section}.{key}"] = len(text)
        if section in changed:
            named.update(range(begin, len(text) + 1))
    return "\n".join(text) + "\n", named, lines


def rows(table):
    """(table, changes, words, statuses that are right, blamed places, commands) of the rows, generated ones included."""
    for changes, words, *blamed in table.REFUSED:
        yield table, changes, words, {2}, blamed, BOTH
    for changes, words in table.FINE:
        yield table, changes, words, {0}, [], BOTH
    generated = list(rows_of_each_key(table))
    yield from generated if THOROUGH or len(sys.argv) > 1 else generated[::7] # 7 and the 18 of a key have no divisor in common


def rows_of_each_key(table):
    """Those of BAD_NUMBERS, FAR_NUMBERS and BAD_WORDS."""
    for key in json.loads(corral("describe", "--json").stdout)["keys"]:
        if key["driver"] not in (None, table.DRIVER):
            continue
        path = f"{table.BLOCKS.get(key['section'], key['section'])}.{key['key']}"
        if "real" in key["type"] or "integer" in key["type"]:
            count = 3 if key["type"].startswith("3") else 1
            for value in BAD_NUMBERS:
                if not (key["type"].startswith("list") and value == "1, 2"):
                    yield table, f"{path} = {value} ", key["key"], {2}, [], READ
            for value in FAR_NUMBERS:
                blamed = table.BLAMED.get(path.partition(".")[0], [])
                yield table, f"{path} = {', '.join([value] * count)}", "", {0, 2}, blamed, BOTH
        elif key["type"] != "text":
            for value in BAD_WORDS:
                yield table, f"{path} = {value} ", key["key"], {2}, [], READ


def limited(*arguments):
    """The finished command in little address space: status, what it said, seconds of the processor, megabytes."""
    shell = f"ulimit -t 10; ulimit -v {4 * MEGABYTES * 1024}; exec \"$@\""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(["sh", "-c", shell, "sh", CORRAL, *arguments], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def wrong_place(case, err, named, place):
    """What is wrong with the place of a message: one line of the case, or lines that all begin with a place in a file."""
    said = err.strip().splitlines()
    if place:
        begins = str(case / place) + ": "
        return "" if said and all(s.startswith(begins.partition(":")[0] + ":") for s in said) and begins in err else "another place"
    match = re.match(re.escape(str(case / "case.ini")) + r":(\d+): ", err)
    if len(said) != 1 or not match:
        return "not one message with its place"
    return "" if int(match[1]) in named else f"line {match[1]} is blamed, not {sorted(named)}"


def judge(directory, row, number):
    """What is wrong with how the row is treated, a line each."""
    table, changes, words, allowed, blamed, commands = row
    case = directory / str(number)
    case.mkdir()
    text, named, lines = case_text(table, changes)
    (case / "case.ini").write_text(text, encoding="utf-8")
    for name, content in table.FILES.items():
        if name in changes:
            (case / name).write_bytes(content)
    files = sorted(p.name for p in case.iterdir())
    place = next((b for b in blamed if b not in lines and ":" in b), "")
    named = {lines[key] for key in blamed if key in lines} | (named if 0 in allowed or not blamed else set())
    wrong, statuses = [], set()
    for command in commands:
        status, out, err, seconds, megabytes = limited(command, str(case), *COMMANDS[command])
        statuses.add(status)
        if status not in allowed:
            wrong.append(f"{command} ends with {status}: {err.strip() or out.strip()}")
        elif status == 2:
            if out or (problem := wrong_place(case, err, named, place)):
                wrong.append(f"{command}: {problem}: {err.strip()}")
            if words not in err:
                wrong.append(f"{command} does not say '{words}': {err.strip()}")
            if sorted(p.name for p in case.iterdir()) != files:
                wrong.append(f"{command} left files behind")
        elif command == "check" and (words not in out or (not words and allowed == {0} and "warning" in out)):
            wrong.append(f"{command} does not warn of '{words}' alone: {out.strip()}")
        if re.search(r"\bnan\b|\binf\b|terminate|bad_alloc", re.sub(r"'[^']*'", "", err) + out):
            wrong.append(f"{command} says nonsense: {err.strip()} {out.strip()}")
        if seconds > SECONDS or megabytes > MEGABYTES:
            wrong.append(f"{command} takes {seconds:.1f} s and {megabytes:.0f} MB")
    if len(statuses) > 1 and not wrong:
        wrong.append(f"check and run disagree: {statuses}")
    return wrong


def main():
    words = " ".join(sys.argv[1:])
    all_rows = [row for table in (hostile_table, hostile_membranes, hostile_bodies, hostile_beads) for row in rows(table)
                if words in table.DRIVER + row[1] + row[2]]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="corral-") as directory, ThreadPoolExecutor(2) as pool:
        judged = pool.map(lambda n: judge(Path(directory), all_rows[n], n), range(len(all_rows)))
        for row, wrong in zip(all_rows, judged):
            if wrong:
                failed += 1
                print("\n".join([row[1].strip() or "(nothing changed)", *("    " + line for line in wrong)]))
    print(f"promise bad_input: {len(all_rows)} hostile cases, {failed} treated badly; {SECONDS:g} s and {MEGABYTES} MB each at most")
    return 1 if failed or not all_rows else 0


if __name__ == "__main__":
    sys.exit(main())
