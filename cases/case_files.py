"""Reads what a run of corral leaves in its output directory, and judges figures against expectations.

Standard library only. The checks of the cases take every parameter from used.ini, so that they hold for other numbers
than the shipped ones.
"""

import array
import csv
import math
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


class Settings:
    """used.ini: every key with its value; numbers in SI."""

    def __init__(self, path):
        self.values = {}
        section = ""
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            line = line.strip()
            if line.startswith("["):
                section = line[1:-1]
            elif line and not line.startswith("#"):
                key, value = line.split("=", 1)
                self.values[f"{section}.{key.strip()}"] = value.strip()

    def given(self, key):
        return key in self.values

    def text(self, key):
        return self.values[key].strip('"')

    def reals(self, key):
        return [float(number.split()[0]) for number in self.values[key].split(",")]  # the last one has the unit

    def real(self, key):
        return self.reals(key)[0]

    def blocks(self, prefix):
        """Names of the blocks [prefix.NAME], in the order of the file."""
        names = [key.split(".")[1] for key in self.values if key.startswith(prefix + ".") and key.count(".") == 2]
        return list(dict.fromkeys(names))


class VtkFile:
    """A .vti or .vtp of corral: raw appended arrays of 8-byte words, each after its length in bytes."""

    CODES = {"Float64": "d", "Int64": "q", "UInt64": "Q"}

    def __init__(self, path):
        data = Path(path).read_bytes()
        begin = data.index(b"<AppendedData")
        self.root = ElementTree.fromstring(data[:begin] + b"</VTKFile>")
        self.words = data[data.index(b"_", begin) + 1 :]
        self.swap = (self.root.get("byte_order") == "LittleEndian") != (sys.byteorder == "little")
        self.time = float(self.root.find(".//FieldData/DataArray").text)

    def values(self, name):
        """The array of that name as a list; of tuples where it has several components."""
        (node,) = [n for n in self.root.iter("DataArray") if n.get("Name") == name]
        offset, components = int(node.get("offset")), int(node.get("NumberOfComponents", 1))
        size = self.decode("Q", self.words[offset : offset + 8])[0]
        flat = self.decode(self.CODES[node.get("type")], self.words[offset + 8 : offset + 8 + size])
        return list(flat) if components == 1 else list(zip(*[iter(flat)] * components))

    def decode(self, code, raw):
        values = array.array(code)
        values.frombytes(raw)
        if self.swap:
            values.byteswap()
        return values


class Run:
    """One output directory. Files are read when asked for."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.settings = Settings(self.directory / "used.ini")
        with open(self.directory / "log.csv", newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = list(zip(*[[float(v) for v in row] for row in rows]))
        if not columns:
            sys.exit(f"{self.directory}/log.csv has no row (output.log is {self.settings.text('output.log')}) run the case "
                     "again")
        self.log = {name: list(column) for name, column in zip(names, columns)}

    def times(self):
        return self.log["time"]

    def has(self, *names):
        """Whether log.csv has all these columns."""
        return all(name in self.log for name in names)

    def column(self, name, begin=-math.inf, end=math.inf):
        """Values of the rows with begin < time <= end: what a row averages lies before its time."""
        if name not in self.log:
            sys.exit(f"{self.directory}/log.csv has no column {name} (another version of corral wrote it, or "
                     "output.audit is not set) run the case again")
        return [v for v, t in zip(self.log[name], self.times()) if begin < t <= end]

    def mean(self, name, begin=-math.inf, end=math.inf):
        """Mean over time: rows count as long as what they average, as steps that log.csv follows may differ."""
        times = self.times()
        lasted = [t - before for t, before in zip(times, [times[0], *times]) if begin < t <= end]
        values = self.column(name, begin, end)
        if sum(lasted) <= 0:
            return mean(values)
        return math.fsum(v * dt for v, dt in zip(values, lasted)) / math.fsum(lasted)

    def must_reach(self, time=None):
        """Ends a check whose run is shorter than what it judges: ends before a time [s], or before its own end."""
        s, end, own = self.settings, self.times()[-1], self.settings.real("time.end")
        needed = own if time is None else time
        if len(self.times()) < 2:
            sys.exit(f"{self.directory}/log.csv has the start alone (output.log is {s.text('output.log')}, this check needs "
                     f"{needed:.6g} s) let the run go on: corral resume CASE")
        if end < needed - max(s.real("time.dt"), s.real("output.log")):
            further = f" --set time.end={needed:.6g}" if needed > own else ""
            sys.exit(f"{self.directory} ends at {end:g} s (this check needs {needed:.6g} s) let it go on: corral resume "
                     f"CASE{further}")

    def files(self, kind, least=1):
        """Paths of fields, parcels or vertices in order of time; ends a check that needs more than there are."""
        pattern = f"{kind}_*.{'vti' if kind == 'fields' else 'vtp'}"
        found = sorted(self.directory.glob(pattern))
        if len(found) < least:
            s = self.settings
            sys.exit(f"{self.directory} has {len(found) or 'no'} {pattern} (this check reads {least} or more; output.{kind} "
                     f"is {s.text(f'output.{kind}')}, output.format {s.text('output.format')}) run the case again")
        return found

    def bed_velocity(self, time):
        """Mean vertical velocity of the parcels [m/s], of the row nearest to a time."""
        times = self.times()
        return self.log["velocity_z"][min(range(len(times)), key=lambda i: abs(times[i] - time))]

    def last_fields(self):
        """The last field file."""
        return VtkFile(self.files("fields")[-1])

    def parcels(self):
        """Parcel files in order of time."""
        return (VtkFile(p) for p in self.files("parcels"))

    def profile(self, vtk_file, name):
        """Means of a cell field over the horizontal planes, from below."""
        nx, ny, nz = (int(n) for n in self.settings.reals("grid.cells"))
        values = vtk_file.values(name)
        return [mean(values[k * nx * ny : (k + 1) * nx * ny]) for k in range(nz)]

    def floor_area(self):
        size = self.settings.reals("grid.size")
        return size[0] * size[1]


class Checks:
    """Collects figures with their expectations; `end` prints them as a table, then a verdict, and gives the exit status."""

    def __init__(self, title):
        self.title = title
        self.rows = []

    def add(self, quantity, found, expected, tolerance, ok):
        self.rows.append((quantity, f"{found:.6g}", expected, tolerance, "ok" if ok else "FAIL"))

    def near(self, quantity, found, expected, relative=None, absolute=None):
        bound = absolute if relative is None else relative * abs(expected)
        tolerance = f"{100 * relative:g} %" if relative is not None else f"{absolute:.4g}"
        self.add(quantity, found, f"{expected:.6g}", tolerance, abs(found - expected) <= bound)

    def between(self, quantity, found, low, high):
        self.add(quantity, found, f"{low:g} to {high:g}", "", low <= found <= high)

    def at_most(self, quantity, found, bound):
        self.add(quantity, found, f"at most {bound:.6g}", "", found <= bound)

    def equal(self, quantity, found, expected):
        self.add(quantity, found, f"{expected:.6g}", "exact", found == expected)

    def missing(self, quantity, run, *columns):
        """A figure that can't be judged for want of columns, which counts as one that fails."""
        absent = [name for name in columns if not run.has(name)]
        others = f" and {len(absent) - 3} more" if len(absent) > 3 else ""
        self.rows.append((quantity, "?", f"log.csv lacks {', '.join(absent[:3])}{others}", "", "FAIL"))

    def report(self, quantity, found, beside=""):
        """A figure that is shown and not judged."""
        self.rows.append((quantity, f"{found:.6g}", beside, "", "-"))

    def end(self):
        table = [("quantity", "found", "expected", "tolerance", "")] + self.rows
        widths = [max(len(row[i]) for row in table) for i in range(5)]
        print(self.title)
        for row in table:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        judged = sum(row[4] != "-" for row in self.rows)
        failed = [row[0] for row in self.rows if row[4] == "FAIL"]
        print(f"{len(failed)} of {judged} checks {'fails' if len(failed) == 1 else 'fail'}: {'; '.join(failed)}" if failed
              else f"all {judged} checks hold")
        return 1 if failed else 0


def mean(values):
    if not values:
        sys.exit("no values (the run has nothing in the interval that the check averages over)")
    return math.fsum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else 0.5 * (ordered[middle - 1] + ordered[middle])


def deviation(values):
    """Standard deviation."""
    m = mean(values)
    return math.sqrt(mean([(v - m) ** 2 for v in values]))


def root(f, low, high):
    """Where f changes sign between low and high, by bisection."""
    rising = f(high) > 0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if (f(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def run_of(script):
    """The run that a check is about: the directory given on the command line, or `out` beside the check."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(script).parent / "out"
    if not (directory / "log.csv").exists():
        sys.exit(f"{directory} has no log.csv (no run has written there) run the case first: corral run CASE")
    return Run(directory)
