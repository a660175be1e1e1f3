"""What scripts see of cases that ranks share, by a plug-in that writes it down: together what they see of one process's run, with the
same bits; what it costs results, which is nothing; and what becomes of a script that fails on one rank alone."""

import contextlib
import json
import math
import os
import re
import unittest
from collections import defaultdict

from command import results, settings
from gas_solid_over_ranks import BED, PLAIN
from ranks import RanksTest
from shared_cases import CELLS, CHANNEL, SLABS

os.environ["CORRAL_INSITU_PLUGIN"] = os.environ["FAKE_PLUGIN"]


@contextlib.contextmanager
def plugin(other):
    os.environ["CORRAL_INSITU_PLUGIN"] = other
    try:
        yield
    finally:
        os.environ["CORRAL_INSITU_PLUGIN"] = os.environ["FAKE_PLUGIN"]


class Seen:
    """A moment that one process saw: values by where they belong."""

    def __init__(self, lines):
        self.points, self.rows = defaultdict(dict), defaultdict(dict)
        for line in lines:
            kind, name, *rest = *line.split(), ""
            if kind == "mesh":
                self.whole, self.own, self.origin = tuple(map(int, rest[:3])), list(map(int, rest[4:10])), rest[10:13]
            elif kind == "point":
                self.points[name][tuple(map(int, rest[:3]))] = rest[3]
            elif kind in ("position", "row", "element", "triangle"):
                self.rows[f"{kind} {name}"][int(rest[0])] = rest[1:-1]

    def parcels(self):
        """By id: what stands in columns."""
        named = [dict(zip(row[::2], row[1::2])) for row in self.rows["row parcels"].values()]
        for one, position in zip(named, self.rows["position parcels"].values()):
            one |= dict(zip(position[::2], position[1::2]))
        return {one.pop("id.0"): one for one in named}


def moments(file):
    """By step."""
    parts = file.read_text(encoding="utf-8").split("\nshow ")
    return {int(part.split()[1]): Seen(part.splitlines()[1:]) for part in parts[1:]}


class WatchedOverRanks(RanksTest):
    @staticmethod
    def notices(output):
        return json.loads((output / "summary.json").read_text(encoding="utf-8"))["notices"]

    def watched(self, text, name, order):
        case = self.write_case(f"{text}\n[insitu.eye]\nscript = eye.py\ninterval = 0\n", name)
        (case / "eye.py").write_text(order + "\n", encoding="utf-8")
        return case

    def seen(self, text, name, ranks, steps=3, unchanged=True):
        """What one process saw of the last step, and what each rank did."""
        case = self.watched(text, name, "values")
        options = ["--steps", steps]
        alone = self.run_alone(case, *options, name=f"{name}_alone")
        over = self.run_over(ranks, case, *options, name=f"{name}_{ranks}")
        if unchanged:
            self.unchanged(over, case, ranks, *options)
        self.assertEqual(self.notices(over), self.notices(alone))
        eye = over / "insitu/eye"
        self.assertEqual(sorted(file.name for file in eye.iterdir()), [f"seen_{rank}.txt" for rank in range(ranks)])
        for rank in range(ranks):
            text = (eye / f"seen_{rank}.txt").read_text(encoding="utf-8")
            self.assertIn(f"processes {ranks} communicator 1 of Open MPI", text)
            self.assertTrue(text.endswith("close\nfinish\n"))
        one, *all_ranks = (moments(file) for file in (alone / "insitu/eye/seen.txt", *(eye / f"seen_{rank}.txt" for rank in range(ranks))))
        self.assertEqual(sorted(one), [0, steps])
        for seen in all_ranks:
            self.assertEqual(sorted(seen), [0, steps])
        return [seen[steps] for seen in (one, *all_ranks)]

    def unchanged(self, over, case, ranks, *options):
        """Results have the same bits where nobody watches."""
        plain = self.run_over(ranks, case, *options, *settings(output__watch="false"), name="plain")
        one, other = results(over), results(plain)
        for files in (one, other):
            files.pop("used.ini")
        self.assertEqual({name: one[name] for name in one if not name.startswith("insitu")}, other)
        for file in sorted(plain.rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
        plain.rmdir()

    def check_fields(self, one, ranks, same):
        """Each cell is one rank's own; `same` of values at a point of one process and of a rank, ghosts among them."""
        own = defaultdict(int)
        for seen in ranks:
            self.assertEqual((seen.whole, seen.origin), (one.whole, one.origin))
            x, X, y, Y, z, Z = seen.own
            for cell in ((i, j, k) for k in range(z, Z) for j in range(y, Y) for i in range(x, X)):
                own[cell] += 1
            self.assertEqual(list(seen.points), list(one.points))
            for name, values in one.points.items():
                there = seen.points[name]
                for point in ((i, j, k) for k in range(z - 1, Z + 1) for j in range(y - 1, Y + 1) for i in range(x - 1, X + 1)):
                    if point in values:
                        self.assertTrue(same(name, values[point], there[point]), (name, point, values[point], there[point]))
        nx, ny, nz = one.whole
        self.assertEqual((len(own), set(own.values())), (nx * ny * nz, {1}))

    def check_sets_of_all(self, one, ranks):
        """Which every rank has: rank 0 shows them."""
        self.assertTrue(one.rows)
        self.assertEqual(ranks[0].rows, one.rows)
        for seen in ranks[1:]:
            self.assertFalse(any(seen.rows.values()))

    def test_a_lattice_with_membranes(self):
        one, *ranks = self.seen(CELLS, "cells", 4)
        self.assertIn("inside.0", one.points)
        self.assertNotEqual(set(one.points["inside.0"].values()), {"0x0p+0"})
        self.check_fields(one, ranks, lambda name, a, b: a == b)
        self.check_sets_of_all(one, ranks)

    def test_slabs_of_the_spectral_fluid(self):
        one, *ranks = self.seen(SLABS, "slabs", 3, unchanged=False)
        self.check_fields(one, ranks, lambda name, a, b: a == b)
        self.check_sets_of_all(one, ranks)

    def test_a_channel(self):
        one, *ranks = self.seen(CHANNEL, "channel", 2, unchanged=False)
        self.check_fields(one, ranks, lambda name, a, b: a == b)

    def test_parcels(self):
        self.check_parcels(*self.seen(BED, "bed", 3))

    def test_parcels_of_a_grid_whose_planes_are_shared(self):
        """Each rank shows the planes that it knows."""
        large = PLAIN.replace("cells = 4, 3, 9", "cells = 20, 20, 75").replace("jitter = 0.5", "jitter = 0.1").replace("parcel = 20", "parcel = 1")
        self.check_parcels(*self.seen(re.sub("lattice = .*", "lattice = 1, 1, 1", large), "large", 2, unchanged=False))

    def check_parcels(self, one, *ranks):
        """To round-off: sums over parcels have another order."""
        largest = {name: max(abs(float.fromhex(value)) for value in values.values()) for name, values in one.points.items()}
        self.check_fields(one, ranks, lambda name, a, b: abs(float.fromhex(a) - float.fromhex(b)) <= 1e-8 * largest[name])
        parcels, all_ranks = one.parcels(), {}
        for seen in ranks:
            self.assertFalse(all_ranks.keys() & seen.parcels().keys())
            all_ranks |= seen.parcels()
        self.assertEqual(all_ranks.keys(), parcels.keys())
        self.assertGreater(min(len(seen.rows["row parcels"]) for seen in ranks), len(parcels) / 4)
        for column in ("position.2", "volume.0", "velocity.2"):
            there, here = [{number: float.fromhex(one[column]) for number, one in of.items()} for of in (all_ranks, parcels)]
            size = max(map(abs, here.values()))
            self.assertTrue(all(abs(there[number] - here[number]) <= 1e-8 * size for number in here), column)

    def test_catalyst_2_has_the_cells_of_each_rank(self):
        case, ranks = self.watched(CHANNEL, "second", "look"), 3
        with plugin(os.environ["CATALYST2_PLUGIN"]):
            over = self.run_over(ranks, case, "--steps", 3)
            alone = self.run_alone(case, "--steps", 3)
        self.assertEqual(self.notices(over), [])
        whole = self.blueprint(alone / "insitu/eye/seen.txt")
        pieces = [self.blueprint(over / f"insitu/eye/seen_{rank}.txt") for rank in range(ranks)]
        cells = [math.prod(piece[f"dims/{axis}"] - 1 for axis in "ijk") for piece in pieces]
        self.assertEqual(sum(cells), 19 * 16 * 14)
        for axis in "xyz":
            self.assertEqual(min(piece[f"origin/{axis}"] for piece in pieces), whole[f"origin/{axis}"])
            u = [piece[f"velocity/values/{axis}"] for piece in (whole, *pieces)]
            self.assertLess(abs(u[0] - sum(u[1:])), 1e-12 * 19 * 16 * 14)

    @staticmethod
    def blueprint(file):
        """Numbers of the last call's fields, of those that are lists their sum."""
        leaves = {}
        for line in file.read_text(encoding="utf-8").split("execute\n")[-1].splitlines():
            path, _, rest = line.partition(" ")
            for begin in ("catalyst/channels/fields/data/coordsets/coords/", "catalyst/channels/fields/data/fields/"):
                if path.startswith(begin) and not rest.startswith("text"):
                    leaves[path.removeprefix(begin)] = float(rest.split()[-1])
        return leaves

    def test_a_script_that_fails_on_one_rank_ends_on_all_and_is_said_once(self):
        orders = {"opens": ("fail to open on rank 1", "rank 1: it would not open?[31m"), "wants": ("fail to want on rank 1", "rank 1: it would not say"),
                  "shows": ("fail to show on rank 1", "rank 1: it would not look"), "all": ("fail to show", "it would not look"),
                  "some": ("disagree", "some ranks want to see step 0, and others do not"), "last": ("look", None)}
        case = self.write_case(CHANNEL + "".join(f"[insitu.{name}]\nscript = {name}.py\ninterval = 0\n" for name in orders), "failing")
        for name, (order, _) in orders.items():
            (case / f"{name}.py").write_text(order + "\n", encoding="utf-8")
        out = self.run_over(2, case, "--steps", 2)
        about = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual((about["outcome"], about["steps"]), ("steps", 2))
        said = [f"in situ, {name} is off, the run goes on: {why}" for name, (_, why) in orders.items() if why]
        self.assertEqual([notice[: len(text)] for notice, text in zip(about["notices"], said, strict=True)], said)
        for name, (order, why) in orders.items():
            for seen in (out / f"insitu/{name}").glob("seen_*.txt"):
                text = seen.read_text(encoding="utf-8")
                self.assertIn("close\n", text, order)
                self.assertEqual(text.count("\nwants "), {"opens": 0, "last": 3}.get(name, 1), order)

    def test_without_a_plug_in_all_go_on(self):
        case = self.watched(CHANNEL, "channel", "values")
        with plugin("/nowhere/of.so"):
            out = self.run_over(2, case, "--steps", 2)
        notices = self.notices(out)
        self.assertEqual(len(notices), 1, notices)
        self.assertIn("in situ is off: there is no plug-in /nowhere/of.so", notices[0])


if __name__ == "__main__":
    unittest.main()
