"""Hostile cases of rigid bodies (hostile.py says what a row is)."""

DRIVER = "body"
BLOCKS = {"insitu.*": "insitu.view", "shape.*": "shape.ball", "bodies.*": "bodies.one", "inlet.*": "inlet.stream"}
# A box that nothing fits is said of what does not fit.
BLAMED = {"drive": ["time.dt"], "grid": ["shape.ball.shape", "bodies.one.arrangement", "bodies.one.position"]}
FILES = {
    "path.csv": b"0, 0, 0, 0\n0.1, 1e-3, 0, 0\n",
    "backwards.csv": b"0, 0, 0, 0\n0.1, 1e-3, 0, 0\n0.05, 0, 0, 0\n",
    "table.csv": b"8, 8, 8\n11, 11, 11\n",
    "outside.csv": b"8, 8, 80\n",
    "box.off": b"OFF\n8 12 0\n-3 -3 -3\n3 -3 -3\n3 3 -3\n-3 3 -3\n-3 -3 3\n3 -3 3\n3 3 3\n-3 3 3\n"
               b"3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n",
}

GOOD = """\
[case]
driver = body
[grid]
cells = 16, 16, 16
size = 16, 16, 16 mm
[sides]
x_low = no_slip
x_high = outlet
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 1 cP
[inlet.stream]
side = x_low
velocity = 5 mm/s
[shape.ball]
shape = sphere
radius = 3 mm
[bodies.one]
position = 8, 8, 8 mm
[time]
dt = 10 ms
end = 1 s
[output]
watch = false
fields = 0
points = 0
bodies = 0
log = 0.1 s
[insitu.view]
script = case.ini  # any file will do, nothing watches
interval = 0.1 s
"""

FREE = "bodies.one.motion = free\nbodies.one.density = 2000\n"
GIVEN = "bodies.one.motion = given\n"
BOXED = "shape.ball.shape = file\nshape.ball.radius =\nshape.ball.unit = 1 mm\nshape.ball.file = "
PERIODIC = "[inlet.stream] =\n" + "".join(f"sides.{axis}_{end} = periodic\n" for axis in "xy" for end in ("low", "high"))
REFUSED = [
    # Shapes
    ("shape.ball.shape = cube", "choices: cylinder, sphere, ellipsoid, file"),
    ("shape.ball.radius =", "a sphere needs one"),
    ("shape.ball.radius = 0", "out of range"),
    ("shape.ball.radius = 1 mm", "are the least that know a shape"),
    ("shape.ball.radius = 9 mm", "", "bodies.one"),
    ("shape.ball.shape = cylinder", "a box of one cell along z", "shape.ball.shape"),
    ("shape.ball.shape = ellipsoid\nshape.ball.radius =", "an ellipsoid needs three"),
    ("shape.ball.semi_axes = 1, 2, 3 mm", "it is for ellipsoid"),
    ("shape.ball.shape = ellipsoid", "it is for cylinder and sphere", "shape.ball.radius"),
    ("shape.ball.spacing = 0.1 mm", "cells apart"),
    ("shape.ball.points = 20", "are the least that know a shape"),
    ("shape.ball.points = 100\nshape.ball.spacing = 1 mm", "both points and spacing"),
    ("shape.ball.shape = file\nshape.ball.radius =", "needs one"),
    (BOXED + "nothing.off", "nothing.off"),
    (BOXED + "path.csv", "the file begins with", "path.csv:1"),
    # Places
    ("bodies.one.shape = bal", "nearest: [shape.ball]"),
    ("shape.other.shape = sphere\nshape.other.radius = 3 mm", "does not say which", "bodies.one"),
    ("bodies.one.position = 8, 8, 80 mm", "lies outside the box"),
    ("bodies.one.position = 8, 2, 8 mm", "reaches through a side of y"),
    ("bodies.one.position =\nbodies.one.arrangement = lattice", "does not say how many"),
    ("bodies.one.position =\nbodies.one.arrangement = lattice\nbodies.one.lattice = 3, 3, 3", "overlap", "bodies.one.arrangement"),
    ("bodies.one.position =\nbodies.one.arrangement = random\nbodies.one.count = 25", "find no room", "bodies.one.arrangement"),
    ("bodies.one.position =\nbodies.one.arrangement = table\nbodies.one.unit = 1 mm\nbodies.one.table = outside.csv", "lies outside the box", "outside.csv:1"),
    ("bodies.one.position =\nbodies.one.arrangement = table\nbodies.one.unit = 1 mm\nbodies.one.table = table.csv", "overlap", "bodies.one.arrangement"),
    ("bodies.one.axis = 0, 0, 0", "no direction"),
    ("bodies.two.position = 9, 8, 8 mm", "overlap", "bodies.one"),
    # Motion
    ("bodies.one.motion = free", "free bodies have a weight"),
    ("bodies.one.density = 2000", "it is for free"),
    ("bodies.one.velocity = 1, 0, 0 mm/s", "it is for given and free"),
    (FREE + "bodies.one.density = 0", "out of range"),
    (FREE + "bodies.one.amplitude = 1, 0, 0 mm", "it is for given"),
    (FREE + "bodies.one.held = nothing", "choices: none, turning, place"),
    (GIVEN + "bodies.one.amplitude = 1, 0, 0 mm", "an oscillation has both"),
    (GIVEN + "bodies.one.frequency = 1", "an oscillation has both"),
    (GIVEN + "bodies.one.path = backwards.csv", "does not come after", "backwards.csv:3"),
    # Forcing and contact
    ("forcing.kernel = roma4", "nearest: roma3"),
    ("forcing.method = columns", "choices: automatic, serial"),
    ("forcing.scheme = three_pass", "choices: one_pass, two_pass, multi_direct"),
    ("forcing.scheme = two_pass\nforcing.slip = 0.1", "it is for multi_direct"),
    ("forcing.scheme = two_pass\nforcing.passes = 2", "it is for multi_direct"),
    ("forcing.scheme = two_pass\nfluid.method = spectral\n" + PERIODIC, "makes none twice", "forcing.scheme"),
    ("forcing.slip = 0.1", "it is for multi_direct"),
    ("forcing.scheme = multi_direct\nforcing.passes = 0", "out of range"),
    ("forcing.retraction = 3", "out of range"),
    ("forcing.placement = device", "choices: together, at_once"),
    ("forcing.point_threads = 2", "it is for at_once"),
    ("forcing.placement = at_once\nforcing.point_threads = 0", "out of range"),
    ("forcing.placement = at_once\nlattice.processor = device", "lattice.processor = device (", "lattice.processor"),
    ("lattice.processor = device", "lattice.processor = device ("),  # where none is, or CUDA was not there
    ("lattice.processor = gpu", "choices: host, device"),
    ("lattice.processor = device\nfluid.method = spectral\n" + PERIODIC, "it is for lattice", "lattice.processor"),
    ("forcing.placement = at_once\ndrive.mean_flow = kept\n" + PERIODIC, "the mean of all forces acts in all cells", "forcing.placement"),
    ("forcing.placement = at_once\nfluid.method = spectral\n" + PERIODIC, "its step is of the whole box at once", "forcing.placement"),
    ("forcing.placement = at_once\ndrive.shear_rate = 1\n" + PERIODIC, "a force acts all along them", "forcing.placement"),
    ("contact.law = hertz", "choices: quadratic, soft_sphere, none"),
    ("contact.law = none\ncontact.range = 1 mm", "it is for quadratic and soft_sphere"),
    ("contact.restitution = 0.5", "it is for soft_sphere"),
    (FREE + "contact.strength = 1e6", "longer than contact allows", "time.dt"),
    # Fluid and steps
    ("inlet.stream.side = x_high", "x_high"),
    ("fluid.method = spectral", "or fluid.method = lattice", "sides.x_low"),
    (GIVEN + "bodies.one.velocity = 0.1, 0, 0", "a Mach number of 1.73", "time.dt"),
    (FREE + "bodies.one.velocity = 0.1, 0, 0", "a Mach number of 1.73", "time.dt"),
    ("time.step = adaptive", "a cell in each step", "time.step"),
    ("grid.cells = 16, 16, 17", "cubes", "grid.size"),
    ("time.dt = 1 s", "a Mach number", "time.dt"),
    ("drive.vortices = 1 mm/s", "it is for periodic"),
    (PERIODIC + "sides.y_low = no_slip\nsides.y_high = no_slip\ndrive.vortices = 1 mm/s", "it is for periodic"),
    (PERIODIC + "drive.vortices = 0.1", "a Mach number of 1.73", "time.dt"),
    ("grid.cells = 2000, 2000, 2000\ngrid.size = 2, 2, 2 m\nbodies.one.position = 1, 1, 1 m\ntime.dt = 0.1 ms\nfluid.viscosity = 1", "", "grid.cells"),
]

FINE = [
    ("", ""),
    (FREE, ""),
    (FREE + "forces.gravity = 0, -9.81, 0\ntime.dt = 0.8 ms\nfluid.viscosity = 10 cP", ""),
    (FREE + "bodies.one.density = 500\nbodies.one.held = turning", ""),
    (GIVEN + "bodies.one.velocity = 1, 0, 0 mm/s\nbodies.one.angular_velocity = 0, 0, 1", ""),
    (GIVEN + "bodies.one.amplitude = 1, 0, 0 mm\nbodies.one.frequency = 1\nbodies.one.path = path.csv\ntime.dt = 2 ms\nfluid.viscosity = 10 cP", ""),
    (BOXED + "box.off", ""),
    ("shape.ball.shape = ellipsoid\nshape.ball.radius =\nshape.ball.semi_axes = 3, 2, 2.5 mm", ""),
    ("shape.ball.spacing = 1.7 mm", "fluid goes through"),
    ("shape.other.shape = sphere\nshape.other.radius = 2 mm\nbodies.one.shape = ball", "no bodies are of [shape.other]"),
    ("forcing.scheme = multi_direct\nforcing.kernel = peskin4\nforcing.retraction = 0", ""),
    ("contact.law = none", ""),
    ("fluid.viscosity = 0.49 cP", "at a grid Reynolds number of 10.2"),
    ("fluid.viscosity = 0.49 cP\nsides.x_low = free_slip", ""),
    ("forcing.scheme = two_pass\nforcing.placement = at_once\n" + FREE, ""),
    ("forcing.scheme = two_pass\nlattice.scheme = two_lattices\n" + GIVEN + "bodies.one.velocity = 1, 0, 0 mm/s", ""),
    ("forcing.placement = at_once\nforcing.point_threads = 3", ""),
    (PERIODIC + "fluid.method = spectral\nforcing.scheme = multi_direct\n" + GIVEN + "bodies.one.velocity = 1, 0, 0 mm/s", "by forces that grow"),
    (PERIODIC + "fluid.method = spectral\nforcing.scheme = multi_direct", ""),
    ("bodies.one.position = 8, 4, 8 mm", "from a side"),
    ("[bodies.one] =\n[shape.ball] =", ""),
    (PERIODIC + "drive.vortices = 5 mm/s", ""),
    (PERIODIC + "drive.vortices = 8 mm/s", "the Mach number on the lattice is 0.13"),
]
