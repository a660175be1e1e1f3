"""What tools/peers is made of, without network, FINUFFT or OpenFOAM: peers.py REPOSITORY LIBCORRAL.so"""

import ctypes
import math
import subprocess
import sys
from pathlib import Path

repository = Path(sys.argv[1])
sys.path.insert(0, str(repository / "bench/peers"))
from bed import StepClock, with_entries
from corral_c import Library, Order
from measure import in_turn, markdown, median, ratio, thread_counts, times

# Figures.
assert median([3, 1, 2]) == 2 and median([4, 1, 2, 3]) == 2.5
assert ratio([2, 40, 6], [1, 10, 2]) == 3  # of rounds, not of medians
assert times(1.234) == "1.23" and times(0.5) == "**0.50**"
assert markdown(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"
assert thread_counts("1,16") == [1, 16]
called = []
seconds = in_turn({"first": lambda: called.append(1), "second": lambda: called.append(2)}, 2, threads=2)
assert called == [1, 2] * 3 and [len(seconds[name]) for name in ("first", "second")] == [2, 2]

# MPPICFoam's dictionaries and log.
assert with_entries("startTime 0;\nendTime         5;\n", {"endTime": 0.3}) == "startTime 0;\nendTime 0.3;\n"
try:
    with_entries("endTime 5;", {"deltaT": 1})
    raise SystemExit("an entry that isn't there was set")
except RuntimeError as refused:
    assert "deltaT" in str(refused)
clock = StepClock()
for line, now in (("Time = 0.0002", 0), ("    Current number of parcels       = 24750", 1),
                  ("ExecutionTime = 0.3 s  ClockTime = 1 s", 2), ("    Current number of parcels       = 24749", 3),
                  ("ExecutionTime = 0.4 s  ClockTime = 1 s", 5), ("ExecutionTime = 0.5 s  ClockTime = 1 s", 6)):
    clock.read(line, now)
assert clock.seconds_per_step() == 2 and clock.parcels == 24749

# corral through ctypes: 8 cells of .5 an axis, from -2 on; a particle in a cell's centre, one on a face across x.
cells = 8
library = Library(sys.argv[2])
order = Order(library, cells, -2.0, 0.5, 1)
vector = ctypes.c_double * 2
x, y, z = vector(-1.75, -1.0), vector(-1.75, 0.25), vector(-1.75, 1.75)
weights, read, field = vector(3.0, 2.0), vector(), (ctypes.c_double * cells**3)()
address = ctypes.addressof
assert order.sort([address(x), address(y), address(z)], 2) == 2
order.map("spread", "linear", 0, [address(weights)], [address(field)], 2)
expected = {0: 3.0, 1 + 8 * (4 + 8 * 7): 1.0, 2 + 8 * (4 + 8 * 7): 1.0}
assert {place: value for place, value in enumerate(field) if value} == expected
order.map("interpolate", "linear", 0, [address(read)], [address(field)], 2)
assert list(read) == [3.0, 1.0]
shares = (ctypes.c_double * cells**3)()
order.map("spread", "exponential_semicircle4", 4 * 2.3, [address(weights)], [address(shares)], 2)
assert math.isclose(shares[0], 3, rel_tol=1e-3) and sum(1 for value in shares if value) > 64
order.reorder([address(x), address(y), address(z), address(weights)], 2)
assert sorted(weights) == [2.0, 3.0]
try:
    order.map("spread", "no_such_kernel", 0, [address(weights)], [address(field)], 2)
    raise SystemExit("a kernel that isn't there was taken")
except RuntimeError as refused:
    assert "no_such_kernel" in str(refused)

# The command's words.
asked = subprocess.run([repository / "tools/peers", "--help"], capture_output=True, text=True)
assert asked.returncode == 0 and "finufft" in asked.stdout and "stokes" in asked.stdout and "mppicfoam" in asked.stdout
for words in (["--only", "nobody"], ["--only"], ["--threads", "two"], ["--fast"]):
    asked = subprocess.run([repository / "tools/peers", *words], capture_output=True, text=True)
    assert asked.returncode == 2 and asked.stderr.startswith("tools/peers: no "), words
