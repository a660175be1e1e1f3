"""Draws surfaces of triangles as an image, by a depth buffer: no graphics card, no window."""

import numpy as np

FINER = 3  # rays per pixel and axis
LIGHT = np.array([-0.45, 0.75, 0.55]) / np.linalg.norm([-0.45, 0.75, 0.55])  # to the right, upward, to the eye
AMBIENT, SHINE, SHINE_WIDTH = 0.34, 0.22, 24
CREVICE, CREVICE_REACH = 0.55, 0.035  # how dark what lies behind something near becomes; of the picture's width
EDGE = np.array([0.62, 0.64, 0.68])


class Camera:
    """Parallel rays: y of the box points upward, and the eye looks from z, turned by two angles [degrees]."""

    def __init__(self, turn, tilt):
        a, b = np.radians(turn), np.radians(tilt)
        around = np.array([[np.cos(a), 0, -np.sin(a)], [0, 1, 0], [np.sin(a), 0, np.cos(a)]])
        over = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
        self.rows = over @ around

    def seen(self, points):
        """Right, up and towards the eye."""
        return points @ self.rows.T


def vertex_normals(points, triangles):
    """Of length 1: the sum of the triangles' around each vertex."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], across)
    return normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]


class Canvas:
    """What each ray meets first: its depth, normal and colour."""

    def __init__(self, centre, width, height, pixels):
        self.scale = FINER * pixels / width
        self.columns, self.rows = FINER * pixels, int(np.ceil(FINER * pixels * height / width / FINER)) * FINER
        self.centre = np.array([self.columns / 2, self.rows / 2]) - self.scale * np.asarray(centre[:2]) * [1, -1]
        self.depth = np.full((self.rows, self.columns), -np.inf)
        self.normal = np.zeros((self.rows, self.columns, 3))
        self.colour = np.ones((self.rows, self.columns, 3))

    def on_grid(self, seen):
        """Columns and rows, from the upper left corner."""
        return self.centre + self.scale * seen[:, :2] * [1, -1]

    def add_surface(self, seen, triangles, colours):
        normals = vertex_normals(seen, triangles)
        places = self.on_grid(seen)
        towards = np.cross(seen[triangles[:, 1]] - seen[triangles[:, 0]], seen[triangles[:, 2]] - seen[triangles[:, 0]])
        for corners in triangles[towards[:, 2] > 0]:  # the others face away
            self.add_triangle(places[corners], seen[corners, 2], normals[corners], colours[corners])

    def add_triangle(self, p, depths, normals, colours):
        low = np.maximum(np.ceil(p.min(axis=0) - 0.5), 0).astype(int)
        high = np.minimum(np.floor(p.max(axis=0) - 0.5), [self.columns - 1, self.rows - 1]).astype(int)
        if np.any(high < low):
            return
        x, y = np.meshgrid(np.arange(low[0], high[0] + 1) + 0.5, np.arange(low[1], high[1] + 1) + 0.5)
        twice = (p[1, 0] - p[0, 0]) * (p[2, 1] - p[0, 1]) - (p[2, 0] - p[0, 0]) * (p[1, 1] - p[0, 1])
        b = ((x - p[0, 0]) * (p[2, 1] - p[0, 1]) - (p[2, 0] - p[0, 0]) * (y - p[0, 1])) / twice
        c = ((p[1, 0] - p[0, 0]) * (y - p[0, 1]) - (x - p[0, 0]) * (p[1, 1] - p[0, 1])) / twice
        share = np.stack([1 - b - c, b, c], axis=-1)
        at = (slice(low[1], high[1] + 1), slice(low[0], high[0] + 1))
        depth = share @ depths
        seen = np.all(share >= -1e-9, axis=-1) & (depth > self.depth[at])
        self.depth[at][seen] = depth[seen]
        self.normal[at][seen] = (share @ normals)[seen]
        self.colour[at][seen] = (share @ colours)[seen]

    def add_line(self, begin, end, thickness):
        """A thin line, where nothing stands before it; its normal is 0, so that it isn't shaded."""
        count = int(2 * self.scale * np.linalg.norm(end - begin)) + 2
        points = begin + np.linspace(0, 1, count)[:, None] * (end - begin)
        places, reach = self.on_grid(points), int(FINER * thickness / 2)
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                x, y = np.floor(places[:, 0] + i).astype(int), np.floor(places[:, 1] + j).astype(int)
                inside = (x >= 0) & (x < self.columns) & (y >= 0) & (y < self.rows)
                x, y, depth = x[inside], y[inside], points[inside, 2]
                free = depth > self.depth[y, x]
                self.depth[y[free], x[free]] = depth[free]
                self.normal[y[free], x[free]] = 0
                self.colour[y[free], x[free]] = EDGE

    def image(self):
        """Rows of pixels, red, green and blue from 0 to 1."""
        met = np.isfinite(self.depth)
        length = np.linalg.norm(self.normal, axis=-1)
        shaded = length > 0
        normal = self.normal / np.where(shaded, length, 1)[..., None]
        towards = normal @ LIGHT
        half = (LIGHT + [0, 0, 1]) / np.linalg.norm(LIGHT + [0, 0, 1])
        diffuse = AMBIENT + (1 - AMBIENT) * np.clip(0.5 + 0.5 * towards, 0, 1) ** 1.5
        rim = 0.62 + 0.38 * np.clip(normal[..., 2], 0, 1) ** 0.6
        sky = self.open_sky(met)
        light = np.where(shaded, diffuse * rim * sky, 1)
        shine = np.where(shaded, SHINE * sky**2 * np.clip(normal @ half, 0, 1) ** SHINE_WIDTH, 0)
        fine = np.where(met[..., None], self.colour * light[..., None] + shine[..., None], 1)
        rows, columns = self.rows // FINER, self.columns // FINER
        return np.clip(fine, 0, 1).reshape(rows, FINER, columns, FINER, 3).mean(axis=(1, 3))

    def open_sky(self, met):
        """How little stands before the surroundings of a point: its depth against the mean around it."""
        low = self.depth[met].min() if met.any() else 0
        depth = np.where(met, self.depth, low)
        reach = max(int(CREVICE_REACH * self.columns), 1)
        behind = (blurred(depth, reach) - depth) * self.scale / reach
        return 1 - CREVICE * np.clip(behind, 0, 1)


def blurred(values, reach):
    """Means over squares of 2 reach + 1 points, twice."""
    for _ in range(2):
        for axis in (0, 1):
            padded = np.pad(values, [(reach + 1, reach) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
            sums = np.cumsum(padded, axis=axis)
            size = values.shape[axis]
            ends, begins = (np.take(sums, np.arange(o, o + size), axis=axis) for o in (2 * reach + 1, 0))
            values = (ends - begins) / (2 * reach + 1)
    return values


def draw(points, triangles, colours, box, pixels, within=(), turn=28, tilt=16):
    """An image of surfaces in a box [(low, high) of x, y, z], a colour per point, and the width that it shows. Has room
    for the points of `within`, too: images of several moments are to scale."""
    camera = Camera(turn, tilt)
    low, high = np.array(box).T
    corners = np.array([[box[d][c >> d & 1] for d in range(3)] for c in range(8)])
    seen, frame = camera.seen(points), camera.seen(corners)
    every = np.vstack([seen, frame, *map(camera.seen, within)])[:, :2]
    margin = 0.02 * np.linalg.norm(high - low)
    least, most = every.min(axis=0) - margin, every.max(axis=0) + margin
    canvas = Canvas(0.5 * (least + most), *(most - least), pixels)
    canvas.add_surface(seen, triangles, colours)
    for a in range(8):
        for d in range(3):
            if not a >> d & 1:
                canvas.add_line(frame[a], frame[a | 1 << d], thickness=1.5)
    return canvas.image(), most[0] - least[0]
