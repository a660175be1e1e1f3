"""The fall of one particle by its equation of motion."""

from drag_laws import law_of


def acceleration(settings):
    """A function of the particle's upward velocity [m/s]: drag, weight, and the gas's pressure gradient, which is its own
    weight [m/s2]."""
    law = law_of(settings)
    g, updraught = -settings.reals("forces.gravity")[2], settings.reals("gas.velocity")[2]
    rho, rho_p = settings.real("gas.density"), settings.real("solids.density")

    def of(u):
        slip = updraught - u
        return law(1.0, abs(slip)) * slip / rho_p - g * (1 - rho / rho_p)

    return of


def fall(accelerate, z, u, duration, steps=100):
    """Height and velocity after the duration, by the classical Runge-Kutta method of fourth order."""
    h = duration / steps
    for _ in range(steps):
        k1 = accelerate(u)
        k2 = accelerate(u + 0.5 * h * k1)
        k3 = accelerate(u + 0.5 * h * k2)
        k4 = accelerate(u + h * k3)
        z += h * (u + h / 6 * (k1 + k2 + k3))
        u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return z, u


def curves(run):
    """What tools/plot draws: velocity over time from that of the first row."""
    accelerate, times = acceleration(run.settings), run.times()
    z, u, velocities = 0.0, run.log["velocity_z"][0], [run.log["velocity_z"][0]]
    for before, now in zip(times, times[1:]):
        z, u = fall(accelerate, z, u, now - before)
        velocities.append(u)
    return {"velocity_z": [("equation of motion", times, velocities)]}
