"""The same bytes in every output file for any number of threads, but in summary.json."""

import shutil
import unittest

from command import LONG, THOROUGH, CaseTest, results, settings

# Kinds of all sorts between walls, near enough to repel each other and a wall, pulled at, tied to anchors that move.
MEMBRANES = """
[case]
driver = membrane
[grid]
cells = 32, 20, 24
size = 32, 20, 24 um
[drive]
shear_rate = 2000
body_force = 1e4, 0, 0
[repulsion]
range = 2 um
stiffness = 1e-6
[surface.cell]
shape = red_cell
radius = 3.91 um
vertices = 642
shear_modulus = 2.5e-6
area_ratio = 10
bending = helfrich
bending_modulus = 2e-19
area_stiffness = 1e-5
volume_stiffness = 10
[surface.capsule]
shape = sphere
radius = 3 um
vertices = 362
nodes = spiral
law = neo_hookean
shear_modulus = 1e-5
bending = dihedral
bending_modulus = 1e-19
tension = 1e-6
[surface.smooth]
shape = ellipsoid
semi_axes = 3.5, 3, 3 um
representation = radial
vertices = 150
sites = 700
shear_modulus = 2.5e-6
bending = helfrich
bending_modulus = 2e-19
[surface.body]
shape = sphere
radius = 2.5 um
vertices = 162
law = none
tether_stiffness = 1e7
[membranes.cells]
surface = cell
arrangement = random
low = 0, 0, 0
high = 32, 20, 11 um
count = 3
gap = 0.5 um
orientation = random
[membranes.capsule]
surface = capsule
position = 8, 3.5, 18 um
[membranes.smooth]
surface = smooth
position = 16, 10, 18 um
[membranes.body]
surface = body
position = 24, 10, 18 um
path = path.csv
[pull.tips]
membranes = capsule
force = 1e-11
ramp = 10 us
[time]
step = adaptive
dt = 1 us
end = 40 us
[output]
fields = 20 us
vertices = 20 us
sites = 20 us
log = 1 us
cells = 5 us
"""

REPEATS = 20 if LONG else 1
PATH = "0, 0, 0, 0\n4e-5, 1e-6, 0, 0\n"


class Threads(CaseTest):
    def compare(self, case, *options):
        name = case if isinstance(case, str) else case.name
        first = self.run_case(case, *options, "--threads", 1, name=f"{name}_first")
        files = len(results(first.directory))
        self.assertGreater(files, 5)
        for repeat in range(REPEATS):
            for threads in ((1, 2, 3, 4) if repeat else (2, 3, 4) if THOROUGH else (3,)):
                other = self.run_case(case, *options, "--threads", threads, name=f"{name}_other").directory
                self.assert_same_results(first.directory, other)
                shutil.rmtree(other)
        print(f"promise determinism: {name}, {4 * REPEATS if THOROUGH else 2} runs on 1 and up to {4 if THOROUGH else 3} threads, {files} files, 0 bytes differ")
        return first

    def test_goldschmidt(self):
        self.compare("goldschmidt", "--until", 0.06, *settings(output__fields=0.02, output__parcels=0.02))

    def test_adaptive_step(self):
        self.compare("minimum_fluidisation", "--until", 0.2,
                     *settings(time__step="adaptive", time__dt="2e-3", output__fields=0.05, output__parcels=0.05,
                               output__log=0.001))

    def test_collisions(self):
        """All models of them, random numbers included."""
        run = self.compare("goldschmidt", "--until", 0.06, *settings(
            output__fields=0.02, output__parcels=0.02, contact__collision_rate="far_from_equilibrium",
            contact__isotropy="orourke_snider", contact__acceleration="blended", output__audit="true"))
        self.assertLess(max(run.log["isotropy_energy"]), 1e-13)

    def test_many_rows(self):
        """Enough cells and parcels that every loop has several chunks."""
        self.compare("settling", "--steps", 20,
                     *settings(grid__cells="16, 16, 100", output__log=0.001, output__fields=0.01,
                               output__parcels=0.01))

    def test_membranes(self):
        for scheme in ("midpoint", "predictor"):
            case = self.write_case(MEMBRANES, f"membranes_{scheme}")
            (case / "path.csv").write_text(PATH, encoding="utf-8")
            run = self.compare(case, *settings(coupling__scheme=scheme))
            self.assertGreater(min(run.column("repulsion_energy")), 0)

    def test_shear_in_a_periodic_box(self):
        """Enough cells that the fluid's rows and the maps have several chunks."""
        self.compare("red_cell_in_shear", "--steps", 8, *settings(
            grid__cells="48, 48, 48", output__log="0.1 us", output__fields="0.8 us", output__vertices="0.8 us", output__cells="0.4 us"))


if __name__ == "__main__":
    unittest.main()
