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


def cannot_judge(why):
    """Ends a check for which the run did not write what it reads: a sentence, and status 2, as 1 says that theory fails."""
    print(why, file=sys.stderr)
    sys.exit(2)


class Entries(dict):
    """A dict that ends the check where it lacks a name; `why` is the sentence of that."""

    def __init__(self, why):
        super().__init__()
        self.why = why

    def __missing__(self, name):
        cannot_judge(self.why(name))


class Settings:
    """used.ini: every key with its value; numbers in SI."""

    def __init__(self, path):
        self.values = Entries(lambda key: f"{path} has no {key} (another version of corral or another driver wrote it) run "
                                          "the case again")
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
        self.path = path
        data = Path(path).read_bytes()
        begin = data.index(b"<AppendedData")
        self.root = ElementTree.fromstring(data[:begin] + b"</VTKFile>")
        self.words = data[data.index(b"_", begin) + 1 :]
        self.swap = (self.root.get("byte_order") == "LittleEndian") != (sys.byteorder == "little")
        self.time = float(self.root.find(".//FieldData/DataArray").text)

    def values(self, name):
        """The array of that name as a list; of tuples where it has several components."""
        node = next((n for n in self.root.iter("DataArray") if n.get("Name") == name), None)
        if node is None:
            cannot_judge(f"{self.path} has no {name} (another version of corral wrote it) run the case again")
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
            cannot_judge(f"{self.directory}/log.csv has no row ({self.said('log')}) {self.again('log')}")
        self.log = Entries(self.no_column)
        self.log.update((name, list(column)) for name, column in zip(names, columns))

    def times(self):
        return self.log["time"]

    def has(self, *names):
        """Whether log.csv has all these columns."""
        return all(name in self.log for name in names)

    def said(self, kind):
        """What the case says of an output: "output.log is 0 s", with the format where that counts."""
        of_format = "" if kind == "log" else f", output.format {self.settings.text('output.format')}"
        return f"output.{kind} is {self.settings.text(f'output.{kind}')}{of_format}"

    def again(self, kind):
        """How to get an output that is missing, or more of it: a hundred rows or twenty files of the whole run."""
        s = self.settings
        options = []
        if kind != "log" and s.text("output.format") == "openpmd":
            options.append("output.format=both")
        wanted = s.real("time.end") / (100 if kind == "log" else 20)
        if not 0 < s.real(f"output.{kind}") <= wanted:
            options.append(f"output.{kind}={wanted:.2g}")
        return " ".join(["run the case again" + (" with" if options else ""), *(f"--set {option}" for option in options)])

    def no_column(self, name):
        if self.settings.given("output.audit") and self.settings.text("output.audit") == "false":
            return (f"{self.directory}/log.csv has no column {name} (output.audit is false, which leaves out its columns) run "
                    "the case again with --set output.audit=true")
        return f"{self.directory}/log.csv has no column {name} (another version of corral wrote it) run the case again"

    def column(self, name, begin=-math.inf, end=math.inf, least=1):
        """Values of the rows with begin < time <= end: what a row averages lies before its time. Ends a check that needs
        more than there are."""
        values = [v for v, t in zip(self.log[name], self.times()) if begin < t <= end]
        if len(values) < least:
            cannot_judge(f"{self.directory}/log.csv has no row between {begin:g} and {end:g} s ({self.said('log')}) "
                         f"{self.again('log')}")
        return values

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
            closer = s.real("output.log") >= needed > 0  # no end that the check asks for has a row
            cannot_judge(f"{self.directory}/log.csv has the start alone ({self.said('log')}, this check needs {needed:.6g} s) "
                         + (self.again("log") if closer else "let the run go on: corral resume CASE"))
        if end < needed - max(s.real("time.dt"), s.real("output.log")):
            further = f" --set time.end={needed:.6g}" if needed > own else ""
            cannot_judge(f"{self.directory} ends at {end:g} s (this check needs {needed:.6g} s) let it go on: corral resume "
                         f"CASE{further}")

    def files(self, kind, least=1):
        """Paths of fields, parcels or vertices in order of time; ends a check that needs more than there are."""
        found = sorted(self.directory.glob(self.pattern(kind)))
        if len(found) < least:
            cannot_judge(f"{self.directory} has {len(found) or 'no'} {self.pattern(kind)} (this check reads {least} or more; "
                         f"{self.said(kind)}) {self.again(kind)}")
        return found

    def pattern(self, kind):
        return f"{kind}_*.{'vti' if kind == 'fields' else 'vtp'}"

    def since(self, begin, kind, files):
        """Those of the files, or of what was made of each, from a time [s] on; ends a check where there are none."""
        late = [file for file in files if file.time >= begin]
        if not late:
            cannot_judge(f"{self.directory} has no {self.pattern(kind)} from {begin:g} s on ({self.said(kind)}) "
                         f"{self.again(kind)}")
        return late

    def bed_velocity(self, time):
        """Mean vertical velocity of the parcels [m/s], of the row nearest to a time."""
        times = self.times()
        return self.log["velocity_z"][min(range(len(times)), key=lambda i: abs(times[i] - time))]

    def last_fields(self):
        """The last field file."""
        return VtkFile(self.files("fields")[-1])

    def parcels(self, least=1):
        """Parcel files in order of time."""
        return (VtkFile(p) for p in self.files("parcels", least))

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
        cannot_judge("no values (the run has nothing in the interval that the check averages over) let it write more often, and "
                     "run longer")
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
        cannot_judge(f"{directory} has no log.csv (no run has written there) run the case first: corral run CASE")
    return Run(directory)
