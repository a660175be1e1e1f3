#!/usr/bin/env python3
"""The same flow on a grid of its own, with no corral: polar.py [ROWS [STEPS_OF_A_PERIOD [PERIODS]]]

Vorticity and stream function about the cylinder, in its frame: sines of the angle (flow is symmetric about the way), rows of ln r at equal
distances out to 40 diameters, of second order; advection by Adams and Bashforth, diffusion by Crank and Nicolson. Needs numpy.
Lengths are in radii, speeds in the largest one of the cylinder, the density is 1.
"""

import math
import sys

import numpy as np

KC, REYNOLDS, WAVES, FAR = 5, 100, 32, 80
rows, steps, periods = (int(word) for word in (sys.argv[1:] + ["200", "2000", "4"][len(sys.argv) - 1:]))
T, nu = 2 * KC, 2 / REYNOLDS
omega, dt = 2 * math.pi / T, T / steps
h = math.log(FAR) / rows
square = np.exp(2 * h * np.arange(rows + 1))[:, None]  # of radii
k = np.arange(1, WAVES + 1)
theta = math.pi * (np.arange(3 * WAVES // 2 + 2) + 0.5) / (3 * WAVES // 2 + 2)  # half of the plane; products are exact
sines, cosines = np.sin(np.outer(k, theta)), np.cos(np.outer(k, theta))


def inverses(matrix_of):
    """Of a tridiagonal matrix for each wave."""
    return np.linalg.inv(np.stack([matrix_of(wave) for wave in k]))


def second(wave):
    """d2/dx2 - k^2 in the rows inside, x = ln r."""
    m = np.zeros((rows + 1, rows + 1))
    for i in range(1, rows):
        m[i, i - 1 : i + 2] = 1 / h**2, -2 / h**2 - wave**2, 1 / h**2
    return m


def diffusion(wave):
    m = -0.5 * nu * second(wave)
    m[0, 0] = m[rows, rows] = 1  # vorticity of the wall, none far away
    for i in range(1, rows):
        m[i, i] += square[i, 0] / dt
    return m


def poisson(wave):
    m = second(wave)
    m[0, 0] = 1
    m[rows, rows - 1 : rows + 1] = 2 / h**2, -2 / h**2 - wave**2 - 2 * wave / h  # psi' + k psi is given far away
    return m


diffuse, solve = inverses(diffusion), inverses(poisson)


def apply(inverse, right):
    return np.einsum("kij,jk->ik", inverse, right, optimize=True)


def stream(w, speed):
    right = -square * w
    right[0] = 0
    right[rows, 0] += 4 * speed * FAR / h  # the fluid passes at -speed
    return apply(solve, right)


unit = np.zeros((rows + 1, WAVES))
unit[0] = 1
of_wall = apply(diffuse, unit)  # what a vorticity of the wall makes
slip_of_wall = stream(of_wall, 0)[1] / h + 0.5 * h  # psi' there, with psi'' = -w
w, psi, before = np.zeros((rows + 1, WAVES)), np.zeros((rows + 1, WAVES)), None
forces = []
for step in range(periods * steps):
    angle = omega * (step + 1) * dt + math.pi / 2
    advection = np.zeros_like(w)
    d_psi, d_w = (psi[2:] - psi[:-2]) / (2 * h), (w[2:] - w[:-2]) / (2 * h)
    product = (psi[1:-1] * k @ cosines) * (d_w @ sines) - (d_psi @ sines) * (w[1:-1] * k @ cosines)
    advection[1:-1] = 2 / len(theta) * product @ sines.T
    right = np.zeros_like(w)
    right[1:-1] = square[1:-1] / dt * w[1:-1] + 0.5 * nu * ((w[2:] - 2 * w[1:-1] + w[:-2]) / h**2 - k**2 * w[1:-1])
    right -= advection if before is None else 1.5 * advection - 0.5 * before
    before = advection
    w = apply(diffuse, right)
    w -= stream(w, math.cos(angle))[1] / h / slip_of_wall * of_wall  # no slip
    psi = stream(w, math.cos(angle))
    slope = (-3 * w[0, 0] + 4 * w[1, 0] - w[2, 0]) / (2 * h)
    forces.append((angle, math.pi * (-omega * math.sin(angle) + nu * slope - nu * w[0, 0])))  # pressure and friction

angle, force = np.array(forces[-steps:]).T
drag = -3 * math.pi / 8 * 2 * np.mean(force * np.cos(angle))
least = -8 / 3 * np.mean(force * np.abs(np.cos(angle)) * np.cos(angle))
mass = 2 * np.mean(force * np.sin(angle)) / (math.pi * omega)
print(f"c_d {drag:.4f} by the work, {least:.4f} by least squares; c_m {mass:.4f}; {rows} rows, {steps} steps a period, {periods} periods")
