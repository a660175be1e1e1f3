"""Hostile cases of beads (hostile.py says what a row is)."""

DRIVER = "beads"
BLOCKS = {"insitu.*": "insitu.view", "group.*": "group.balls"}
# A box that nothing fits is said of what does not fit; a mobility that nothing finds, of its tolerance.
BLAMED = {"box": ["beads.radius", "group.balls.arrangement", "group.balls.low", "group.balls.position", "group.worms.beads", "group.worms.position",
                  "mobility.tolerance"],
          "beads": ["group.balls.arrangement", "group.balls.count", "group.worms.beads", "group.worms.spacing", "box.size", "mobility.tolerance", "time.dt", "forces.gravity"],
          "fluid": ["time.dt", "time.scheme", "mobility.tolerance"], "group": ["time.dt"], "repulsion": ["time.dt"], "forces": ["time.dt"],
          "mobility": ["box.size"]}
FILES = {
    "table.csv": b"3, 3, 3\n4, 4, 4\n",
    "outside.csv": b"3, 3, 300\n",
}

GOOD = """\
[case]
driver = beads
[box]
size = 30, 30, 30 um
[fluid]
viscosity = 1 cP
density = 1000 kg/m3
[mobility]
tolerance = 1e-3
[beads]
radius = 1 um
density = 2000 kg/m3
[forces]
gravity = 0, 0, -9.81 m/s2
[group.balls]
arrangement = random
count = 100
gap = 0.1 um
[group.worms]
shape = fibre
beads = 4
stretching = 1e-6 N/m
position = 15, 15, 15 um
[repulsion]
law = harmonic
strength = 0.1 pN
[time]
scheme = midpoint
dt = 10 ms
end = 1 s
[output]
watch = false
fields = 0
beads = 0
log = 0.1 s
[insitu.view]
script = case.ini  # any file will do, nothing watches
interval = 0.1 s
"""

ONE = "group.balls.arrangement =\ngroup.balls.count =\ngroup.balls.gap =\n"
SWIMS = "group.worms.swims = pusher\ngroup.worms.thrust = 0.1 pN\n"
SHELLS = "group.balls.shape = shell\ngroup.balls.shell_radius = 3 um\ngroup.balls.count = 5\ngroup.balls.gap =\n"
REFUSED = [
    # Box and fluid
    ("box.size = 1, 30, 30 um", "does not fit into the box", "beads.radius"),
    ("box.size = 30, 30, 30 m", "is a unit missing?"),
    ("box.size = 7, 30, 30 um", "it would meet its own image", "group.worms.beads"),
    ("box.free = yx", "choices: none, x, y, z, xy, xz, yz, xyz"),
    ("box.origin = 1e3, 0, 0 m", "places in it would have few digits"),
    ("fluid.viscosity = 0", "out of range"),
    ("fluid.viscosity =", "fluid.viscosity is missing"),
    ("fluid.temperature = 300 K", "have no second order", "time.scheme"),
    ("fluid.temperature = 300 K\ntime.scheme = euler\nbox.free = z", "made mode by mode", "box.free"),
    ("mobility.tolerance = 0.5", "out of range"),
    ("mobility.tolerance = 1e-6\nbox.size = 30, 30, 9000 um\nbox.free = xyz\ngroup.balls.count = 2000", "no grid for this box", "mobility.tolerance"),
    ("beads.radius =", "beads.radius is missing"),
    ("beads.density =", "beads have no density", "forces.gravity"),
    # Groups
    ("group.worms.shape = rod", "choices: sphere, fibre, shell"),
    ("group.worms.beads =", "fibres need it"),
    ("group.worms.beads = 1", "out of range"),
    ("group.worms.stretching =", "fibres need it"),
    ("group.worms.spacing = 0.5 um", "stand in each other"),
    ("group.balls.beads = 3", "it is for fibre"),
    ("group.worms.thrust = 1 pN", "it is for pusher and puller"),
    ("group.worms.swims = pusher", "has no thrust"),
    (SWIMS + "group.worms.swims = paddler", "choices: no, pusher, puller, squirmer"),
    (SWIMS + "group.worms.thrust =\ngroup.worms.swims = squirmer\ngroup.worms.speed = 1 um/s", "squirmers are shells"),
    ("group.balls.swims = pusher", "it is for fibre and shell"),
    # Shells and lubrication
    ("group.balls.shape = shell", "shells need it"),
    ("group.balls.shell_radius = 3 um", "it is for shell"),
    (SHELLS + "group.balls.shell_radius = 2 um", "12 beads, the fewest"),
    (SHELLS + "beads.radius = 0.1 um\ngroup.worms.spacing = 0.2 um\nrepulsion.range = 0.1 um", "642 beads, the most", "group.balls.shell_radius"),
    (SHELLS + "group.balls.shell_radius = 20 um\nbeads.radius = 2 um\n[group.worms] =", "wider than the box"),
    (SHELLS + "group.balls.count = 180", "about as dense as they come"),
    (SHELLS + "fluid.temperature = 300 K\ntime.scheme = euler", "single beads"),
    (SHELLS + "mobility.lubrication = pairs", "single spheres"),
    (SHELLS + "group.balls.swims = pusher", "pushers and pullers are fibres"),
    (SHELLS + "group.balls.swims = squirmer", "has no speed"),
    (SHELLS + "group.balls.speed = 1 um/s", "it is for squirmer"),
    (SHELLS + "group.balls.swims = squirmer\ngroup.balls.speed = 1 m/s", "would move by", "group.balls.speed"),
    (SHELLS + "group.balls.swims = squirmer\ngroup.balls.speed = 1 um/s\ngroup.balls.dipole = 1e3", "out of range"),
    ("mobility.least_gap = 2e-3", "it is for pairs"),
    ("mobility.lubrication = squeeze", "choices: none, pairs"),
    ("mobility.lubrication = pairs\nmobility.least_gap = 0.5\nmobility.lubrication_range = 0.2", "not below the range"),
    ("mobility.lubrication = pairs\nmobility.lubrication_range = 1000", "out of range"),
    ("mobility.lubrication = pairs\nfluid.temperature = 300 K\ntime.scheme = euler", "without it"),
    ("group.balls.count =", "needs either count or volume_fraction"),
    ("group.balls.count = 100000", "about as dense as they come", "group.balls.arrangement"),
    ("group.balls.count = 4000", "about as dense as they come", "group.balls.arrangement"),
    ("group.balls.count = 10000000\nbox.size = 3, 3, 3 mm\nbeads.radius = 1 um", "GB"),
    ("group.balls.arrangement = lattice\ngroup.balls.count =\ngroup.balls.gap =", "does not say how many"),
    ("group.balls.arrangement = lattice\ngroup.balls.count =\ngroup.balls.gap =\ngroup.balls.lattice = 20, 20, 20", "stand in each other", "group.balls.arrangement"),
    (ONE + "group.balls.position = 15, 15, 16 um", "beads of [group.worms] and [group.balls] stand in each other", "group.worms"),
    (ONE + "group.balls.position = 15, 15, 160 um", "lies outside the box"),
    (ONE + "group.balls.arrangement = table\ngroup.balls.unit = 1 um\ngroup.balls.table = table.csv", "numbers 0 and 1 of [group.balls]", "group.balls.arrangement"),
    (ONE + "group.balls.arrangement = table\ngroup.balls.unit = 1 um\ngroup.balls.table = outside.csv", "lies outside the box", "outside.csv:1"),
    ("group.balls.ball_centre = 5, 5, 5 um", "a ball has both"),
    ("group.balls.ball_radius = 20 um", "leaves the box along x"),
    ("group.balls.ball_radius = 5 um\ngroup.balls.low = 0, 0, 0", "a ball or a box"),
    ("group.balls.ball_radius = 5 um", "about as dense as they come", "group.balls.arrangement"),
    # Repulsion and steps
    ("repulsion.law = hertz", "choices: none, harmonic"),
    ("repulsion.law = none", "it is for harmonic"),
    ("repulsion.strength =", "give repulsion.strength"),
    ("repulsion.range = 20 um", "10 are the most"),
    ("repulsion.strength = 1 N", "springs and repulsion allow steps of", "time.dt"),
    ("time.step = fixed\ntime.dt = 1 s", "longer than springs and repulsion allow", "time.dt"),
    ("time.scheme = rk4", "choices: euler, midpoint, ab2"),
    ("time.displacement = 0", "out of range"),
    ("time.dt_least = 1 s", "not below time.dt"),
]

FINE = [
    ("", ""),
    ("box.free = xyz", ""),
    ("mobility.tolerance = 1e-6\nbox.size = 30, 30, 9000 um\nbox.free = xyz", ""),
    ("box.free = z\ngroup.balls.high = 30, 30, 10 um", ""),
    (SWIMS, ""),
    (SWIMS + "group.worms.swims = puller\ngroup.worms.reach = 5 um", ""),
    (SHELLS, ""),
    (SHELLS + "group.balls.swims = squirmer\ngroup.balls.speed = 5 um/s\ngroup.balls.dipole = 3\ngroup.balls.orientation = random", ""),
    ("mobility.lubrication = pairs", ""),
    ("time.scheme = ab2", ""),
    ("time.scheme = euler\nfluid.temperature = 300 K", ""),
    ("time.scheme = euler\nfluid.temperature = 300 K\n[repulsion] =\ntime.dt = 1 ms", "nothing keeps them apart"),
    ("time.step = fixed\ntime.dt = 0.1 ms", ""),
    ("group.balls.count =\ngroup.balls.gap =\ngroup.balls.volume_fraction = 0.45", ""),
    ("group.balls.ball_radius = 10 um\nbox.free = xyz\n[group.worms] =", ""),
    ("group.worms.bending = 1e-24\ngroup.worms.axis = 1, 1, 0", ""),
    ("[group.balls] =\n[group.worms] =", "there are no beads"),
]
