"""`corral bench` answers with a line per measurement, or with JSON that has every figure; bad options exit 2."""
import json
import pathlib
import subprocess
import sys
import tempfile

TINY = ["--cells", "6,5,4", "--particles", "200", "--repeats", "1"]
MEMBERS = {
    "backend", "instruction_set", "map", "start", "kernel", "method", "staggering", "fields", "layout", "precision",
    "threads",
    "cells", "particles", "distribution", "order", "offset", "repeats", "seconds_median", "particles_per_second",
    "ratio_to_plain", "in_plain_maps", "fraction_of_stream", "ratio_to_one_thread", "arithmetic_gain",
    "stream_gain", "plain_seconds", "stream_seconds", "targets",
}


def bench(*options, status=0):
    answer = subprocess.run([sys.argv[1], "bench", *options], capture_output=True, text=True)
    assert answer.returncode == status, (options, answer)
    return answer


rows = json.loads(bench(*TINY, "--json").stdout)
assert [(row["map"], row["order"]) for row in rows] == [
    ("spread", "sorted"), ("interpolate", "sorted"), ("sort", "random"), ("reorder", "random"), ("sort", "sorted"),
    ("sort", "moved")
], rows
for row in rows:
    assert set(row) == MEMBERS, set(row) ^ MEMBERS
    assert (row["backend"], row["kernel"], row["method"], row["staggering"]) == ("cpu", "linear", "automatic", "centre")
    assert (row["fields"], row["precision"], row["threads"]) == (3, "double", 1)
    assert (row["cells"], row["particles"], row["distribution"]) == ([6, 5, 4], 200, "uniform")
    close = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
    assert close(row["particles_per_second"], 200 / row["seconds_median"]), row
    assert close(row["ratio_to_plain"], row["plain_seconds"] / row["seconds_median"]), row
    assert close(row["in_plain_maps"], row["seconds_median"] / row["plain_seconds"]), row
    assert close(row["fraction_of_stream"], row["stream_seconds"] / row["seconds_median"]), row

lines = bench(*TINY, "--staggering=faces", "--precision", "float").stdout.splitlines()
assert len(lines) == 7 and lines[0].startswith("map ") and lines[1].startswith("spread "), lines
assert all(" faces " in line and " float " in line for line in lines[1:]), lines

rows = json.loads(bench(*TINY, "--map", "direct", "--json").stdout)
assert [row["map"] for row in rows] == ["direct_spread", "direct_interpolate"], rows

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "rows.json"
    table = bench(*TINY, "--map", "spread", "--json-file", str(file)).stdout
    assert table.startswith("map ") and [row["map"] for row in json.loads(file.read_text())] == ["spread"], table

# Sums of Stokes flow: a row for each tolerance and number of threads, each within its tolerance.
rows = json.loads(bench("--suite", "stokes", "--particles", "500", "--repeats", "1", "--json").stdout)
assert [(row["tolerance"], row["threads"]) for row in rows] == [
    (tolerance, threads) for tolerance in (1e-3, 1e-6, 1e-9, 1e-12) for threads in (1, 2)], rows
for row in rows:
    assert row["points"] == 500 and 0 < row["error"] < row["tolerance"], row
    assert all(seconds > 0 for seconds in row["parts"].values()) and row["fraction_of_peak"] > 0, row

# With a device, rows with the same members; without one, or without CUDA, a line that says so.
answer = subprocess.run([sys.argv[1], "bench", *TINY, "--backend", "gpu", "--json"], capture_output=True, text=True)
if answer.returncode == 0:
    for row in json.loads(answer.stdout):
        assert set(row) == MEMBERS and row["backend"] == "gpu" and row["threads"] == 1, row
else:
    assert answer.returncode == 2 and answer.stdout == "" and answer.stderr.count("\n") == 1, answer
    assert answer.stderr.startswith("corral: a benchmark on the GPU ("), answer
    for suite in (["--suite", "gpu"], ["--suite", "methods", "--backend", "gpu"]):
        assert bench(*suite, status=2).stderr == answer.stderr

for bad in (["--cells", "0"], ["--kernel", "lineal"], ["--fast"], ["--suite"],
            ["--backend", "tpu"], ["--backend", "gpu", "--threads", "2"], ["--backend", "gpu", "--method", "serial"],
            ["--method", "octet"], ["--suite", "standard", "--backend", "gpu"], ["--suite", "gpu", "--backend", "cpu"]):
    answer = bench(*bad, status=2)
    assert answer.stdout == "" and answer.stderr.startswith("corral: ") and answer.stderr.count("\n") == 1, answer
