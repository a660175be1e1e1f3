"""The same bytes in every output file for any number of threads, but in summary.json."""

import unittest

from command import CaseTest, settings


class Threads(CaseTest):
    def compare(self, case, *options):
        outputs = [self.run_case(case, "--threads", n, *options, name=f"{case}_{n}").directory for n in (1, 2, 3)]
        names = sorted(p.relative_to(outputs[0]) for p in outputs[0].rglob("*") if p.is_file())
        self.assertGreater(len(names), 6)
        for other in outputs[1:]:
            self.assertEqual(names, sorted(p.relative_to(other) for p in other.rglob("*") if p.is_file()))
            for name in names:
                if name.name != "summary.json":
                    self.assertTrue((outputs[0] / name).read_bytes() == (other / name).read_bytes(), name)

    def test_goldschmidt(self):
        self.compare("goldschmidt", "--until", 0.06, *settings(output__fields=0.02, output__parcels=0.02))

    def test_adaptive_step(self):
        self.compare("minimum_fluidisation", "--until", 0.2,
                     *settings(time__step="adaptive", time__dt="2e-3", output__fields=0.05, output__parcels=0.05,
                               output__log=0.001))

    def test_many_rows(self):
        """Enough cells and parcels that every loop has several chunks."""
        self.compare("settling", "--steps", 20,
                     *settings(grid__cells="16, 16, 100", output__log=0.001, output__fields=0.01,
                               output__parcels=0.01))


if __name__ == "__main__":
    unittest.main()
