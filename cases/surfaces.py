"""Closed surfaces of triangles as vertex files hold them, and their measures, apart from those that the driver logs."""

import math



class Surface:
    """A closed surface of triangles: points [m], and triangles of places in them."""

    def __init__(self, points, triangles):
        self.points, self.triangles = points, triangles
        self.volume, self.area, moments = 0.0, 0.0, [0.0] * 3
        origin = points[0]  # digits are kept far from the box's corner
        sums = [[0.0] * 3 for _ in range(3)]
        for corners in triangles:
            a, b, c = ([x - o for x, o in zip(points[k], origin)] for k in corners)
            normal = cross([x - y for x, y in zip(b, a)], [x - y for x, y in zip(c, a)])
            self.area += 0.5 * math.sqrt(dot(normal, normal))
            v = dot(a, normal) / 6  # of the tetrahedron with the origin
            self.volume += v
            s = [a[d] + b[d] + c[d] for d in range(3)]
            for i in range(3):
                moments[i] += v / 4 * s[i]
                for j in range(i, 3):
                    sums[i][j] += v / 20 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j])
        inner = [m / self.volume for m in moments]
        self.centroid = [o + x for o, x in zip(origin, inner)]
        self.moments = {(i, j): sums[i][j] - self.volume * inner[i] * inner[j] for i in range(3) for j in range(i, 3)}

    def moment(self, i, j):
        """Second moment of the enclosed volume about its centroid [m5]."""
        return self.moments[min(i, j), max(i, j)]

    def ellipse(self, along, across=1):
        """Half axes [m] and inclination [rad] from `along` towards `across` of the ellipsoid with these moments, in the
        plane of both."""
        scale = 5 / self.volume
        xx, yy, xy = (scale * self.moment(i, j) for i, j in ((along, along), (across, across), (along, across)))
        middle, apart = 0.5 * (xx + yy), math.hypot(0.5 * (xx - yy), xy)
        return (math.sqrt(middle + apart), math.sqrt(max(middle - apart, 0.0)), 0.5 * math.atan2(2 * xy, xx - yy))

    def deformation(self, along, across=1):
        """Taylor's (L - B)/(L + B) of that ellipse [-]."""
        longer, shorter, _ = self.ellipse(along, across)
        return (longer - shorter) / (longer + shorter)

    def extent(self, axis):
        """From the lowest to the highest point along an axis [m]."""
        places = [x[axis] for x in self.points]
        return max(places) - min(places)

    def edges(self):
        """Lengths of all edges, each twice [m]."""
        return [math.dist(self.points[t[k]], self.points[t[(k + 1) % 3]]) for t in self.triangles for k in range(3)]


def surfaces(file):
    """The membranes of a vertex file, in order of their numbers."""
    points, numbers = file.values("Points"), file.values("membrane")
    corners = file.values("connectivity")
    first, last = {}, {}
    for i, number in enumerate(numbers):
        first.setdefault(number, i)
        last[number] = i + 1
    triangles = {number: [] for number in first}
    for t in zip(*[iter(corners)] * 3):
        number = numbers[t[0]]
        triangles[number].append(tuple(k - first[number] for k in t))
    return [Surface(points[first[n] : last[n]], triangles[n]) for n in sorted(first)]


def red_cell(radius, pieces=20000):
    """Volume [m3] and area [m2] of Evans and Fung's disc, r = R cos t, z = R (.105 + r^2 - .56 r^4) sin t with r in units
    of R: the driver's shape again, by the midpoint rule."""
    volume = area = 0.0
    step = 0.5 * math.pi / pieces
    for i in range(pieces):
        t = (i + 0.5) * step
        r, s = math.cos(t), math.sin(t)
        p, slope = 0.105 + r**2 - 0.56 * r**4, 2 * r - 2.24 * r**3
        dr, dz = -s, p * r - slope * s * s
        volume += 2 * math.pi * r * (p * s) * -dr * step
        area += 2 * math.pi * r * math.hypot(dr, dz) * step
    return 2 * volume * radius**3, 2 * area * radius**2


def share_of_planes(cells, heights, size):
    """Share of each plane y = height that the surfaces enclose, in a box of that size [-]: a membrane's cut is the sum
    over the triangles that the plane crosses."""
    areas = [0.0] * len(heights)
    step = heights[1] - heights[0]
    for cell in cells:
        x0, _, z0 = cell.points[0]
        for corners in cell.triangles:
            a, b, c = (cell.points[k] for k in corners)
            low, high = min(a[1], b[1], c[1]), max(a[1], b[1], c[1])
            first = max(math.ceil((low - heights[0]) / step), 0)
            last = min(math.ceil((high - heights[0]) / step), len(heights))
            for i in range(first, last):
                enters, leaves = cut(a, b, c, heights[i])
                areas[i] += 0.5 * ((enters[1] - z0) * (leaves[0] - x0) - (enters[0] - x0) * (leaves[1] - z0))
    return [area / (size[0] * size[2]) for area in areas]


def cut(a, b, c, y):
    """Where a plane of y enters a triangle and leaves it: (x, z) of the crossing downward, then of the one upward."""
    crossings = [None, None]
    for p, q in ((a, b), (b, c), (c, a)):
        if (p[1] <= y) != (q[1] <= y):
            share = (y - p[1]) / (q[1] - p[1])
            crossings[p[1] <= y] = (p[0] + share * (q[0] - p[0]), p[2] + share * (q[2] - p[2]))
    return crossings


def edge_of_the_core(cells, size, bins, high):
    """Mean distance [m] from a wall of y to the nearest membrane, as who looks along x sees it, by bins along z."""
    nearest = [None] * bins
    for cell in cells:
        for x in cell.points:
            i = int(x[2] / size[2] * bins) % bins
            away = size[1] - x[1] if high else x[1]
            nearest[i] = away if nearest[i] is None else min(nearest[i], away)
    seen = [n for n in nearest if n is not None]
    return math.fsum(seen) / len(seen)


def nearest_points(cells, size, wraps):
    """The least distance of points of two surfaces [m] in a box that wraps along x and z, and along y where `wraps`;
    infinite where none are within a sixteenth of the box."""
    width = min(size) / 16
    bins = {}
    for number, cell in enumerate(cells):
        for x in cell.points:
            bins.setdefault(tuple(int(x[d] % size[d] // width) for d in range(3)), []).append((number, x))
    counts = [max(int(size[d] // width), 1) for d in range(3)]
    least = math.inf
    for place, here in bins.items():
        around = {tuple((place[d] + shift[d]) % counts[d] for d in range(3))
                  for shift in ((i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1))}
        for other in around:
            for a, x in here:
                for b, y in bins.get(other, ()):
                    if a < b:
                        apart = [x[d] - y[d] for d in range(3)]
                        apart = [e - size[d] * round(e / size[d]) if wraps or d != 1 else e
                                 for d, e in enumerate(apart)]
                        least = min(least, dot(apart, apart))
    return math.sqrt(least)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
