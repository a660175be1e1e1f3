"""Beds dropped and laid in fixed steps: refused, ended with the reason, or packed as they can be. LONG=1 prints the table
of docs/validation/landing.md."""

import math
import unittest

from command import LONG, CaseTest, corral, settings

BED = """
[case]
driver = mppic
[grid]
cells = 4, 4, 80
size = {width}, {width}, {height} m
[sides]
x_low = free_slip
x_high = free_slip
y_low = free_slip
y_high = free_slip
z_high = outlet
[solids]
density = 2500 kg/m3
close_packing = 0.6
[size.beads]
diameter = 1 mm
[seed.bed]
arrangement = cells
parcels_per_cell = 8
low = 0, 0, {low} m
high = {width}, {width}, {high} m
solids_fraction = 0.55
[time]
step = fixed
dt = {dt}
end = {end}
[output]
log = {dt} s
fields = 0
parcels = 0
"""
PACKING, OVERFULL = 0.6, 1.05
QUICK = (("dropped", 2.5, 5), ("dropped", 20, 2), ("laid", 2.5, 2))  # bed, cell [mm], step [ms]
ALL = [(bed, h, dt) for bed in ("dropped", "laid") for h in (2.5, 5, 10, 20) for dt in (1, 2, 5, 10)]


class Landing(CaseTest):
    def bed(self, name, h, dt):
        """The case, and the cells that its solids fall through in a step."""
        low = 32 * h if name == "dropped" else 0
        end = max(math.sqrt(2 * low / 9.81) + 0.8, 200 * dt)  # [s]: what stays overfull has the time to be found
        text = BED.format(width=4 * h, height=80 * h, low=low, high=low + 40 * h, dt=dt, end=end)
        settles = (1 - 0.55 / PACKING) * 40 * h
        return self.write_case(text, f"{name}_{h}_{dt}"), math.sqrt(2 * 9.81 * (low + settles)) * dt / h

    def test_fixed_steps(self):
        for name, h, dt in ALL if LONG else QUICK:
            case, crossed = self.bed(name, h * 1e-3, dt * 1e-3)
            with self.subTest(name=name, h=h, dt=dt, crossed=crossed):
                said = corral("check", case)
                self.assertEqual(said.returncode, 2 if crossed > 0.5 else 0, said.stderr)
                done = corral("run", case, "--quiet", *settings(time__unsafe="true"))
                with open(case / "out/log.csv", encoding="utf-8") as log:
                    names = log.readline().strip().split(",")
                    rows = [dict(zip(names, map(float, line.split(",")))) for line in log]
                filled = [row["theta_max"] / PACKING for row in rows[1:]]
                share = sum(one > OVERFULL for one in filled) / len(filled)
                told = "ended" if done.returncode else f"{filled[-1]:.3f}"
                if LONG:
                    print(f"{name:8} {h:5} mm {dt:3} ms  crossed {crossed:5.2f}  most {max(filled):.2f}  at the end {told}  "
                          f"beyond {OVERFULL}: {share:.2f}", flush=True)
                if crossed <= 0.5:
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertLess(share, 0.15)
                if done.returncode:
                    self.assertRegex(done.stderr, "packed beyond 1.05 of close packing|is far too long")
                else:
                    self.assertLess(filled[-1], OVERFULL)


if __name__ == "__main__":
    unittest.main()
