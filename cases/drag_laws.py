"""Drag laws of Model A, for what the checks expect: written from the papers, apart from the driver's own.

Each law gives K [kg/(m3 s)], drag per particle volume and slip velocity, from the gas fraction eps, the slip speed
[m/s], the particles' diameter [m], and the gas's density rho [kg/m3] and viscosity mu [Pa s]. docs/models/drag.md has the
sources.
"""

import math

from case_files import root


def single_sphere_coefficient(re):
    """Schiller and Naumann 1933, times Re."""
    return 24 * (1 + 0.15 * re**0.687) if re < 1000 else 0.44 * re


def wen_yu(eps, slip, d, rho, mu):
    re = eps * rho * slip * d / mu
    return 0.75 * single_sphere_coefficient(re) * mu / d**2 * eps**-2.65


def ergun(eps, slip, d, rho, mu):
    return 150 * (1 - eps) * mu / (eps * d**2) + 1.75 * rho * slip / d


def gidaspow_blended(eps, slip, d, rho, mu):
    phi = math.atan(262.5 * (eps - 0.8)) / math.pi + 0.5
    return (1 - phi) * ergun(eps, slip, d, rho, mu) + phi * wen_yu(eps, slip, d, rho, mu)


def beetstra(eps, slip, d, rho, mu):
    theta, re = 1 - eps, max(eps * rho * slip * d / mu, 1e-12)
    viscous = 10 * theta / eps**2 + eps**2 * (1 + 1.5 * math.sqrt(theta))
    inertial = (1 / eps + 3 * eps * theta + 8.4 * re**-0.343) / (1 + 10 ** (3 * theta) * re ** (-(1 + 4 * theta) / 2))
    return 18 * mu * eps / d**2 * (viscous + 0.413 * re / (24 * eps**2) * inertial)


def tang(eps, slip, d, rho, mu):
    theta, re = 1 - eps, eps * rho * slip * d / mu
    fitted = min(max(re, 1e-12), 1000)  # the fit ends there
    viscous = 10 * theta / eps**2 + eps**2 * (1 + 1.5 * math.sqrt(theta))
    inertial = 0.11 * theta * (1 + theta) - 4.56e-3 / eps**4 + fitted**-0.343 * (0.169 * eps + 0.0644 / eps**4)
    return 18 * mu * eps / d**2 * (viscous + re * inertial)


def polydisperse(law, eps, slip, d, rho, mu, mean=None):
    """`law` in a mixture of which `mean` is the Sauter mean diameter [m]."""
    mean = mean or d
    y = d / mean
    share = eps * y + (1 - eps) * y**2 + 0.064 * eps * y**3
    return share * law(eps, slip, mean, rho, mu) * (mean / d) ** 2


def syamlal_obrien(eps, slip, d, rho, mu):
    re = max(rho * slip * d / mu, 1e-12)
    a, b = eps**4.14, 0.8 * eps**1.28 if eps <= 0.85 else eps**2.65
    v = 0.5 * (a - 0.06 * re + math.sqrt(0.0036 * re**2 + 0.12 * re * (2 * b - a) + a**2))
    return 0.75 * mu * eps * (0.63 * math.sqrt(re / v) + 4.8) ** 2 / (v * d**2)


def plessis_masliyah(eps, slip, d, rho, mu):
    theta, re = max(1 - eps, 1e-9), rho * slip * d / mu
    c = theta ** (1 / 3)
    a = 26.8 * eps**3 / (c**2 * (1 - c) * (1 - c**2) ** 2)
    b = eps**2 / (1 - c**2) ** 2
    return mu / d**2 * (a * theta / eps + b * re)


def law_of(settings):
    """The run's law as K(eps, slip)."""
    rho, mu = settings.real("gas.density"), settings.real("gas.viscosity")
    (size,) = settings.blocks("size")
    d, cd = settings.real(f"size.{size}.diameter"), settings.real("solids.drag_coefficient")
    scale = mu / d**2
    laws = {
        "stokes": lambda eps, slip: 18 * scale,
        "stokes_hindered": lambda eps, slip: 18 * scale * eps**-2.65,
        "constant": lambda eps, slip: 0.75 * cd * rho * slip / d,
        "constant_hindered": lambda eps, slip: 0.75 * cd * rho * slip / d * eps**-2.65,
        "single_sphere": lambda eps, slip: 0.75 * scale * single_sphere_coefficient(rho * slip * d / mu),
        "single_sphere_hindered": lambda eps, slip: laws["single_sphere"](eps, slip) * eps**-2.65,
        "wen_yu": lambda eps, slip: wen_yu(eps, slip, d, rho, mu),
        "ergun": lambda eps, slip: ergun(eps, slip, d, rho, mu),
        "gidaspow": lambda eps, slip: (ergun if eps < 0.8 else wen_yu)(eps, slip, d, rho, mu),
        "gidaspow_blended": lambda eps, slip: gidaspow_blended(eps, slip, d, rho, mu),
        "beetstra": lambda eps, slip: beetstra(eps, slip, d, rho, mu),
        "beetstra_polydisperse": lambda eps, slip: polydisperse(beetstra, eps, slip, d, rho, mu),
        "tang_polydisperse": lambda eps, slip: polydisperse(tang, eps, slip, d, rho, mu),
        "tang": lambda eps, slip: tang(eps, slip, d, rho, mu),
        "syamlal_obrien": lambda eps, slip: syamlal_obrien(eps, slip, d, rho, mu),
        "plessis_masliyah": lambda eps, slip: plessis_masliyah(eps, slip, d, rho, mu),
    }
    return laws[settings.text("solids.drag")]


def pressure_gradient(law, eps, superficial):
    """Through a bed at rest [Pa/m]: eps dp/dz = -theta K u, u the velocity between the particles."""
    slip = superficial / eps
    return (1 - eps) * law(eps, slip) * slip / eps


def minimum_fluidisation(law, eps, weight_gradient):
    """Superficial velocity [m/s] at which the pressure gradient carries the buoyed weight [Pa/m] of the bed."""
    return root(lambda u: pressure_gradient(law, eps, u) - weight_gradient, 0.0, 100.0)


def hindered_settling(law, eps, buoyed_density, g):
    """Speed [m/s] at which a suspension settles in a closed box: K slip = eps g (rho_p - rho), and no net volume flux
    leaves the particles eps times their slip."""
    return eps * root(lambda slip: law(eps, slip) * slip - eps * g * buoyed_density, 0.0, 100.0)
