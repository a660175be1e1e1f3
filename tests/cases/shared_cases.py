"""Cases that ranks share, as over_ranks.py runs them."""

import re

# Walls that slide; a force, and a fluid in three dimensions.
BLOCK = """
[case]
driver = body
[grid]
cells = 18, 17, 16
size = 18, 17, 16 mm
[sides]
x_low = periodic
x_high = periodic
y_low = no_slip
y_high = no_slip
z_low = free_slip
z_high = no_slip
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 1 cP
[drive]
y_high_velocity = 5, 0, 2 mm/s
body_force = 1, 0, 0.5 N/m3
[time]
dt = 8 ms
end = 168 ms
[output]
format = both
fields = 80 ms
log = 16 ms
points = 0
bodies = 0
[checkpoint]
steps = 7
keep = 2
"""
# What comes in on parts of two sides leaves through two others; all four are cut.
CHANNEL = """
[case]
driver = body
[grid]
cells = 19, 16, 14
size = 19, 16, 14 mm
[sides]
x_low = no_slip
x_high = outlet
y_low = no_slip
y_high = free_slip
z_low = no_slip
z_high = outlet
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 1 cP
[inlet.stream]
side = x_low
velocity = 8 mm/s
profile = parabolic
low = 0, 2, 3 mm
high = 0, 14, 12 mm
[inlet.beside]
side = z_low
velocity = 3 mm/s
low = 4, 5, 0 mm
high = 11, 13, 0 mm
[drive]
velocity = 4, 0, 1 mm/s
[time]
dt = 8 ms
end = 240 ms
[output]
format = both
fields = 80 ms
log = 24 ms
points = 0
bodies = 0
[checkpoint]
steps = 7
keep = 2
"""
# A sphere stands in it, and one near an outlet goes with it.
STREAM = CHANNEL.replace("points = 0\nbodies = 0", "points = 80 ms\nbodies = 24 ms") + """
[forcing]
method = serial
scheme = two_pass
[shape.ball]
shape = sphere
radius = 2.6 mm
[bodies.stands]
shape = ball
position = 6.4, 8.7, 6.6 mm
[bodies.goes]
shape = ball
position = 15.4, 6, 7.7 mm
motion = free
density = 1050 kg/m3
"""
# A sphere that sinks across periodic corners, one that floats and touches it, and an ellipsoid that is moved along a wall that slides.
BODIES = """
[case]
driver = body
[grid]
cells = 21, 20, 19
size = 21, 20, 19 mm
[sides]
x_low = periodic
x_high = periodic
y_low = no_slip
y_high = no_slip
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 1000 kg/m3
viscosity = 10 cP
[drive]
y_high_velocity = 8, 0, 4 mm/s
body_force = 1, 0, 0.5 N/m3
[forces]
gravity = 0.2, -0.5, 0.4 m/s2
[forcing]
method = serial
[shape.ball]
shape = sphere
radius = 3.3 mm
[shape.egg]
shape = ellipsoid
semi_axes = 3, 2.5, 3.5 mm
[bodies.sinks]
shape = ball
position = 20.4, 10, 18.2 mm
motion = free
density = 1100 kg/m3
velocity = 3, 0, 4 mm/s
[bodies.floats]
shape = ball
position = 13, 9, 16.5 mm
motion = free
density = 1000 kg/m3
angular_velocity = 1, 2, 0 rad/s
[bodies.moved]
shape = egg
position = 6, 14.5, 8 mm
motion = given
velocity = 6, 0, -5 mm/s
angular_velocity = 0, 2, 0 rad/s
[time]
dt = 4 ms
end = 160 ms
[output]
format = both
fields = 80 ms
points = 40 ms
bodies = 20 ms
log = 20 ms
[checkpoint]
steps = 7
keep = 2
"""
# Red cells across periodic corners, one of them against a wall that slides, and a capsule of sites.
CELLS = """
[case]
driver = membrane
[grid]
cells = 18, 15, 16
size = 9, 7.5, 8 um
[sides]
x_low = periodic
x_high = periodic
y_low = no_slip
y_high = no_slip
z_low = periodic
z_high = periodic
[fluid]
method = lattice
density = 1e4 kg/m3
viscosity = 1 cP
[drive]
y_high_velocity = 4, 0, 9 mm/s
body_force = 3e5, 0, 2e5 N/m3
[coupling]
method = serial
[repulsion]
range = 0.6 um
stiffness = 1e-7 N/m
[surface.red_cell]
shape = red_cell
radius = 1.8 um
vertices = 162
law = skalak
shear_modulus = 2.5 uN/m
area_ratio = 10
membrane_viscosity = 1e-10 N s/m
[surface.capsule]
shape = sphere
radius = 1.2 um
representation = radial
vertices = 100
sites = 200
shear_modulus = 2.5 uN/m
[membranes.corner]
surface = red_cell
position = 8.92, 5.6, 7.9 um
axis = 1, 1, 0
[membranes.beside]
surface = red_cell
position = 4.3, 2.4, 4 um
axis = 1, 0, 1
[membranes.capsule]
surface = capsule
position = 8, 1.7, 2 um
[time]
dt = 1.25 us
end = 50 us
[output]
format = both
fields = 25 us
vertices = 25 us
sites = 25 us
log = 5 us
cells = 25 us
profile = 25 us
[checkpoint]
steps = 14
keep = 2
"""
# The same in the spectral fluid: in slabs between the walls, with inertia; and without it in a box that is sheared across its ends.
SLABS = CELLS.replace("lattice", "spectral").replace("end = 50 us", "end = 15 us").replace("25 us", "15 us")
SHEARED = SLABS.replace("no_slip", "periodic").replace("y_high_velocity = 4, 0, 9 mm/s", "shear_rate = 2000 1/s").replace(
    "viscosity = 1 cP", "viscosity = 1 cP\nmotion = stokes").replace("membrane_viscosity = 1e-10 N s/m\n", "")
# Red cells alone, whose own fluid is more viscous.
VISCOUS = re.sub(r"\[(surface|membranes)\.capsule\][^\[]*", "", SHEARED).replace("vertices = 162", "vertices = 162\nviscosity_ratio = 4")
# Bodies in slabs.
BODIES_IN_SLABS = BODIES.replace("lattice", "spectral").replace("21, 20, 19", "21, 20, 18").replace("20.4, 10, 18.2", "20.4, 10, 17.2").replace(
    "end = 160 ms", "end = 40 ms").replace("80 ms", "40 ms")
