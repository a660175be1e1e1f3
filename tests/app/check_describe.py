"""`corral describe --json` is JSON, and names every key that the table names and no other."""
import json
import re
import subprocess
import sys


def answer(*arguments):
    return subprocess.run([sys.argv[1], "describe", *arguments], check=True, capture_output=True, text=True).stdout


keys = json.loads(answer("--json"))["keys"]
in_json = [(key["driver"], key["section"], key["key"]) for key in keys]
in_table, driver, section = [], None, None
for line in answer().splitlines():
    if heading := re.match(r"Keys of driver = (\w+):", line):
        driver = heading[1]
    elif header := re.fullmatch(r"\[(.+)\]", line):
        section = header[1]
    elif row := re.match(r"  (\w+) ", line):
        in_table.append((driver, section, row[1]))

assert len(in_json) > 5 and in_json == in_table, set(in_json) ^ set(in_table)
assert len(set(in_json)) == len(in_json), "a key stands twice"
for key in keys:
    assert key["meaning"] and isinstance(key["required"], bool), key
    assert (key["type"] in ("choice", "choice or file")) == bool(key["choices"]), key
