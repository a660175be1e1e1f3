"""Files that hostile cases of membranes name: surfaces, paths and tables of places, good ones and bad ones."""

import struct


def off(points, triangles, counts=None):
    """The text of an OFF file."""
    head = counts or f"{len(points)} {len(triangles)} 0"
    return "\n".join(["OFF", head, *(" ".join(map(str, p)) for p in points), *("3 " + " ".join(map(str, t)) for t in triangles)]).encode()


# An octahedron of 4 um (or units).
POINTS = [(4, 0, 0), (-4, 0, 0), (0, 4, 0), (0, -4, 0), (0, 0, 4), (0, 0, -4)]
TRIANGLES = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
TURNED = [TRIANGLES[0][::-1], *TRIANGLES[1:]]
HUGE = 1_000_000_000
# As many of both, but a tetrahedron with two faces raised.
RAISED = [(4, 4, 4), (-4, -4, 4), (-4, 4, -4), (4, -4, -4), (-3, 3, 3), (3, 3, -3)]
RAISED_TRIANGLES = [(0, 1, 3), (1, 2, 3), (0, 4, 1), (1, 4, 2), (2, 4, 0), (0, 5, 2), (2, 5, 3), (3, 5, 0)]

FILES = {
    "good.off": off(POINTS, TRIANGLES),
    "raised.off": off(RAISED, RAISED_TRIANGLES),
    "inverted.off": off(POINTS, [t[::-1] for t in TRIANGLES]),
    "sliver.off": off([*POINTS, (2, 2, .03)], [(0, 2, 6), (2, 4, 6), (4, 0, 6), *TRIANGLES[1:]]),
    "open.off": off(POINTS, TRIANGLES[1:]),
    "turned.off": off(POINTS, TURNED),
    "twice.off": off(POINTS, [*TRIANGLES, TRIANGLES[3]]),
    "flat.off": off([*POINTS[:5], (4, 0, 0)], TRIANGLES),
    "no_number.off": off([("nan", 0, 0), *POINTS[1:]], TRIANGLES),
    "far.off": off([(1e300, 0, 0), *POINTS[1:]], TRIANGLES),
    "beyond.off": off(POINTS, [(0, 2, 6), *TRIANGLES[1:]]),
    "unused.off": off([*POINTS, (9, 9, 9)], TRIANGLES),
    "two.off": off([*POINTS, *((x + 20, y, z) for x, y, z in POINTS)], [*TRIANGLES, *(tuple(i + 6 for i in t) for t in TRIANGLES)]),
    "crossing.off": off([*POINTS[:4], (6, 1, -2), POINTS[5]], TRIANGLES),
    "short.off": off(POINTS, TRIANGLES)[:-10],
    "huge.off": off(POINTS, TRIANGLES, f"{HUGE} {HUGE} 0"),
    "more.off": off(POINTS, TRIANGLES, "6 8000 0"),
    "empty.off": b"",
    "words.off": b"OFF\nsix eight zero\n",
    "words.txt": b"a red cell, please\n",
    "huge.stl": b"binary" + bytes(74) + struct.pack("<I", HUGE) + bytes(500),
    "short.stl": b"binary" + bytes(74) + struct.pack("<I", 8) + bytes(399),
    "long.stl": b"binary" + bytes(74) + struct.pack("<I", 8) + bytes(499),
    "cut.stl": b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n",
    "wrong.stl": b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
    "huge.ply": (f"ply\nformat binary_little_endian 1.0\nelement vertex {HUGE}\nproperty float x\nproperty float y\nproperty float z\n"
                 f"element face {HUGE}\nproperty list uchar int vertex_indices\nend_header\n").encode() + bytes(100),
    "headless.ply": b"ply\nformat ascii 1.0\nelement vertex 6\n",
    "odd.ply": b"ply\nformat binary_middle_endian 1.0\nend_header\n",
    "path.csv": b"0, 0, 0, 0\n1e-4, 1e-6, 0, 0\n",
    "back.csv": b"# s, m\n0, 0, 0, 0\n1e-4, 1e-6, 0, 0\n5e-5, 0, 0, 0\n",
    "three.csv": b"0, 0, 0\n",
    "word.csv": b"0, 0, 0, 0\nlater, 0, 0, 0\n",
    "no_number.csv": b"0, 0, nan, 0\n",
    "none.csv": b"# nothing\n",
    "negative.csv": b"-1, 0, 0, 0\n",
    "zero.csv": bytes(100),
    "utf16.csv": "0, 0, 0, 0\n".encode("utf-16"),
    "places.csv": b"# um\n4.1, 4, 4, 1, 0, 0, 0.5\n12.2, 12, 12, 0, 0, -2, 0\n",
    "centres.csv": b"8, 8, 8",
    "overlapping.csv": b"4, 4, 4\n\n12, 12, 12\n9, 9, 9\n",
    "uneven.csv": b"4, 4, 4\n12, 12, 12, 0, 0, 1\n",
    "four.csv": b"4, 4, 4, 1\n",
    "no_axis.csv": b"4, 4, 4, 0, 0, 1\n12, 12, 12, 0, 0, 0\n",
    "outside.csv": b"4, 4, 4\n12, 17, 12\n",
    "header.csv": b"x, y, z\n4, 4, 4\n",
    "at_wall.csv": b"8, 8, 8\n8, 1, 8\n",
    "fast.csv": b"0, 0, 0, 0\n1e-6, 1, 0, 0\n",
}
