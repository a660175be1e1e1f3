"""Beads: the pair's case as it is and at other angles, and a crowd of everything with the same bytes however it is run."""

import unittest

from case_files import Run
from command import CaseTest, settings

CROWD = """\
[case]
driver = beads
[box]
size = 20, 20, 20 um
[fluid]
viscosity = 1 cP
density = 1000 kg/m3
[mobility]
tolerance = 1e-3
[beads]
radius = 1 um
density = 2500 kg/m3
[forces]
gravity = 0, 0, -9.81 m/s2
[group.balls]
arrangement = random
volume_fraction = 0.2
[group.worms]
shape = fibre
beads = 4
stretching = 1 uN/m
bending = 4e-25
swims = pusher
thrust = 0.5 pN
arrangement = random
orientation = random
count = 5
[repulsion]
law = harmonic
strength = 0.1 pN
[time]
scheme = ab2
dt = 50 ms
end = 0.4 s
[output]
fields = 0
beads = 0.1 s
log = 0.05 s
"""


class Pair(CaseTest):
    def test_at_any_angle(self):
        for place in ("120, 100, 120 um", "70, 100, 130 um", "130, 100, 70 um", "50, 90, 110 um"):
            with self.subTest(place):
                run = self.run_case("sedimenting_pair", *settings(group__second__position=place, mobility__tolerance="1e-4"), name=place[:2])
                self.check("sedimenting_pair", run)


class Crowd(CaseTest):
    def case(self):
        directory = self.directory / "crowd"
        directory.mkdir()
        (directory / "case.ini").write_text(CROWD, encoding="utf-8")
        return directory

    def test_same_bytes_for_any_number_of_threads_and_resumed(self):
        for name, options in (("swims", []), ("diffuses", settings(time__scheme="euler", fluid__temperature="300 K", time__end="0.1 s", group__worms__swims="no",
                                                                     group__worms__thrust=""))):
            with self.subTest(name):
                case = self.case() if name == "swims" else self.directory / "crowd"
                run = self.run_case(case, *options, "--threads", 1, name=name)
                self.assertGreater(run.log["step"][-1], 12)
                self.assert_same_however_run(run, case, *options, cut=7)
                self.assertGreater(run.log["stretching_energy"][-1], 0)

    def test_spheres_fall_slower_the_more_they_are(self):
        case = self.case()
        found = []
        for share in (0.02, 0.1, 0.3):
            run = self.run_case(case, *settings(group__balls__volume_fraction=share, group__worms__count=1), "--steps", 1, name=f"fall_{share}")
            found.append(run.log["settling"][0])
        self.assertGreater(found[0], found[1])
        self.assertGreater(found[1], found[2])
        self.assertGreater(found[2], 0)


class Shells(CaseTest):
    """Rigid spheres and lubrication, by the shipped cases."""

    def test_array(self):
        for share, radius in (("6", "12.407 um"), ("12", "15.51 um")):
            run = self.run_case("simple_cubic", *settings(group__sphere__shell_radius=radius, time__end="0.4 s", mobility__tolerance="1e-3"), name=share)
            self.check("simple_cubic", run)
        self.check("simple_cubic", self.run_case("simple_cubic", *settings(
            group__sphere__shape="sphere", group__sphere__shell_radius="", beads__radius="12.407 um", time__end="0.2 s"), name="bead"))

    def test_suspension(self):
        for name, keys in (("lubricated", {}), ("plain", {"mobility__lubrication": "none"})):
            run = self.run_case("random_suspension", *settings(box__size="60, 60, 60 um", time__end="1e-3 s", **keys), name=name)
            self.check("random_suspension", run)
        self.assertLess(0.001, self.log_of("plain")["settling"][0] - self.log_of("lubricated")["settling"][0])

    def log_of(self, name):
        return Run(self.directory / name).log

    def test_squirmers(self):
        self.check("squirmers", self.run_case("squirmers", *settings(group__swimmers__count=1, time__end="0.1 s", output__log="0.05 s"), name="one"))
        few = settings(group__swimmers__count=5, box__size="60, 60, 60 um", time__end="0.02 s", output__log="0.01 s", output__beads="0.01 s")
        run = self.run_case("squirmers", *few, "--threads", 1, name="few")
        self.check("squirmers", run)
        self.assert_same_however_run(run, "squirmers", *few, cut=5)

    def test_drop(self):
        self.check("sedimenting_cloud", self.run_case("sedimenting_cloud", *settings(
            box__size="10, 10, 20 mm", group__drop__ball_centre="5, 5, 10 mm", group__drop__count=400, time__end="100 s",
            output__log="50 s", output__beads="50 s")))


if __name__ == "__main__":
    unittest.main()
