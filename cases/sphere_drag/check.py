#!/usr/bin/env python3
"""Checks the drag of a sphere in a stream: check.py [OUTPUT_DIRECTORY]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from case_files import Checks, mean, run_of
from spheres import Sphere, schiller_naumann, tolerance

run = run_of(__file__)
sphere = Sphere(run)
run.must_reach(10 * sphere.time)
known = schiller_naumann(sphere.reynolds)
end = run.times()[-1]
drag = mean(sphere.coefficients("force_x", end - 3 * sphere.time))
earlier = mean(sphere.coefficients("force_x", end - 6 * sphere.time, end - 3 * sphere.time))
checks = Checks(f"A sphere at Re {sphere.reynolds:.4g}, {sphere.diameter / sphere.spacing:.3g} cells to its diameter")
checks.report("drag", drag)
checks.near("the same without the box over Schiller and Naumann's", sphere.unbounded(drag) / known, 1, absolute=tolerance(sphere))
checks.near("the same over that of the three diameters before", drag / earlier, 1, absolute=0.02)
begin = end - 3 * sphere.time
aside = max(abs(f) for d in "yz" for f in sphere.coefficients(f"force_{d}", begin))
checks.at_most("force aside over drag", aside / drag, 0.02)  # points have no symmetry
away = max(abs(a - b) for a, b in zip(sphere.coefficients("force_x", begin), sphere.coefficients("momentum_force_x", begin)))
checks.at_most("drag by forces at points and by momentum, apart", away / drag, 1e-6)
checks.at_most("slip over the speed", max(run.column("slip", begin)) / sphere.speed, 0.02)
sys.exit(checks.end())
