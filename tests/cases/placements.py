"""Points and fluid on threads of their own give what they give by turns, byte for byte."""

import json
import unittest

from command import CaseTest, settings


class AtOnce(CaseTest):
    def assert_same_placed(self, case, point_threads=(1, 2), threads=(1, 2, 3), **keys):
        options = settings(output__fields=0, **keys)
        together = self.run_case(case, *options, "--threads", 1, name=f"{case}_together")
        for points in point_threads:
            for number in threads:
                name = f"{case}_{points}_{number}"
                run = self.run_case(case, *options, *settings(forcing__placement="at_once", forcing__point_threads=points),
                                    "--threads", number, name=name)
                for file in ("log.csv", "bodies.csv"):
                    self.assertEqual((together.directory / file).read_bytes(), (run.directory / file).read_bytes(), name)
                phases = {p["name"]: p for p in json.loads((run.directory / "summary.json").read_text())["phases"]}
                if number <= points:  # none is left for the fluid: by turns
                    self.assertNotIn("at once", phases)
                    continue
                self.assertGreater(phases["fluid elsewhere"]["seconds"], 0)
                self.assertTrue(phases["fluid elsewhere"]["beside"])

    def test_fixed_between_an_inlet_and_an_outlet(self):
        self.assert_same_placed("cylinder_20", grid__cells="200, 75, 1", time__dt="50 ms", time__end="4 s", output__log="0.5 s")

    def test_several_passes(self):
        self.assert_same_placed("cylinder_20", (1,), (2,), grid__cells="200, 75, 1", time__dt="50 ms", time__end="2 s", output__log="0.5 s",
                                forcing__scheme="multi_direct")

    def test_falling_to_the_floor(self):
        self.assert_same_placed("falling_sphere", (1,), (2, 3), grid__cells="30, 48, 30", time__dt="1.5 ms", time__end="60 ms",
                                output__log="3 ms", bodies__one__position="50, 9, 50 mm")


if __name__ == "__main__":
    unittest.main()
