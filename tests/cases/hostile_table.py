"""Hostile cases of gas and solids (hostile.py says what a row is): add one here, or among those of models by name."""

from gas_solid import hostile_models
from gas_solid.hostile_models import FEED

DRIVER = "mppic"
BLOCKS = {"insitu.*": "insitu.view", "solid.*": "solid.sand", "size.*": "size.grains", "seed.*": "seed.bed", "inlet.*": "inlet.floor"}
# A box or a packing that nothing fits is said of what does not fit.
BLAMED = {"grid": ["seed.bed.high", "seed.bed.solids_fraction"], "solids": ["seed.bed.high", "seed.bed.solids_fraction"]}
FILES = {}

GOOD = """\
[case]
driver = mppic
[grid]
cells = 4, 4, 10
size = 40, 40, 100 mm
[sides]
x_low = free_slip
z_high = outlet
[forces]
gravity = 0, 0, -9.81 m/s2
[gas]
density = 1.2 kg/m3
viscosity = 1.8e-5 Pa s
[solids]
close_packing = 0.6
[solid.sand]
density = 2500 kg/m3
[contact]
pressure = 10 Pa
[size.grains]
diameter = 1 mm
[seed.bed]
high = 40, 40, 50 mm
solids_fraction = 0.4
parcels_at_packing = 20
[inlet.floor]
side = z_low
velocity = 0.5 m/s
[time]
dt = 5e-4 s
end = 1 s
[output]
watch = false
log = 0.01 s
[insitu.view]
script = case.ini  # any file will do, nothing watches
interval = 1 ms
"""

BED = "seed.bed.solids_fraction =\nseed.bed.particles_per_parcel = "
FEW = "seed.bed.parcels_at_packing =\nseed.bed.parcels = 100\n"
LATTICE = "seed.bed.parcels_at_packing =\nseed.bed.arrangement = {}\nseed.bed.lattice = {}"
SECOND = "\nseed.more.high = 40, 40, 50 mm\nseed.more.low = 0, 0, {} mm\nseed.more.solids_fraction = {}\n" \
         "seed.more.parcels_per_cell = 16"
REFUSED = [
    *hostile_models.REFUSED,
    # Solids beyond packing
    ("seed.bed.solids_fraction = 0.65", "close packing"),
    ("solids.close_packing = 0.3", "close packing", "seed.bed.solids_fraction"),
    (BED + "1e3\nseed.bed.parcels_at_packing =\nseed.bed.parcels_per_cell = 20", "fills cell (0, 0, 0)"),
    (BED + "1e6\nseed.bed.parcels_at_packing =\nseed.bed.parcels_per_cell = 20", "lower particles_per_parcel"),
    (BED + "1e300\nseed.bed.parcels_at_packing =\nseed.bed.parcels = 1", "a parcel of [seed.bed] would fill"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 2\nseed.bed.parcels_at_packing = 20",
     "the largest parcels of [seed.bed] would fill"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 100\nseed.bed.parcels_at_packing = 20", "weighting = mass"),
    (BED + "8e3\n" + LATTICE.format("lattice", "1, 1, 1"), "a parcel of [seed.bed] would fill"),
    (BED + "800\n" + LATTICE.format("lattice", "1, 1, 100"), "spread its lattice more evenly"),
    (BED + "150\n" + LATTICE.format("cell_lattice", "3, 3, 3"), "to a solids fraction of 2.12"),
    (BED + "150\n" + LATTICE.format("lattice", "12, 12, 15"), "to a solids fraction of 2.12"),
    (BED + "800\nsolids.frozen = true\n" + LATTICE.format("cell_lattice", "2, 2, 2"), "the rest is the gas's"),
    (BED + "800\ncontact.model = off\n" + LATTICE.format("cell_lattice", "2, 2, 2"), "0.95 at most"),
    ("seed.bed.parcels_at_packing = 0.5", "a parcel of [seed.bed] would fill 1.19 cells"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = 10", "take more parcels"),
    (SECOND.format(0, 0.4), "[seed.bed] and [seed.more] together fill cell (0, 0, 0)"),
    (SECOND.format(30, 0.3), "cell (0, 0, 3)"),
    (SECOND.format(35, 0.5), "together fill"),
    (SECOND.format(0, 0.1) + SECOND.replace("more", "third").format(0, 0.2),
     "[seed.bed], [seed.more] and [seed.third]"),
    # Inlets that feed more than packing
    (FEED.format("feed", "x_low", "100 kg/s", 0.1, 100), "close packing"),
    (FEED.format("feed", "x_low", "1 kg/s", 1e-9, 100), "close packing"),
    (FEED.format("feed", "x_low", "5 kg/s", 1, 100) + FEED.format("other", "x_low", "5 kg/s", 1, 100),
     "[inlet.feed] and [inlet.other] overlap"),
    (FEED.format("feed", "x_low", "1 kg/s", 1, 1e5), "a parcel of [inlet.feed] would fill"),
    (FEED.format("feed", "x_low", "5 kg/s", 1, 1e-9), "a million at most"),
    (FEED.format("feed", "z_high", "1 kg/s", 1, 10), "outlet"),
    # More than any memory
    (FEW + "grid.cells = 1600, 1600, 1600", "4.1e9 cells and 100 parcels need about"),
    (FEW + "grid.cells = 1000000, 1000000, 1000000\ngrid.size = 1, 1, 1 km\nseed.bed.high =", "1e18 cells"),
    (FEW + "grid.cells = 1, 1000000, 1000", "take fewer cells"),
    ("grid.cells = 400, 400, 1000", "take fewer in [seed.bed]", "seed.bed.parcels_at_packing"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = 4e9", "4e9 parcels"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = 1e12", "out of range"),
    ("seed.bed.parcels_at_packing = 1e12", "take fewer in [seed.bed]"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels_per_cell = 1e12", "GB"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels_per_cell = 1e300", "GB"),
    (LATTICE.format("lattice", "1000000, 1000000, 1000000"), "1e18 parcels"),
    (LATTICE.format("lattice", "1000, 1000, 1000"), "1e9 parcels"),
    (LATTICE.format("cell_lattice", "1000000, 1000000, 1000000"), "parcels need about"),
    (LATTICE.format("cell_lattice", "1000000, 1, 1"), "GB"),
    (LATTICE.format("cell_lattice", "1000, 1000, 1000"), "GB"),
    (SECOND.format(0, 0.1).replace("parcels_per_cell = 16", "parcels = 3e9"), "take fewer in [seed.more]"),
    # What rounds to nothing, units forgotten
    ("grid.size = 40, 40, 100", "comes to no parcels", "seed.bed.parcels_at_packing"),
    ("grid.size = 40, 40, 100 um", "outside the box", "seed.bed.high"),
    ("grid.size = 40, 40, 100 km", "is a unit missing?", "seed.bed.parcels_at_packing"),
    ("seed.bed.high = 40, 40, 50", "outside the box"),
    ("seed.bed.high = 40, 40, 50 um", "comes to no parcels"),
    ("seed.bed.parcels_at_packing = 1e-6", "comes to no parcels"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels_per_cell = 1e-300", "comes to no parcels"),
    (LATTICE.format("cell_lattice", "1, 1, 1") + "\nseed.bed.high = 1, 1, 1 mm", "comes to no parcels"),
    ("seed.bed.low = 1, 1, 1 m", "no extent"),
    ("forces.weight = borne", "gravity acts along no periodic axis"),
    ("forces.pressure_gradient = 0, 0, 1 Pa/m", "along z, where the box is not periodic"),
    ("gas.motion = prescribed\nsolids.coupling = one_way\nforces.weight = borne", "forces.weight with gas.motion = prescribed"),
    ("seed.bed.low = 50, 50, 60 mm\nseed.bed.high = 60, 60, 70 mm", "outside the box"),
    ("seed.bed.low = -1, 0, 0 mm", "outside the box"),
    ("inlet.floor.high = 40, 40, 0 nm", "covers 4e-6 of a face"),
    ("inlet.floor.high = 1e-9, 40e-3, 0 m", "is a unit missing?"),
    ("inlet.floor.high = 40, 40, 0", "outside the box"),
    (FEW + "size.grains.diameter = 1\n" + BED + "1", "a parcel of [seed.bed] would fill"),
    ("grid.size = 1e-200, 1e-200, 1e-200 m", "1e-9 m to 1e6 m"),
    ("grid.size = 1e200, 1e200, 1e200 m", "1e-9 m to 1e6 m"),
    ("grid.size = 40, 40, 1e-8 mm", "1e-9 m to 1e6 m"),
    ("grid.origin = 1e12, 0, 0 m", "million times"),
    ("inlet.floor.velocity = 500 m/s\ntime.step = fixed", "crosses 25 cells"),
    # Regions and sides
    ("sides.x_low = periodic", "periodic"),
    ("sides.z_high = no_slip", "cannot leave", "inlet.floor.side"),
    ("inlet.floor.side = z_high", "outlet"),
    ("inlet.floor.side = top", "choices"),
    ("inlet.floor.low = 0, 0, 5 mm", "does not touch its side"),
    ("inlet.floor.low = 20, 0, 0 mm\ninlet.floor.high = 10, 40, 0 mm", "no extent"),
    ("inlet.floor.low = 20, 0, 0 mm\ninlet.floor.high = 50, 40, 0 mm", "outside the box"),
    ("sides.x_low = periodic\nsides.x_high = periodic\ninlet.floor.side = x_low", "periodic"),
    ("inlet.floor.times = 0, 1 s", "factors"),
    ("inlet.floor.factors = 0, 1", "times"),
    ("inlet.floor.times = 1, 0 s\ninlet.floor.factors = 0, 1", "ascend"),
    ("inlet.floor.times = 0, 0, 0 s\ninlet.floor.factors = 0, 1, 2", "three times"),
    ("inlet.floor.times = 0, 1, 2 s\ninlet.floor.factors = 0, 1", "times"),
    ("inlet.floor.times = 0, 1 s\ninlet.floor.factors = 0, -1", "out of range"),
    ("inlet.floor.solids_velocity = 1 m/s", "solids_rate"),
    ("inlet.floor.particles_per_parcel = 1", "solids_rate"),
    ("inlet.floor.solids_rate = 1 g/s", "solids_velocity"),
    ("inlet.floor.solids_rate = 1 g/s\ninlet.floor.solids_velocity = 1 m/s", "particles_per_parcel"),
    ("inlet.floor.solids_tangential_velocity = 1, 0, 0 m/s", "solids_rate"),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ninlet.feed.solids_tangential_velocity = 1, 0, 0 m/s",
     "a part along x, across its side"),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ninlet.feed.solids_tangential_velocity = 0, 1 m/s",
     "3 are expected"),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ninlet.feed.solids_tangential_velocity = 0, 1e6, 0 m/s",
     "out of range"),
    # Seeds that contradict themselves
    ("seed.bed.particles_per_parcel = 10", "gives both"),
    ("seed.bed.solids_fraction =", "neither"),
    ("seed.bed.parcels_at_packing =", "how many parcels"),
    ("seed.bed.parcels = 100", "how many parcels"),
    ("seed.bed.parcels_per_cell = 100", "how many parcels"),
    ("seed.bed.lattice = 1, 1, 1", "it is for lattice and cell_lattice"),
    ("seed.bed.arrangement = lattice", "parcels_at_packing with arrangement = lattice", "seed.bed.parcels_at_packing"),
    ("seed.bed.arrangement = lattice\nseed.bed.parcels_at_packing =", "needs `lattice`"),
    ("seed.bed.arrangement = pile", "choices"),
    (BED + "10", "parcels_at_packing without solids_fraction"),
    ("seed.bed.size = sand", "there is no [size.sand]"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = 1.5", "whole number"),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = -5", "out of range"),
    (LATTICE.format("lattice", "0, 1, 1"), "out of range"),
    (LATTICE.format("lattice", "1000001, 1, 1"), "out of range"),
    (LATTICE.format("lattice", "2, 2"), "3 are expected"),
    (LATTICE.format("lattice", "2, 2, 2.5"), "whole number"),
    (LATTICE.format("lattice", "8, 8, 8") + "\nseed.bed.jitter = 10 mm", "jitter"),
    # Sizes
    ("size.grains.diameter =", "diameter"),
    ("size.grains.diameter = -1 mm", "out of range"),
    ("size.grains.distribution = normal", "deviation"),
    ("size.grains.distribution = normal\nsize.grains.deviation = 1 m", "positive minimum"),
    ("size.grains.distribution = normal\nsize.grains.deviation = 1 um\nsize.grains.maximum = 1 um", "no share"),
    ("size.grains.distribution = normal\nsize.grains.deviation = 0.1 mm\nsize.grains.minimum = 2 mm\n"
     "size.grains.maximum = 1 mm", "no share"),
    ("size.grains.distribution = log_normal", "ratio"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 1", "above 1"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 101", "out of range"),
    ("size.grains.distribution = table", "diameter with distribution = table", "size.grains.diameter"),
    ("size.grains.distribution = table\nsize.grains.diameter =", "file"),
    ("size.grains.distribution = table\nsize.grains.file = nowhere.csv", "nowhere.csv"),
    ("size.grains.distribution = table\nsize.grains.file = .", "is a directory"),
    ("size.sand.diameter = 2 mm", "does not say which", "seed.bed"),
    # Physics that does not fit together
    ("gas.motion = prescribed", "one_way", "solids"),
    ("gas.motion = prescribed\nsolids.coupling = one_way\ngas.start = counterflow", "it is for solved"),
    ("grid.cells = 4, 4", "3 are expected"),
    ("grid.cells = 4, 4, 10, 10", "3 are expected"),
    ("grid.cells = 4.5, 4, 10", "whole number"),
    ("grid.cells = 0, 4, 10", "out of range"),
    ("grid.cells = -4, 4, 10", "out of range"),
    ("grid.cells = 1000001, 4, 10", "out of range"),
    ("grid.size = 40, 40, 100 kg", "grid.size"),
    ("grid.size = 0, 40, 100 mm", "out of range"),
    ("forces.gravity = 9.81", "3 are expected"),
    ("solids.close_packing = 1", "out of range"),
    ("solids.close_packing = 0", "out of range"),
    ("gas.tolerance = 1", "out of range"),
    ("gas.momentum = fluxes", "choices: advective, conservative"),
    ("gas.turbulence = k_epsilon", "choices: none, smagorinsky"),
    ("gas.turbulence = smagorinsky", "set viscous_force = stress", "gas.turbulence"),
    ("gas.smagorinsky_constant = -1", "out of range"),
    ("gas.smagorinsky_constant = 17", "out of range"),
    ("gas.viscous_force = none", "choices: laplacian, stress"),
    ("gas.viscous_force = stress", "set momentum = conservative", "gas.viscous_force"),
    ("contact.exponent = 0.5", "out of range"),
    ("contact.friction = 11", "out of range"),
    ("time.dt = 0", "out of range"),
    ("time.dt = -1 s", "out of range"),
    ("time.dt = 1 m", "time.dt"),
    ("time.dt =", "missing"),
    ("time.end =", "missing"),
    ("solid.sand.density =", "missing"),
    ("grid.cells =", "missing"),
    ("grid.size =", "missing"),
    ("inlet.floor.velocity =", "missing"),
    ("inlet.floor.side =", "missing"),
    ("case.driver =", "missing"),
    ("case.driver = openfoam", "choices"),
    ("random.seed = -1", "out of range"),
    ("random.seed = 99999999999999999999", "random.seed"),
    ("output.fields = -1 s", "out of range"),
    ("output.format = hdf5", "choices: vtk, openpmd, both"),
    ("output.format = vtk, openpmd", "choices: vtk, openpmd, both"),
    ("output.audit = maybe", "neither true nor false"),
    # Names
    ("gas.densty = 1", "nearest key: density"),
    ("solid.density = 1", "lacks a name of its own"),
    ("inlet.flor.side = z_low\ninlet.flor.velocty = 1", "nearest key: velocity"),
    ("seed.bed.particles = 1", "seed.bed.particles"),
    ("plasma.density = 1", "[plasma]"),
    ("seed.a b.parcels = 1", "not a section's name"),
    ("size.grains.colour = red", "size.grains.colour"),
]

FINE = [
    *hostile_models.FINE,
    ("", ""),
    ("seed.bed.solids_fraction = 0.6", ""),
    ("seed.bed.parcels_at_packing =\nseed.bed.parcels = 0", "[seed.bed] has no parcels"),
    ("seed.bed.parcels_at_packing = 1", "puts 0.994 parcels into a packed cell"),
    ("seed.bed.parcels_at_packing = 4", "puts 3.99 parcels into a packed cell"),
    ("seed.bed.parcels_at_packing = 1e5\nseed.bed.high = 10, 10, 10 mm", "stands for"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 1.4", "the largest parcels of [seed.bed] hold 12.7"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 2\nsize.grains.weighting = mass",
     "the drag law is one of a single size"),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 2\nsize.grains.weighting = mass\n"
     "solid.sand.drag = beetstra_polydisperse", ""),
    ("contact.friction = 1", ""),
    ("contact.friction = 2", "was tried up to 1"),
    ("contact.pressure = 1 kPa", "of what the seeds weigh in the gas"),
    ("sides.z_low = periodic\nsides.z_high = periodic\n[inlet.floor] =", "fall through it together"),
    ("sides.z_low = periodic\nsides.z_high = periodic\n[inlet.floor] =\nforces.gravity = 0, 0, 0 m/s2", ""),
    ("sides.z_low = periodic\nsides.z_high = periodic\n[inlet.floor] =\nforces.weight = borne", ""),
    (SECOND.format(50, 0.6).replace("40, 40, 50", "40, 40, 100"), ""),
    (SECOND.format(0, 0.19), ""),
    (LATTICE.format("lattice", "9, 9, 11"), ""),
    (LATTICE.format("lattice", "13, 13, 17"), ""),
    (LATTICE.format("cell_lattice", "3, 3, 3") + "\nseed.bed.jitter = 1 mm", ""),
    (LATTICE.format("lattice", "5, 5, 6") + "\nseed.bed.solids_fraction = 0.55", "the pitch of its lattice"),
    ("size.grains.diameter = 10 mm\ngrid.cells = 16, 16, 40\n" + BED + "0.001\nseed.bed.parcels_at_packing =\n"
     "seed.bed.parcels = 2000", "up to 0.01 m large, cells 0.0025 m"),
    ("inlet.floor.velocity = 400 m/s", "crosses 20 cells in time.dt"),
    ("inlet.floor.velocity = 150 m/s\ntime.step = fixed", "time.step = adaptive would shorten"),
    ("inlet.floor.velocity = 40 m/s\ninlet.floor.times = 0.5, 0.6 s\ninlet.floor.factors = 0, 10",
     "crosses 20 cells in time.dt"),
    ("inlet.floor.velocity = 0", ""),
    ("gas.advection = central", "density speed cell/viscosity 333 for the gas of [inlet.floor]"),
    ("gas.advection = central\ngas.viscosity = 3e-3 Pa s", ""),
    ("inlet.floor.velocity = 1.3 m/s", ""),
    ("inlet.floor.velocity = 1.6 m/s", "of the weight at the start, of which gas.momentum = advective keeps no books"),
    ("inlet.floor.velocity = 4 m/s\ngas.momentum = conservative", ""),
    ("inlet.floor.velocity = 4 m/s\nforces.gravity = 0, 0, 0 m/s2", ""),
    ("gas.momentum = conservative", ""),
    ("gas.momentum = conservative\ngas.viscous_force = stress", ""),
    ("gas.momentum = conservative\ngas.viscous_force = stress\ngas.turbulence = smagorinsky", ""),
    ("inlet.floor.high = 0.5, 40, 0 mm", "0.05 of a cell wide along x"),
    ("seed.bed.high = 0.5, 40, 50 mm\nseed.bed.parcels_at_packing =\nseed.bed.parcels = 20", "of a cell wide along x"),
    (FEED.format("feed", "x_low", "1e-9 kg/s", 1, 10), "parcels until time.end"),
    (FEED.format("feed", "x_low", "10 g/s", 200, 10), "lets in crosses 10 cells"),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10), "brings in momentum at 0.673 %"),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ngas.momentum = conservative", ""),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ngas.momentum = conservative\ninlet.feed.solids_tangential_velocity = 0, 2, -3 m/s", ""),
    (FEED.format("feed", "x_low", "10 g/s", 1, 10) + "\ninlet.feed.solids_tangential_velocity = 0, 0, -200 m/s",
     "lets in crosses 10 cells"),
    ("contact.collision_rate = far_from_equilibrium\ncontact.isotropy = orourke_snider\ncontact.acceleration = blended", ""),
    ("contact.isotropy = orourke_snider\ncontact.collisions = off", ""),
    ("grid.cells = 1, 1, 1", ""),
    ("grid.cells = 1, 4, 10", ""),
    ("time.dt = 1 ns", ""),
    ("time.end = 0", ""),
    ("random.seed = 9223372036854775807", ""),
    ("forces.gravity = 0, 0, 0 m/s2", ""),
    ("case.title = \"nan\"", ""),
    ("solids.frozen = true\nseed.bed.solids_fraction = 0.7", ""),
    ("contact.model = off\nseed.bed.solids_fraction = 0.7", ""),
    ("size.grains.distribution = log_normal\nsize.grains.ratio = 1.5", "hold 19 times the mean parcel's solids"),
    ("size.grains.distribution = normal\nsize.grains.deviation = 0.1 mm\nsize.grains.weighting = mass", ""),
]
