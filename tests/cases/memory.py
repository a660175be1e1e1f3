"""What `check` says of memory, against the peak of a run; and that it says so at once, whatever the case asks for."""

import os
import re
import subprocess
import unittest

from command import CORRAL, THOROUGH, CaseTest, corral

BOX = """
[case]
driver = mppic
[grid]
cells = {cells}
size = {size} mm
[sides]
z_high = outlet
[solids]
density = 2500 kg/m3
[size.grains]
diameter = 0.3 mm
[seed.bed]
solids_fraction = 0.01
parcels = {parcels}
[time]
dt = 1e-4 s
end = 1 s
[output]
log = 0
fields = 0
parcels = 0
"""

FLUID = """
[case]
driver = membrane
[grid]
cells = {cells}
size = {size} um
[sides]
y_low = {across}
y_high = {across}
{more}
[time]
step = {step}
dt = 0.01 us
end = 1 s
[output]
log = 0
fields = 1 ns
vertices = 1 ns
sites = 0
"""

SPHERES = """
[surface.{0}]
shape = sphere
radius = {1} um
vertices = {2}
shear_modulus = 2.5 uN/m
{3}
[membranes.{0}]
surface = {0}
{4}
"""

BODIES = """
[case]
driver = body
[grid]
cells = 72, 72, 72
size = 72, 72, 72 mm
[sides]
x_low = periodic
x_high = periodic
y_low = periodic
y_high = periodic
z_low = periodic
z_high = periodic
[fluid]
method = {method}
[shape.ball]
shape = sphere
radius = 4 mm
[bodies.many]
arrangement = random
count = {count}
[time]
dt = 0.1
end = 10
[output]
log = 0.1
"""

BEADS = """
[case]
driver = beads
[box]
size = 90, 90, 90 um
free = {free}
[fluid]
viscosity = 1 cP
temperature = {temperature}
[mobility]
tolerance = {tolerance}
[beads]
radius = 1 um
[group.many]
arrangement = random
orientation = random
volume_fraction = {share}
{more}
[repulsion]
law = harmonic
strength = 0.1 pN
[time]
scheme = {scheme}
dt = 1 ms
end = 1
[output]
log = 0
fields = 0
beads = 0
"""


class Memory(CaseTest):
    def box(self, cells, parcels):
        name = "_".join(map(str, cells)) + f"_{parcels}"
        size = ", ".join(str(5 * n) for n in cells)
        return self.write_case(BOX.format(cells=", ".join(map(str, cells)), size=size, parcels=parcels), name)

    def compare_fluid(self, cells, more, across="periodic", threads=1, least=150, step="adaptive"):
        size = ", ".join(str(0.25 * n) for n in cells)
        text = FLUID.format(cells=", ".join(map(str, cells)), size=size, more=more, across=across, step=step)
        self.compare_case(self.write_case(text, f"case_{len(list(self.directory.iterdir()))}"), threads, least)

    def compare(self, cells, parcels, threads):
        self.compare_case(self.box(cells, parcels), threads)

    def compare_case(self, case, threads, least=100):
        said = float(re.search(r"memory +about (\d+) MB", corral("check", case).stdout)[1])
        run = subprocess.Popen([CORRAL, "run", case, "--quiet", "--steps", "1", "--threads", str(threads)])
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        peak = usage.ru_maxrss * 1024 / 1e6
        self.assertGreater(peak, least)
        text = f"{said} MB said, {peak} MB taken"
        self.assertLess(peak - said, 0.15 * peak, text)
        self.assertLess(said - peak, 0.2 * peak, text) # arrays that a case has no use for take no room

    def test_many_cells(self):
        self.compare((52, 52, 52), 12_000, 1)

    def test_many_parcels(self):
        self.compare((8, 8, 16), 500_000, 2)

    def test_collisions(self):
        """With all models of them, each of which has columns of its own."""
        case = self.box((8, 8, 16), 500_000)
        with (case / "case.ini").open("a", encoding="utf-8") as file:
            file.write("[contact]\ncollision_rate = far_from_equilibrium\nisotropy = orourke_snider\nacceleration = blended\n")
        self.compare_case(case, 1)

    def test_one_cell_thick(self):
        self.compare((1, 250, 250), 100_000, 2)

    def test_warm(self):
        for cells, parcels in (((52, 52, 52), 12_000), ((8, 8, 16), 500_000)):
            with self.subTest(cells=cells):
                case = self.box(cells, parcels) / "case.ini"
                text = case.read_text().replace("density = 2500 kg/m3", "density = 2500 kg/m3\nheat_capacity = 840 J/(kg K)")
                case.write_text(text.replace("[time]", "[heat]\nmodel = gunn\n[time]"))
                self.compare_case(case.parent, 1)

    def test_fluid(self):
        """In a periodic box that is sheared; between walls from a developed flow."""
        self.compare_fluid((96, 96, 96), "[drive]\nshear_rate = 100\n", least=130)
        self.compare_fluid((96, 90, 96), SPHERES.format("one", 4, 642, "", "") + "[fluid]\nprojection = PmIII\n", "no_slip", 2)

    def test_lattice(self):
        """In double and, with twice as many populations, in float."""
        for more in ("", "[lattice]\nscheme = two_lattices\nvelocity_set = D3Q27\nprecision = float\n"):
            with self.subTest(more=more):
                self.compare_fluid((96, 96, 96), "[fluid]\nmethod = lattice\n" + more, "periodic", step="fixed")

    def test_bodies(self):
        """Few and many, in either fluid."""
        for method, count in (("lattice", 100), ("spectral", 10), *((("lattice", 1), ("spectral", 100)) if THOROUGH else ())):
            with self.subTest(method=method, count=count):
                self.compare_case(self.write_case(BODIES.format(method=method, count=count), f"{method}_{count}"), 1, 60)

    def test_beads(self):
        """Many and fewer, whose mobility has the memory; fibres; where they diffuse; shells, whose factors have it; summed pair by pair."""
        fibres = "shape = fibre\nbeads = 10\nstretching = 1 uN/m"
        cases = (
                ("none", 0, 1e-3, 0.25, "", "midpoint"), ("xyz", 0, 1e-6, 0.02, "", "ab2"), ("none", 0, 1e-4, 0.05, fibres, "euler"),
                ("none", 300, 1e-3, 0.2, "", "euler"), ("none", 0, 1e-3, 0.02, "shape = shell\nshell_radius = 14 um", "euler"),
                ("none", 0, 1e-3, 0.01, "shape = shell\nshell_radius = 12 um\n[group.others]\nshape = shell\nshell_radius = 14.5 um\nposition = 45, 45, 45 um",
                 "euler"), ("xyz", 0, 1e-6, 1e-4, "", "ab2"), ("xyz", 300, 1e-6, 4e-3, "", "euler"))
        for number in range(len(cases)) if THOROUGH else (1, 2, 3, 5, 6, 7):
            free, temperature, tolerance, share, more, scheme = cases[number]
            with self.subTest(number=number):
                self.compare_case(self.write_case(BEADS.format(free=free, temperature=temperature, tolerance=tolerance, share=share,
                                                               more=more, scheme=scheme), f"beads_{number}"), 1, 20)

    def test_many_membranes(self):
        self.compare_fluid((256, 32, 32), SPHERES.format("cells", 0.3, 162, "", "arrangement = lattice\nlattice = 64, 8, 8"))

    def test_one_fine_membrane(self):
        self.compare_fluid((32, 32, 32), SPHERES.format("one", 3, 250_000, "bending = helfrich\nbending_modulus = 1e-25", ""))

    def test_another_viscosity_inside(self):
        """Two fluids; between walls they stand in for what the developed flow took."""
        for across, cells, vertices in (("periodic", 80, 642), ("no_slip", 80, 642), ("periodic", 32, 200_000)):
            with self.subTest(across=across, vertices=vertices):
                self.compare_fluid((cells, cells, cells), SPHERES.format("one", 3, vertices, "viscosity_ratio = 5", ""), across)

    def test_viscous_membrane(self):
        self.compare_fluid((32, 32, 32), SPHERES.format("one", 3, 200_000, "membrane_viscosity = 1e-9", ""))

    def test_radial_membranes(self):
        """Many, whose sites take the memory, and few that share large operators with another surface."""
        radial = "representation = radial\nsites = {}"
        self.compare_fluid((160, 32, 32), SPHERES.format("cells", 0.8, 100, radial.format(800), "arrangement = lattice\nlattice = 20, 4, 4"),
                           least=50)
        if not THOROUGH:
            return
        self.compare_fluid((64, 32, 32), SPHERES.format("left", 3, 864, radial.format(8832), "position = 4, 4, 4 um") +
                           SPHERES.format("right", 3.5, 864, radial.format(8832), "position = 12, 4, 4 um"))


if __name__ == "__main__":
    unittest.main()
