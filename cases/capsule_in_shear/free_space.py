#!/usr/bin/env python3
"""What the capsule does in a shear flow without bounds, by a program that shares nothing with corral's.

free_space.py [CA [REFINEMENTS [STRAIN [BQ]]]]: 0.1, 3, 6, 0; each refinement has four times the points, 3 has 642; BQ is the
viscosity of the membrane itself, over that of the fluid times the radius

Without inertia and with one viscosity the membrane's forces F move it by u(x) = u_shear(x) + sum G(x - y) F(y)/(8 pi mu),
G = 1/r + r r/r^3: a boundary integral, without grid, kernel, box and walls. Points on themselves take what a triangular
lattice of points leaves out of the integral of 1/r over a plane, 3.92103 sqrt(area): Bonsall and Maradudin, Phys. Rev.
B 15 (1977) 1959. Needs numpy.
"""

import sys

import numpy as np

LATTICE = 3.921034


def sphere(refinements):
    """Icosahedron whose triangles are halved so often: points on the unit sphere, triangles."""
    g = (1 + 5**0.5) / 2
    points = [np.array(p) for p in ((-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g),
                                    (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1))]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
                 (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
                 (8, 6, 7), (9, 8, 1)]
    for _ in range(refinements):
        middles = {}

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append(points[a] / np.linalg.norm(points[a]) + points[b] / np.linalg.norm(points[b]))
            return middles[key]

        triangles = [t for a, b, c in triangles
                     for ab, bc, ca in [(middle(a, b), middle(b, c), middle(c, a))]
                     for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    x = np.array(points)
    return x / np.linalg.norm(x, axis=1)[:, None], np.array(triangles)


class Membrane:
    """Neo-Hookean: W = G/2 (tr C + 1/det C - 3) per area of the sphere, C the Cauchy-Green tensor of flat triangles."""

    def __init__(self, x, triangles, modulus):
        self.t, self.G = triangles, modulus
        e1, e2 = x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]]
        l1 = np.linalg.norm(e1, axis=1)
        along = np.einsum("ij,ij->i", e1, e2) / l1
        across = np.linalg.norm(np.cross(e1, e2), axis=1) / l1
        self.area = 0.5 * l1 * across
        zero = np.zeros_like(l1)
        self.inverse = np.linalg.inv(np.stack([np.stack([l1, along], 1), np.stack([zero, across], 1)], 1))

    def forces(self, x):
        t = self.t
        edges = np.stack([x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]]], 2)
        F = edges @ self.inverse
        C = np.swapaxes(F, 1, 2) @ F
        slope = self.G * (np.eye(2) - np.linalg.inv(C) / np.linalg.det(C)[:, None, None])
        pull = -self.area[:, None, None] * (F @ slope @ np.swapaxes(self.inverse, 1, 2))
        f = np.zeros_like(x)
        for k in (0, 1):
            np.add.at(f, t[:, k + 1], pull[:, :, k])
            np.add.at(f, t[:, 0], -pull[:, :, k])
        return f


def normals(x, t):
    """Outward, times a third of the area of the triangles around each point."""
    each = np.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]]) / 6
    n = np.zeros_like(x)
    for k in range(3):
        np.add.at(n, t[:, k], each)
    return n


def moved_by(f, x, t):
    """Velocity of the points by forces on them, of fluid of viscosity 1."""
    n = normals(x, t)
    area = np.linalg.norm(n, axis=1)
    n /= area[:, None]
    u = (LATTICE / np.sqrt(area))[:, None] * (1.5 * f - 0.5 * n * np.einsum("ij,ij->i", n, f)[:, None])
    for begin in range(0, len(x), 256):
        r = x[begin:begin + 256, None, :] - x[None, :, :]
        square = np.einsum("ijk,ijk->ij", r, r)
        square[np.arange(len(r)), np.arange(begin, begin + len(r))] = np.inf
        inverse = 1 / np.sqrt(square)
        u[begin:begin + 256] += inverse @ f
        u[begin:begin + 256] += np.einsum("ijk,ij->ik", r, np.einsum("ijk,jk->ij", r, f) * inverse**3)
    return u / (8 * np.pi)


def mobility(x, t):
    """The same as a matrix."""
    n = normals(x, t)
    area = np.linalg.norm(n, axis=1)
    n /= area[:, None]
    r = x[:, None, :] - x[None, :, :]
    distance = np.linalg.norm(r, axis=2)
    np.fill_diagonal(distance, np.inf)
    G = np.einsum("ijk,ijl->ijkl", r, r) / distance[:, :, None, None] ** 3 + np.eye(3) / distance[:, :, None, None]
    own = np.arange(len(x))
    G[own, own] = (LATTICE / np.sqrt(area))[:, None, None] * (1.5 * np.eye(3) - 0.5 * np.einsum("ik,il->ikl", n, n))
    return G.transpose(0, 2, 1, 3).reshape(3 * len(x), 3 * len(x)) / (8 * np.pi)


def resistance(x, t, viscosity):
    """C of the forces -C u of a membrane that is viscous against shear: area mu (2 D : D - tr(D)^2) as a form of u."""
    a, b = x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]]
    t1 = a / np.linalg.norm(a, axis=1)[:, None]
    n = np.cross(a, b)
    area = 0.5 * np.linalg.norm(n, axis=1)
    t2 = np.cross(n, t1) / (2 * area)[:, None]
    slopes = np.stack([np.cross(n, x[t[:, (k + 2) % 3]] - x[t[:, (k + 1) % 3]]) for k in range(3)], 1) / (4 * area**2)[:, None, None]
    along = [np.einsum("ikd,id->ik", slopes, tangent) for tangent in (t1, t2)]  # of shape functions
    apart = np.einsum("ik,id->ikd", along[0], t1) - np.einsum("ik,id->ikd", along[1], t2)  # D11 - D22 of u
    twice = np.einsum("ik,id->ikd", along[1], t1) + np.einsum("ik,id->ikd", along[0], t2)  # 2 D12
    C = np.zeros((3 * len(x), 3 * len(x)))
    place = (3 * t[:, :, None] + np.arange(3)).reshape(len(t), 9)
    for form in (apart.reshape(-1, 9), twice.reshape(-1, 9)):
        np.add.at(C, (place[:, :, None], place[:, None, :]), viscosity * area[:, None, None] * form[:, :, None] * form[:, None, :])
    return C


def velocity(x, membrane, viscosity=0):
    F = membrane.forces(x)
    if viscosity == 0:
        u = moved_by(F, x, membrane.t)
        u[:, 0] += x[:, 1]
        return u
    M = mobility(x, membrane.t)
    u = M @ F.ravel()
    u[::3] += x[:, 1]
    return np.linalg.solve(np.eye(len(u)) + M @ resistance(x, membrane.t, viscosity), u).reshape(-1, 3)


def drag_over_stokes(x, t):
    """Of a sphere that forces pull evenly, which is then rigid: 1, with what the points are wrong by."""
    even = np.linalg.norm(normals(x, t), axis=1)
    pull = np.outer(even, (1, 0, 0))
    u = moved_by(pull, x, t)
    return even.sum() / (6 * np.pi * u[:, 0].mean()), np.abs(u - u.mean(axis=0)).max() / u[:, 0].mean()


def shape(x, t):
    """Deformation and inclination [degrees] of the ellipse with the volume's second moments, and the volume."""
    a, b, c = x[t[:, 0]], x[t[:, 1]], x[t[:, 2]]
    V = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    s = a + b + c
    M = sum(np.einsum("i,ij,ik->jk", V, v, v) for v in (a, b, c, s)) / 20
    values, vectors = np.linalg.eigh(M[:2, :2])
    low, high = np.sqrt(values)
    return (high - low) / (high + low), np.degrees(np.arctan(vectors[1, 1] / vectors[0, 1])), V.sum()


def main(Ca=0.1, refinements=3, strain=6.0, viscosity=0.0):
    x, t = sphere(int(refinements))
    membrane = Membrane(x, t, 1 / (3 * Ca))
    volume, dt = shape(x, t)[2], min(0.02, 0.1 * Ca * 2.0 ** (3 - refinements) + 0.1 * viscosity * Ca)
    steps = int(np.ceil(strain / dt))
    drag, uneven = drag_over_stokes(x, t)
    print(f"{len(x)} points: a sphere that is pulled has {drag:.5f} of Stokes' drag, and is rigid within {uneven:.5f}")
    print(f"Ca {Ca:g}, {steps} steps of {dt:g}", flush=True)
    for n in range(1, steps + 1):
        x = x + dt * velocity(x + 0.5 * dt * velocity(x, membrane, viscosity), membrane, viscosity)
        if n % max(1, steps // 12) == 0:
            D, angle, V = shape(x, t)
            print(f"strain {n * dt:6.3f}  D {D:.5f}  inclination {angle:.3f}  volume {V / volume - 1:+.2e}", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
