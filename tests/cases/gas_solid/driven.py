"""Boxes that are periodic along gravity, or driven: forces.weight and forces.pressure_gradient beside formulas."""

import unittest

from case_files import VtkFile
from command import CaseTest, corral, settings

MU, RHO, RHO_P, D, THETA, G = 1e-3, 1000, 2500, 100e-6, 0.2, 9.81
SUSPENSION = f"""
[case]
driver = mppic
[time]
step = fixed
dt = 1e-4
end = 0.02
[grid]
cells = 3, 3, 6
size = 1.5, 1.5, 3 mm
[sides]
x_low = periodic
x_high = periodic
y_low = periodic
y_high = periodic
z_low = periodic
z_high = periodic
[gas]
density = {RHO}
viscosity = {MU}
[solids]
density = {RHO_P}
drag = stokes
[size.grains]
diameter = {D}
[seed.all]
arrangement = cell_lattice
lattice = 2, 2, 2
solids_fraction = {THETA}
[output]
log = 1e-3
fields = 0.01
parcels = 0.01
"""
CHANNEL = f"""
[case]
driver = mppic
[time]
dt = 0.01
end = 12
[grid]
cells = 16, 1, 3
size = 4, 1, 1 mm
[sides]
y_low = periodic
y_high = periodic
z_low = periodic
z_high = periodic
[forces]
gravity = 0, 0, 0
[gas]
density = {RHO}
viscosity = {MU}
[solids]
density = {RHO_P}
[output]
log = 0.1
fields = 12
"""


class Driven(CaseTest):
    def gas_velocity(self, run):
        return [u[2] for u in VtkFile(run.files("fields")[-1]).values("gas_velocity")]

    def test_terminal_slip(self):
        """Drag carries the weight, and the mixture rests: eps rho u + theta rho_p v = 0."""
        case = self.write_case(SUSPENSION)
        rate = 18 * MU / (RHO_P * D * D)
        slip = (1 - THETA) * (1 - RHO / RHO_P) * G / rate
        v = -slip * (1 - THETA) * RHO / ((1 - THETA) * RHO + THETA * RHO_P)
        for name, more in {"advective": {}, "conservative": {"gas__momentum": "conservative"}}.items():
            with self.subTest(name):
                run = self.run_case(case, *settings(forces__weight="borne", output__audit="true", **more), name=name)
                self.assertAlmostEqual(run.log["velocity_z"][-1], v, delta=1e-6 * slip)
                for u in self.gas_velocity(run):
                    self.assertAlmostEqual(u - v, slip, delta=1e-6 * slip)
                self.assertAlmostEqual(run.log["pressure_drop"][-1], run.log["weight"][-1], delta=1e-9 * run.log["weight"][-1])
                for column in ("momentum_residual", "momentum_books", "energy_residual", *(["gas_books"] if more else [])):
                    self.assertLess(max(run.log[column]), 1e-12, column)
        self.assert_same_however_run(run, case, *settings(forces__weight="borne", output__audit="true", **more), cut=77)

    def test_falls(self):
        """Without, as check says, all of it falls at g."""
        case = self.write_case(SUSPENSION)
        said = corral("check", case).stdout
        self.assertIn("warning   the box is periodic along z, where gravity acts: gas and solids fall through it together", said)
        self.assertIn("or forces.weight = borne", said)
        self.assertNotIn("fall through it", corral("check", case, *settings(forces__weight="borne")).stdout)
        run = self.run_case(case)
        eps, end = 1 - THETA, run.log["time"][-1]
        momentum = THETA * RHO_P * run.log["velocity_z"][-1] + eps * RHO * self.gas_velocity(run)[0]
        self.assertAlmostEqual(momentum, -(THETA * RHO_P + eps * RHO) * G * end, delta=1e-9 * RHO)

    def test_frozen(self):
        """Gas through a bed that is held: what drives it is its drag, theta rho_p D u = -eps dp/dz + eps rho g, and gravity is
        the gas's own weight."""
        case = self.write_case(SUSPENSION)
        drag = THETA * 18 * MU / (D * D)
        for name, keys in {"driven": {"forces__pressure_gradient": "0, 0, -1e3", "forces__gravity": "0, 0, 0"},
                           "both": {"forces__pressure_gradient": "0, 0, -1e3", "forces__weight": "borne"}}.items():
            with self.subTest(name):
                run = self.run_case(case, *settings(solids__frozen="true", **keys), name=name)
                for u in self.gas_velocity(run):
                    self.assertAlmostEqual(u, (1 - THETA) * 1e3 / drag, delta=1e-6)

    def test_channel(self):
        """Plane Poiseuille flow of gas alone: mean -dp/dz H^2/(12 mu), and 2 h^2/H^2 of it more as cells and walls have it."""
        case = self.write_case(CHANNEL)
        run = self.run_case(case, *settings(forces__pressure_gradient="0, 0, -1"))
        u = self.gas_velocity(run)
        self.assertAlmostEqual(sum(u) / len(u) / ((4e-3) ** 2 / (12 * MU)), 1 + 2 / 16**2, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
