"""Every row of hostile_table.py, checked and run: refused with one message and status 2, or fine, soon and in little memory.

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

from command import CORRAL, corral
import hostile_table as table

SECONDS = 2.0
MEGABYTES = 256
COMMANDS = {"check": [], "run": ["--quiet", "--steps", "2", "--threads", "1"]}
BOTH, READ = ["check", "run"], ["check"] # what cannot be read is refused by one piece of code


def case_text(changes):
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


def rows():
    """(changes, words, statuses that are right, blamed keys, commands) of every row, the generated ones included."""
    for changes, words, *blamed in table.REFUSED:
        yield changes, words, {2}, blamed, BOTH
    for changes, words in table.FINE:
        yield changes, words, {0}, [], BOTH
    names = {"size.*": "size.grains", "seed.*": "seed.bed", "inlet.*": "inlet.floor"}
    for key in json.loads(corral("describe", "--json").stdout)["keys"]:
        path = f"{names.get(key['section'], key['section'])}.{key['key']}"
        if "real" in key["type"] or "integer" in key["type"]:
            count = 3 if key["type"].startswith("3") else 1
            for value in table.BAD_NUMBERS:
                if not (key["type"].startswith("list") and value == "1, 2"):
                    yield f"{path} = {value} ", key["key"], {2}, [], READ
            for value in table.FAR_NUMBERS:
                # A box or a packing that nothing fits is said of what does not fit.
                blamed = ["seed.bed.high", "seed.bed.solids_fraction"] if path.startswith(("grid", "solids")) else []
                yield f"{path} = {', '.join([value] * count)}", "", {0, 2}, blamed, BOTH
        elif key["type"] != "text":
            for value in table.BAD_WORDS:
                yield f"{path} = {value} ", key["key"], {2}, [], READ


def limited(*arguments):
    """The finished command in little address space: status, what it said, seconds of the processor, megabytes."""
    shell = f"ulimit -t 10; ulimit -v {4 * MEGABYTES * 1024}; exec \"$@\""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(["sh", "-c", shell, "sh", CORRAL, *arguments], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(directory, row, number):
    """What is wrong with how the row is treated, a line each."""
    changes, words, allowed, blamed, commands = row
    case = directory / str(number)
    case.mkdir()
    text, named, lines = case_text(changes)
    named = {lines[key] for key in blamed} | (named if 0 in allowed or not blamed else set())
    (case / "case.ini").write_text(text, encoding="utf-8")
    wrong, statuses = [], set()
    for command in commands:
        status, out, err, seconds, megabytes = limited(command, str(case), *COMMANDS[command])
        statuses.add(status)
        said = err.strip().splitlines()
        if status not in allowed:
            wrong.append(f"{command} ends with {status}: {err.strip() or out.strip()}")
        elif status == 2:
            place = re.match(re.escape(str(case / "case.ini")) + r":(\d+): ", err)
            if len(said) != 1 or not place or out:
                wrong.append(f"{command} does not say one message with its place: {err.strip()}")
            elif int(place[1]) not in named:
                wrong.append(f"{command} blames line {place[1]}, not {sorted(named)}: {err.strip()}")
            if words not in err:
                wrong.append(f"{command} does not say '{words}': {err.strip()}")
            if [p.name for p in case.iterdir()] != ["case.ini"]:
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
    all_rows = [row for row in rows() if words in row[0] + row[1]]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="corral-") as directory, ThreadPoolExecutor(2) as pool:
        judged = pool.map(lambda n: judge(Path(directory), all_rows[n], n), range(len(all_rows)))
        for row, wrong in zip(all_rows, judged):
            if wrong:
                failed += 1
                print("\n".join([row[0].strip() or "(nothing changed)", *("    " + line for line in wrong)]))
    print(f"{len(all_rows)} hostile cases, {failed} treated badly")
    return 1 if failed or not all_rows else 0


if __name__ == "__main__":
    sys.exit(main())
