"""Hostile cases of membranes (hostile.py says what a row is): add one here."""

from hostile_membrane_files import FILES

DRIVER = "membrane"
BLOCKS = {"insitu.*": "insitu.view", "surface.*": "surface.cell", "membranes.*": "membranes.one", "pull.*": "pull.tips"}
# What is too stiff or too fast is said of the step, what has no place of its place, what is too weak of the pull.
BLAMED = {"grid": ["membranes.one.position"], "drive": ["time.dt"], "repulsion": ["time.dt"],
          "surface": ["time.dt", "pull.tips.force"]}

GOOD = """\
[case]
driver = membrane
[grid]
cells = 16, 16, 16
size = 16, 16, 16 um
[sides]
y_low = periodic
y_high = periodic
[fluid]
viscosity = 1 cP
[drive]
shear_rate = 100 1/s
[repulsion]
range = 0.5 um
stiffness = 1 nN/m
[surface.cell]
shape = sphere
radius = 4 um
vertices = 642
shear_modulus = 2.5 uN/m
[membranes.one]
position = 8, 8, 8 um
[pull.tips]
force = 1 pN
[time]
dt = 1 us
end = 1 ms
[output]
watch = false
log = 10 us
[insitu.view]
script = case.ini  # any file will do, nothing watches
interval = 1 ms
"""

ON_LATTICE = "fluid.method = lattice\ntime.dt = 0.1 us\n"
FREE = "\nsurface.cell.stress_free_unit = 1 um\nsurface.cell.stress_free = {}"
FROM = "surface.cell.shape = file\nsurface.cell.radius =\nsurface.cell.vertices =\nsurface.cell.file = {}\nsurface.cell.unit = 1 um"
TETHERS = "\nsurface.cell.tether_stiffness = 1e6\nmembranes.one.path = "
WALLS = "sides.y_low = no_slip\nsides.y_high = no_slip\n"
LATTICE = "membranes.one.position =\nmembranes.one.arrangement = lattice\nmembranes.one.lattice = "
RANDOM = "membranes.one.position =\nmembranes.one.arrangement = random\nmembranes.one.{} = {}"
TABLE = "membranes.one.position =\nmembranes.one.arrangement = table\nmembranes.one.unit = 1 um\nmembranes.one.table = "
RADIAL = "[pull.tips] =\nsurface.cell.representation = radial\nsurface.cell.vertices = {}\nsurface.cell.sites = {}"
SECOND = "\nmembranes.two.position = {} um\npull.tips.membranes = one"

REFUSED = [
    # Surface files
    (FROM.format("nowhere.off"), "does not exist"),
    (FROM.format("."), "is a directory"),
    (FROM.format("open.off"), "open", "open.off:9"),
    (FROM.format("turned.off"), "turned", "turned.off:9"),
    (FROM.format("twice.off"), "", "twice.off:17"),
    (FROM.format("flat.off"), "", "flat.off:8"),
    (FROM.format("no_number.off"), "", "no_number.off:3"),
    (FROM.format("far.off"), "", "far.off:3"),
    (FROM.format("beyond.off"), "", "beyond.off:9"),
    (FROM.format("unused.off"), "", "unused.off:9"),
    (FROM.format("two.off"), "", "two.off:23"),
    (FROM.format("short.off"), "", "short.off:2"),
    (FROM.format("more.off"), "8000", "more.off:2"),
    (FROM.format("huge.off"), "1000000000", "huge.off:2"),
    (FROM.format("huge.stl"), "1000000000", "huge.stl:byte 80"),
    (FROM.format("huge.ply"), "1000000000", "huge.ply:3"),
    (FROM.format("empty.off"), "", "empty.off:1"),
    (FROM.format("words.off"), "", "words.off:2"),
    (FROM.format("words.txt"), "", "words.txt:1"),
    (FROM.format("short.stl"), "", "short.stl:byte 80"),
    (FROM.format("long.stl"), "goes on behind them", "long.stl:byte 80"),
    (FROM.format("crossing.off"), "the surface goes through itself", "crossing.off:13"),
    (FROM.format("cut.stl"), "", "cut.stl:5"),
    (FROM.format("wrong.stl"), "", "wrong.stl:5"),
    (FROM.format("headless.ply"), "", "headless.ply:3"),
    (FROM.format("odd.ply"), "", "odd.ply:2"),
    (FROM.format("good.off").replace("1 um", "1 m"), "unit"),
    (FROM.format("good.off").replace("1 um", "0"), "out of range"),
    (FROM.format("good.off") + "\nsurface.cell.radius = 4 um", "radius with shape = file"),
    (FROM.format("good.off") + "\nsurface.cell.vertices = 642", "vertices with shape = file"),
    (FROM.format("good.off") + "\nsurface.cell.representation = radial", "choose triangles"),
    # Shapes and resolution
    ("surface.cell.radius =", "without radius"),
    ("surface.cell.shape = ellipsoid\nsurface.cell.radius =\nsurface.cell.semi_axes = 4, 3, 4 um\n"
     "surface.cell.stress_free = sphere", "not round about z", "surface.cell.stress_free"),
    ("surface.cell.reduced_volume = 0.9", "it is for spheroid"),
    (FROM.format("good.off") + "\nsurface.cell.stress_free = sphere", "not round about z", "surface.cell.stress_free"),
    # A shape without stress of a file
    ("surface.cell.stress_free = spher", "neither known nor a file (nearest: sphere; choices: shape, sphere, spheroid, or a file"),
    ("surface.cell.stress_free = nowhere.off", "neither known nor a file"),
    ("surface.cell.stress_free = .", "is a directory"),
    ("surface.cell.stress_free = good.off", "has 6 vertices and 8 triangles, and the surface 642 vertices and 1280 triangles"),
    (FROM.format("good.off") + "\nsurface.cell.stress_free = good.off", "is stress_free_unit missing?", "surface.cell.stress_free"),
    (FROM.format("good.off").replace("unit = 1 um", "unit = 6 um") + FREE.format("good.off") + "\ntime.step = adaptive",
     "begins 6 times as long", "surface.cell.stress_free"),
    (FROM.format("good.off") + FREE.format("raised.off"), "joins its vertices otherwise", "surface.cell.stress_free"),
    (FROM.format("good.off") + FREE.format("turned.off"), "turned", "turned.off:9"),
    (FROM.format("good.off") + FREE.format("flat.off"), "", "flat.off:8"),
    (FROM.format("good.off") + FREE.format("crossing.off"), "the surface goes through itself", "crossing.off:13"),
    (FROM.format("good.off") + FREE.format("words.txt"), "", "words.txt:1"),
    (RADIAL.format(100, 800) + FREE.format("good.off"), "no triangles", "surface.cell.stress_free"),
    ("surface.cell.stress_free_unit = 1 um", "it is for FILE"),
    ("surface.cell.semi_axes = 1, 1, 1 um", "semi_axes with shape = sphere"),
    ("surface.cell.shape = ellipsoid\nsurface.cell.radius =", "without semi_axes"),
    ("surface.cell.shape = ellipsoid\nsurface.cell.radius =\nsurface.cell.semi_axes = 1, 0, 1 um", "out of range"),
    ("surface.cell.shape = cube", "choices"),
    ("surface.cell.vertices =", "either vertices or edge"),
    ("surface.cell.edge = 1 um", "gives both"),
    ("surface.cell.vertices =\nsurface.cell.edge = 1 pm", "icosphere"),
    ("surface.cell.vertices = 11", "out of range"),
    ("surface.cell.vertices = 100000000", "vertices of [surface.cell] asks for an icosphere"),
    ("surface.cell.sites = 100", "sites with representation = triangles"),
    (RADIAL.format(64, 256), "72"),
    (RADIAL.format(5000, 20000), "4000"),
    (RADIAL.format(100, 50) + "\nsurface.cell.forces = variational", "50 sites for 100"),
    (RADIAL.format(100, 1000).replace("[pull.tips] =\n", ""), "radial surface", "pull.tips"),
    (RADIAL.format(100, 400) + "\nsurface.cell.bending = dihedral\nsurface.cell.bending_modulus = 1e-19", "helfrich"),
    ("surface.cell.radius = 9 um", "meet itself"),
    ("surface.cell.radius = 4 mm", "meet itself"),
    (WALLS + "surface.cell.radius = 9 um", "beyond a wall", "membranes.one.position"),
    ("surface.cell.stretch = 3, 1, 1", "meet itself"),
    ("surface.cell.stretch = 0, 1, 1", "out of range"),
    ("surface.cell.inflation = 3", "meet itself"),
    # Keys that nothing would read
    ("surface.cell.unit = 1 um", "unit with shape = sphere"),
    (FROM.format("good.off") + "\nsurface.cell.nodes = spiral", "nodes with shape = file"),
    ("surface.cell.forces = variational", "it is for radial"),
    ("surface.cell.rest_curvature = flat", "rest_curvature with bending = none"),
    ("surface.cell.law = neo_hookean\nsurface.cell.area_ratio = 2", "it is for skalak"),
    ("membranes.one.low = 0, 0, 0", "it is for lattice and random"),
    ("membranes.one.high = 16, 16, 16 um", "it is for lattice and random"),
    ("membranes.one.orientation = random\nmembranes.one.axis = 1, 0, 0", "it is for fixed"),
    # Materials that contradict themselves
    ("surface.cell.shear_modulus =", "without shear_modulus"),
    ("surface.cell.law = none", "law = none"),
    ("surface.cell.bending = helfrich", "bending_modulus"),
    ("surface.cell.bending_modulus = 1e-19", "bending = none"),
    ("surface.cell.area_ratio = -0.6", "out of range"),
    # Another viscosity inside
    ("surface.cell.viscosity_ratio = 0", "out of range"),
    ("surface.cell.viscosity_ratio = -5", "out of range"),
    ("surface.cell.viscosity_ratio = 1001", "out of range"),
    ("surface.cell.viscosity_ratio = 5 cP", "viscosity_ratio"),
    (WALLS + "fluid.projection = PmII\nsurface.cell.viscosity_ratio = 5", "for one viscosity", "fluid.projection"),
    (WALLS + "fluid.projection = PmIII\nsurface.cell.viscosity_ratio = 1", "for one viscosity", "fluid.projection"),
    ("surface.inner.shape = sphere\nsurface.inner.radius = 2 um\nsurface.inner.vertices = 162\nsurface.inner.shear_modulus = 1e-6\n"
     "surface.inner.viscosity_ratio = 5\nmembranes.one.surface = cell\nmembranes.core.surface = inner\npull.tips.membranes = one",
     "one within the other"),
    # Membranes that are viscous themselves
    ("surface.cell.membrane_viscosity = -1e-7", "out of range"),
    ("surface.cell.membrane_viscosity = 2", "out of range"),
    ("surface.cell.membrane_viscosity = 1e-7 Pa s", "membrane_viscosity"),
    ("surface.cell.membrane_dilatation_viscosity = -1e-9", "out of range"),
    (RADIAL.format(100, 1000) + "\nsurface.cell.membrane_viscosity = 1e-9", "it is for triangles"),
    (RADIAL.format(100, 1000) + "\nsurface.cell.membrane_dilatation_viscosity = 1e-9", "it is for triangles"),
    (WALLS + "fluid.projection = PmII\nsurface.cell.membrane_viscosity = 1e-8", "found together", "fluid.projection"),
    (WALLS + "fluid.projection = PmIII\nsurface.cell.membrane_dilatation_viscosity = 1e-8", "found together", "fluid.projection"),
    # Places
    ("membranes.one.position = 17, 8, 8 um", "outside the box along x"),
    (WALLS + "membranes.one.position = 8, 2, 8 um", "beyond a wall"),
    (WALLS + "membranes.one.position = 8, 17, 8 um", "outside the box along y"),
    ("membranes.one.axis = 0, 0, 0", "no direction"),
    ("membranes.one.count = 2", "it is for random"),
    ("membranes.one.lattice = 2, 2, 2", "it is for lattice"),
    (SECOND.format("8, 8, 8"), "[membranes.one] and [membranes.two]"),
    (SECOND.format("8, 8, 13"), "[membranes.one] and [membranes.two]"),
    (SECOND.format("8, 8, 0.1") , "[membranes.one] and [membranes.two]"),
    (LATTICE + "2, 2, 3", "[membranes.one]"),
    (LATTICE + "1, 1, 1" + SECOND.format("8, 8, 10"), "[membranes.one] and [membranes.two]"),
    (LATTICE + "1000, 1000, 1000", "GB"),
    (LATTICE + "1000000, 1000000, 1000000", "GB"),
    (LATTICE + "0, 1, 1", "out of range"),
    (LATTICE.partition("\nmembranes.one.lattice")[0], "does not say how many"),
    (RANDOM.format("count", 4) + "\ngrid.size = 9, 9, 9 um", "find no room"),
    (RANDOM.format("count", 10_000_000), "GB"),
    (RANDOM.format("count", 0), "out of range"),
    (RANDOM.format("count", 2) + "\nmembranes.one.volume_fraction = 0.1", "gives both"),
    (RANDOM.partition("\nmembranes.one.{}")[0], "neither"),
    (RANDOM.format("volume_fraction", 0.6) + "\ngrid.size = 9, 9, 9 um", "find no room"),
    (RANDOM.format("volume_fraction", 0.61), "out of range"),
    (RANDOM.format("volume_fraction", 1e-9), "comes to no"),
    (RANDOM.format("count", 1) + "\nmembranes.one.gap = 1 m", "gap"),
    (RANDOM.format("count", 1) + "\nmembranes.one.low = 8, 8, 8 um\nmembranes.one.high = 9, 9, 9 um", "find no room"),
    (RANDOM.format("count", 1) + "\nmembranes.one.low = 8, 8, 8 um\nmembranes.one.high = 7, 9, 9 um", "ends below"),
    (RANDOM.format("count", 1) + "\nmembranes.one.high = 17, 16, 16 um", "outside the box"),
    (RANDOM.format("count", 1) + "\nmembranes.one.low = -1, 0, 0 um", "outside the box"),
    # Names
    ("membranes.one.surface = cel", "nearest: [surface.cell]"),
    ("pull.tips.membranes = two", "there is no [membranes.two]"),
    ("surface.other.shape = sphere\nsurface.other.radius = 1 um\nsurface.other.vertices = 42\nsurface.other.law = none\n",
     "does not say which", "membranes.one"),
    (SECOND.format("8, 8, 0").replace("pull.tips.membranes = one", "surface.cell.radius = 3 um"), "does not say which", "pull.tips"),
    ("membrane.one.position = 1, 1, 1", "nearest section: membranes"),
    ("surface.cell.shear_modulos = 1", "nearest key: shear_modulus"),
    ("gas.density = 1", "[gas]"),
    ("output.parcels = 1", "output.parcels"),
    ("output.format = hdf", "choices: vtk, openpmd, both"),
    ("pull.tips.axis = w", "choices"),
    ("coupling.kernel = gauss", "choices"),
    ("coupling.kernel = kaiser_bessel4", "choices"),
    # Paths
    (TETHERS + "nowhere.csv", "does not exist"),
    (TETHERS + ".", "is a directory"),
    (TETHERS + "back.csv", "ascend", "back.csv:4"),
    (TETHERS + "three.csv", "3 numbers", "three.csv:1"),
    (TETHERS + "word.csv", "later", "word.csv:2"),
    (TETHERS + "no_number.csv", "nan", "no_number.csv:1"),
    (TETHERS + "none.csv", "no lines", "none.csv:1"),
    (TETHERS + "negative.csv", "ascend from 0", "negative.csv:1"),
    (TETHERS + "zero.csv", "", "zero.csv:1"),
    (TETHERS + "utf16.csv", "UTF-16", "utf16.csv:1"),
    (TETHERS + "fast.csv", "anchors that jump"),
    ("membranes.one.path = path.csv", "no tethers"),
    # Tables of places
    (TABLE + "nowhere.csv", "does not exist"),
    (TABLE + ".", "is a directory"),
    ("membranes.one.position =\nmembranes.one.arrangement = table", "does not say where", "membranes.one.arrangement"),
    (TABLE + "none.csv", "no lines", "none.csv:1"),
    (TABLE + "utf16.csv", "UTF-16", "utf16.csv:1"),
    (TABLE + "header.csv", "x", "header.csv:1"),
    (TABLE + "no_number.csv", "nan", "no_number.csv:1"),
    (TABLE + "four.csv", "4 numbers", "four.csv:1"),
    (TABLE + "uneven.csv", "the first line has 3", "uneven.csv:2"),
    (TABLE + "no_axis.csv", "no direction", "no_axis.csv:2"),
    (TABLE + "outside.csv", "outside the box along y", "outside.csv:2"),
    (TABLE + "overlapping.csv", "overlaps that of line 3", "overlapping.csv:4"),
    (WALLS + TABLE + "at_wall.csv", "beyond a wall", "at_wall.csv:2"),
    ("membranes.one.table = places.csv", "it is for table"),
    # Boxes, sides, fluids
    ("grid.cells = 17, 16, 16", "take 16 or 18"),
    ("grid.cells = 16, 22, 16", "along y"),
    ("grid.cells = 64, 64, 1", "along z"),
    ("grid.cells = 1, 64, 64", "along x"),
    ("grid.cells = 16, 2, 16", "along y"),
    (WALLS + "grid.cells = 16, 1, 16", "along y"),
    ("grid.cells = 10000, 10000, 10000", "GB"),
    ("grid.size = 16, 16, 16", "8e-6 cells across", "surface.cell.radius"),
    ("grid.size = 16, 16, 16 nm", "more than a third", "repulsion.range"),
    ("grid.size = 16, 16, 16 pm", "1e-9 m to 1e6 m"),
    ("sides.y_low = no_slip", "only one side of y"),
    ("sides.x_low = no_slip", "along x and z the box is periodic"),
    ("sides.y_low = outlet", "choices: no_slip, periodic"),
    ("drive.y_low_velocity = 1, 0, 0 mm/s", "it is for no_slip"),
    (WALLS + "drive.y_low_velocity = 0, 1, 0 mm/s", "slides along itself"),
    (WALLS + "drive.velocity = 0, 1, 0 mm/s", "through the walls"),
    (WALLS + "drive.mean_flow = kept", "it is for periodic"),
    (WALLS + "fluid.motion = stokes\nfluid.projection = PmII", "it is for navier_stokes"),
    ("fluid.motion = stokes\nfluid.projection = PmIII", "it is for navier_stokes"),
    ("fluid.viscosity = 0", "out of range"),
    ("drive.shear_rate = 1e9", "crosses 8000 cells", "time.dt"),
    ("drive.velocity = 1, 0, 0 km/s", "crosses 1000 cells", "time.dt"),
    (WALLS + "drive.body_force = 0, 0, 1e12", "crosses 32000 cells", "time.dt"),
    ("drive.vortices = 1 km/s", "crosses 2000 cells", "time.dt"),
    (WALLS + "drive.vortices = 1 mm/s", "it is for periodic"),
    ("fluid.motion = stokes\ndrive.vortices = 1 mm/s", "it is for navier_stokes"),
    ("repulsion.stiffness =", "a range but no stiffness"),
    ("repulsion.range =", "a stiffness but no range"),
    ("repulsion.range = 6 um", "a third"),
    (WALLS + "repulsion.range = 1 m", "repulsion.range"),
    # On a lattice
    ("fluid.method = latice", "nearest: lattice"),
    ("lattice.collision = bgk", "it is for lattice"),
    ("lattice.smagorinsky = 0.1", "it is for lattice"),
    (ON_LATTICE + "fluid.motion = stokes", "it is for spectral"),
    (ON_LATTICE + "fluid.projection = PmII", "it is for spectral"),
    (ON_LATTICE + "lattice.collision = srt", "choices: trt, bgk, regularised"),
    (ON_LATTICE + "lattice.collision = bgk\nlattice.magic = 0.25", "it is for trt"),
    (ON_LATTICE + "lattice.magic = 0", "out of range"),
    (ON_LATTICE + "lattice.smagorinsky = -0.1", "out of range"),
    (ON_LATTICE + "lattice.velocity_set = D3Q15", "choices: automatic, D2Q9, D3Q19, D3Q27"),
    (ON_LATTICE + "lattice.velocity_set = D2Q9", "plane of x and y", "lattice.velocity_set"),
    (ON_LATTICE + "lattice.precision = half", "choices: double, float, float_in_double"),
    (ON_LATTICE + "lattice.scheme = three_lattices", "choices: in_place, two_lattices"),
    (ON_LATTICE + "lattice.processor = gpu", "choices: host, device"),
    (ON_LATTICE + "lattice.processor = device", "lattice.processor = device (", "lattice.processor"),
    ("lattice.processor = device", "it is for lattice"),
    (ON_LATTICE + "grid.size = 16, 16, 17 um", "those of a lattice fluid are cubes", "grid.size"),
    ("[repulsion] =\nmembranes.one.position = 8, 8, 0.5 um\n" + ON_LATTICE + "grid.cells = 16, 16, 1\ngrid.size = 16, 16, 1 um", "along z", "grid.cells"),
    ("[repulsion] =\nmembranes.one.position = 0.5, 8, 8 um\n" + ON_LATTICE + "grid.cells = 1, 16, 16\ngrid.size = 1, 16, 16 um", "along x", "grid.cells"),
    (ON_LATTICE + "grid.cells = 17, 16, 16\ngrid.size = 17, 16, 16 um", "take 16 or 18", "grid.cells"),
    (ON_LATTICE + "time.step = adaptive", "a cell in each step", "time.step"),
    (ON_LATTICE + "time.dt = 0.1 ns", "tau is 0.5003", "time.dt"),
    (ON_LATTICE + "fluid.viscosity = 1e-6", "tau is 0.5003", "time.dt"),
    (ON_LATTICE + "drive.velocity = 3, 0, 0", "a Mach number of 0.52", "time.dt"),
    (ON_LATTICE + "drive.vortices = 3", "a Mach number of 0.52", "time.dt"),
    (ON_LATTICE + "drive.shear_rate = 1e6", "a Mach number of 1.39", "time.dt"),
    (WALLS + ON_LATTICE + "drive.body_force = 0, 0, 1e8", "a Mach number of 0.554", "time.dt"),
    (ON_LATTICE + "coupling.scheme = predictor", "choose midpoint"),
    (ON_LATTICE + "surface.cell.viscosity_ratio = 5", "has one viscosity"),
    (ON_LATTICE + "surface.cell.tension = 10 mN/m", "presses the fluid inside together by 15 %"),
    (ON_LATTICE + "surface.cell.volume_stiffness = 1e9", "is stable up to", "time.dt"),
    # Steps
    ("time.dt = 1 ms", "is stable up to"),
    ("time.dt = 1 s", "is stable up to"),
    ("surface.cell.shear_modulus = 1 N/m", "is stable up to", "time.dt"),
    ("repulsion.stiffness = 1 N/m", "repulsion.stiffness", "time.dt"),
    ("surface.cell.tether_stiffness = 1e20", "tethers", "time.dt"),
    ("time.dt = 0", "out of range"),
    ("time.step = adaptive\ntime.dt = 1 us\ntime.dt_least = 2 us", "not below time.dt"),
    ("time.step = sometimes", "choices"),
    ("time.dt_least = 1 ns", "it is for adaptive"),
    ("pull.tips.force = 1 N", "would tear at once"),
    ("pull.tips.force =", "missing"),
    ("pull.tips.share = 0.6", "out of range"),
]

FINE = [
    ("", ""),
    (WALLS, ""),
    ("time.step = adaptive\ntime.dt = 1 s", ""),
    ("fluid.motion = stokes", ""),
    (WALLS + "fluid.motion = stokes", ""),
    (WALLS + "fluid.projection = PmII", ""),
    (WALLS + "fluid.projection = PmIII\ndrive.start = rest", ""),
    ("fluid.projection = PmII", ""),
    ("coupling.scheme = predictor", ""),
    ("surface.cell.viscosity_ratio = 5", ""),
    ("surface.cell.membrane_viscosity = 1e-8", ""),
    ("surface.cell.membrane_viscosity = 0.5 uN s/m\nsurface.cell.membrane_dilatation_viscosity = 1e-8 N s/m", "100 were tried"),
    (WALLS + "fluid.motion = stokes\nsurface.cell.membrane_viscosity = 1e-8", ""),
    ("fluid.projection = PmIII\nsurface.cell.membrane_viscosity = 1e-8", ""),
    (WALLS + "fluid.motion = stokes\nsurface.cell.viscosity_ratio = 0.2", ""),
    ("fluid.projection = PmIII\nsurface.cell.viscosity_ratio = 2", ""),
    ("surface.cell.viscosity_ratio = 100", "0.1 to 20 were tried"),
    (ON_LATTICE, ""),
    (WALLS + ON_LATTICE + "drive.start = rest", ""),
    (ON_LATTICE + "lattice.collision = regularised\nlattice.smagorinsky = 0.1\nlattice.velocity_set = D3Q27", ""),
    (ON_LATTICE + "lattice.precision = float\nlattice.scheme = two_lattices\ndrive.mean_flow = kept\ndrive.body_force = 1, 0, 0", ""),
    (ON_LATTICE + "surface.cell.membrane_viscosity = 1e-8", ""),
    (ON_LATTICE + "time.dt = 1 us", "tau is 3.5 (above 2"),
    (ON_LATTICE + "time.dt = 2 ns", "tau is 0.506 (below 0.51 trt may grow ripples"),
    (ON_LATTICE + "drive.vortices = 1", "the Mach number on the lattice is 0.17"),
    ("drive.vortices = -1 mm/s", ""),
    (ON_LATTICE + "drive.velocity = 1, 0, 0", "the Mach number on the lattice is 0.17"),
    (ON_LATTICE + "surface.cell.tension = 1 mN/m", "presses the fluid inside together by 1.5 %"),
    ("coupling.kernel = peskin4", "lose or gain volume"),
    ("drive.body_force = 1, 0, 0", "accelerates for ever"),
    ("drive.body_force = 1, 0, 0\ndrive.mean_flow = kept", ""),
    ("surface.cell.radius = 2 um", "cells across"),
    ("surface.cell.vertices = 12", "cells apart"),
    ("membranes.one.position = 0, 0, 0 um", ""),
    ("membranes.one.position = 16, 16, 16 um", ""),
    (LATTICE + "1, 1, 1", ""),
    (TABLE + "centres.csv", ""),
    (TABLE + "centres.csv\nmembranes.one.orientation = random", ""),
    (TABLE + "places.csv", ""),
    (TABLE + "places.csv\nmembranes.one.axis = 1, 0, 0", "orientation and axis of [membranes.one] have no effect"),
    (RANDOM.format("count", 1), ""),
    (RANDOM.format("count", 1) + "\nmembranes.one.gap = 0", ""),
    (RADIAL.format(100, 800).replace("\nsurface", "\nsurface", 1), "", ),
    (FROM.format("good.off"), "cells apart"),
    ("surface.cell.unit = 1 m\nsurface.cell.rest_curvature = reference\nsurface.cell.nodes = icosphere\n"
     "membranes.one.axis = 0, 0, 1", ""), # as used.ini has them
    ("output.sites = 0", ""),
    ("output.sites = 1 ms", "output.sites has no effect"),
    (RADIAL.format(100, 800) + "\noutput.vertices = 1 ms", "output.vertices has no effect"),
    ("surface.other.shape = sphere\nsurface.other.radius = 4 um\nsurface.other.vertices = 642\nsurface.other.law = none\n"
     "membranes.one.surface = cell", "no membranes are of [surface.other]"),
    ("drive.shear_rate = 0\ndrive.shear_along = x", "drive.shear_along has no effect"),
    (FROM.format("inverted.off"), "turned round"),
    (FROM.format("good.off") + FREE.format("good.off"), "cells apart"),
    (FROM.format("good.off") + FREE.format("inverted.off"), "the surface of stress_free of [surface.cell] was inside out"),
    (FROM.format("sliver.off"), "sliver.off:10: triangle 0 of [surface.cell] is 0.0053 times as high as it is long"),
    (TETHERS + "path.csv", ""),
    ("grid.cells = 32, 32, 32\ngrid.size = 32, 32, 32 um" + SECOND.format("8, 8, 19"), ""),
    ("grid.cells = 32, 32, 32\ngrid.size = 32, 32, 32 um" + SECOND.format("8, 8, 17"), "[membranes.one] and [membranes.two] stand 1.0"),
    ("surface.cell.radius = 7.4 um\nsurface.cell.vertices = 2562", "cells from its own image across a periodic side"),
    (WALLS + "membranes.one.position = 8, 5, 8 um", "cells from a wall"),
    ("grid.cells = 32, 32, 32\ngrid.size = 32, 32, 32 um\n" + LATTICE + "1, 1, 3\nsurface.cell.radius = 4.5 um", "membranes of [membranes.one] stand"),
    ("grid.cells = 32, 32, 32\ngrid.size = 32, 32, 32 um\n" + RANDOM.format("count", 24) + "\nmembranes.one.gap = 0", "apart at the start"),
    ("surface.inner.shape = sphere\nsurface.inner.radius = 2 um\nsurface.inner.vertices = 162\nsurface.inner.shear_modulus = 1e-6\n"
     "membranes.one.surface = cell\nmembranes.core.surface = inner\npull.tips.membranes = one", "one within the other"),
    ("grid.cells = 16, 17, 16\n" + WALLS, ""),
    ("random.seed = 9223372036854775807", ""),
    ("time.end = 0", ""),
]
