"""Hostile cases of models by name, rows of hostile_table.py: several solids, heat, collisions."""

FEED = "\ninlet.{0}.side = {1}\ninlet.{0}.velocity = 1 m/s\ninlet.{0}.solids_rate = {2}\n" \
       "inlet.{0}.solids_velocity = {3} m/s\ninlet.{0}.particles_per_parcel = {4}"

SOLIDS = "solid.light.density = {}\n"
ONE = "[solid.sand] =\nsolids.density = {}"

IDEAL = "heat.model = gunn\nsolids.heat_capacity = 840 J/(kg K)\ngas.density_law = ideal_gas\n"
WARM = "heat.model = {}\nsolids.heat_capacity = 840 J/(kg K)\n"

REFUSED = [
    # Several solids
    (SOLIDS.format(1000), "does not say which [solid.NAME] it means", "seed.bed"),
    (SOLIDS.format(1000) + "seed.bed.solid = gravel", "there is no [solid.gravel]"),
    ("solid.left_sand.density = 1000\nseed.bed.solid = sand", "two columns of log.csv"),
    ("solid.entered.density = 1000\nseed.bed.solid = sand", "two columns of log.csv"),
    ("solid.leftovers.density = 1000", "does not say which [solid.NAME] it means", "seed.bed"),
    (SOLIDS.format(1000) + "solid.light.drag = stoke\nseed.bed.solid = sand", "choices"),
    (SOLIDS.format(1000) + "solid.light.restitution = 1.1\nseed.bed.solid = sand", "out of range"),
    (SOLIDS.format(1000) + "solid.light.restitution = -0.1\nseed.bed.solid = sand", "out of range"),
    (SOLIDS.format(1000) + "solid.light.restitution = nan\nseed.bed.solid = sand", "solid.light.restitution"),
    (SOLIDS.format(1000) + "solid.light.size = dust\nseed.bed.solid = light", "there is no [size.dust]"),
    (SOLIDS.format(1000) + "solid.light.close_packing = 0.6\nseed.bed.solid = sand", "is not known"),
    ("solids.density = 2500", "beside the blocks"),
    ("[solid.sand] =", "`density` is missing from [solids]", "solids"),
    (ONE.format(2500) + "\nseed.bed.solid = sand", "there is no [solid.sand]"),
    ("inlet.floor.solid = sand", "solids_rate"),
    (SOLIDS.format(1000) + "seed.bed.solid = sand" + FEED.format("feed", "x_low", "1 kg/s", 1, 10),
     "[inlet.feed] does not say which [solid.NAME] it means"),
    (SOLIDS.format(1) + "seed.bed.solid = sand" + FEED.format("feed", "x_low", "1 kg/s", 1, 10) +
     "\ninlet.feed.solid = light", "close packing"),
    # Heat
    ("heat.model = gunn", "has no heat_capacity", "solid.sand"),
    ("heat.model = warm", "choices"),
    (SOLIDS.format(1000) + "seed.bed.solid = sand\nheat.model = gunn\nsolid.light.heat_capacity = 800",
     "[solid.sand] has no heat_capacity", "solid.sand"),
    (SOLIDS.format(1000) + WARM.format("gunn") + "seed.bed.solid = sand\nsolid.light.heat_capacity = -1", "out of range"),
    (WARM.format("constant"), "there is no heat.nusselt"),
    (WARM.format("gunn") + "heat.nusselt = 2", "which has its own"),
    (WARM.format("gunn") + "gas.temperature = -20 K", "out of range"),
    (WARM.format("gunn") + "gas.temperature = 0 K", "out of range"),
    (WARM.format("gunn") + "gas.temperature = 1e6 K", "out of range"),
    (WARM.format("gunn") + "gas.conductivity = 0", "out of range"),
    (WARM.format("gunn") + "gas.heat_capacity = 1e12", "out of range"),
    (WARM.format("gunn") + "inlet.floor.temperature = nan", "inlet.floor.temperature"),
    (WARM.format("gunn") + "inlet.floor.solids_temperature = 300 K", "no solids_rate"),
    (WARM.format("gunn") + "solids.conductivity = -1", "out of range"),
    (WARM.format("gunn") + "heat.x_low_coefficient = 10", "without a temperature of the wall"),
    (WARM.format("gunn") + "heat.z_high_temperature = 400 K", "z_high is outlet"),
    (WARM.format("gunn") + "sides.y_low = symmetry\nheat.y_low_temperature = 400 K", "y_low is symmetry"),
    (WARM.format("gunn") + "solids.coupling = one_way", "choose two_way"),
    ("seed.bed.temperature = 400 K", "without heat"),
    ("inlet.floor.temperature = 400 K", "without heat"),
    ("heat.x_low_temperature = 400 K", "without heat"),
    ("heat.nusselt = 2", "without heat"),
    ("heat.advection = van_leer", "without heat"),
    (WARM.format("gunn") + "heat.advection = central", "choices"),
    # Gas that varies
    ("gas.density_law = ideal_gas", "without heat"),
    ("gas.viscosity_law = sutherland", "without heat"),
    ("gas.prandtl = 0.7", "without heat"),
    (WARM.format("gunn") + "gas.density_law = ideal", "choices"),
    (WARM.format("gunn") + "gas.viscosity_law = power", "choices"),
    (WARM.format("gunn") + "gas.gas_constant = 287", "without use"),
    (WARM.format("gunn") + "gas.pressure = 1e5 Pa", "without use"),
    (WARM.format("gunn") + "gas.reference_temperature = 300 K", "without use"),
    (WARM.format("gunn") + "gas.sutherland_temperature = 110 K", "without use"),
    (IDEAL + "gas.density = 1.3", "gas.density beside"),
    (IDEAL + "gas.pressure = 0", "out of range"),
    (IDEAL + "gas.pressure = 1 kg/m3", "kg/m3"),
    (IDEAL + "gas.gas_constant = 0", "out of range"),
    (IDEAL + "gas.gas_constant = 1005", "heat capacity at constant pressure is larger"),
    (IDEAL + "gas.heat_capacity = 200", "heat capacity at constant pressure is larger"),
    (IDEAL + "gas.prandtl = 0.7\ngas.conductivity = 0.03", "gas.conductivity beside"),
    (IDEAL + "gas.prandtl = 0", "out of range"),
    # Collisions
    ("contact.collision_rate = fast", "choices"),
    ("contact.isotropy = yes", "choices"),
    ("contact.acceleration = common", "choices"),
    ("contact.acceleration = blended\ncontact.model = off", "contacts that share", "contact.acceleration"),
]

FINE = [
    (SOLIDS.format(1000) + "seed.bed.solid = sand", "no seed and no inlet is of [solid.light]"),
    (ONE.format(2500), ""),
    ("seed.bed.solid = sand", ""),
    ("solids.drag = beetstra_polydisperse\nsolids.frozen = true", ""),
    (WARM.format("gunn") + "seed.bed.temperature = 1000 K\nheat.x_low_temperature = 400 K\nheat.x_high_temperature = 300 K\n"
     "heat.x_high_coefficient = 100", ""),
    (WARM.format("ranz_marshall") + "inlet.floor.temperature = 2000 K\ngas.conductivity = 1e6", ""),
    (WARM.format("constant") + "heat.nusselt = 1e6\ngas.heat_capacity = 1e-3", ""),
    (SOLIDS.format(1000) + WARM.format("gunn") + "seed.bed.solid = sand\nsolid.sand.conductivity = 1e-3", "Biot"),
    (WARM.format("gunn") + "solids.conductivity = 1e-3", "Biot"),
    (WARM.format("gunn") + "gas.viscosity = 1e-9 Pa s", "Gunn's law"),
    (IDEAL, ""),
    (WARM.format("gunn") + "heat.advection = van_leer", ""),
    (IDEAL + "gas.viscosity_law = sutherland\ngas.prandtl = 0.7\ngas.momentum = conservative\ngas.viscous_force = stress", ""),
    (IDEAL + "inlet.floor.velocity = 150 m/s\ninlet.floor.temperature = 250 K", "Mach number"),
    (IDEAL + "gas.pressure = 2000 Pa", "solids weigh"),
    (IDEAL + "seed.bed.temperature = 900 K", "its volume changes as fast"),
    (IDEAL + "sides.z_high = no_slip\n[inlet.floor] =", ""),
    (IDEAL + "gas.gas_constant = 1e5\ngas.heat_capacity = 1e6\ngas.pressure = 1e9\ngas.momentum = conservative", ""),
    (IDEAL + "gas.gas_constant = 1\ngas.momentum = conservative", ""),
    (WARM.format("gunn") + "gas.viscosity_law = sutherland", ""),
    (WARM.format("gunn") + "gas.prandtl = 0.7", ""),
    # What is asked for and has no effect
    ("solids.drag_coefficient = 0.5", "solids.drag_coefficient has no effect: no solid has the drag law"),
    ("solids.drag = constant\nsolids.drag_coefficient = 0.5", ""),
    (ONE.format(2500) + "\nsolids.drag = constant\nsolids.drag_coefficient = 0.5", ""),
    (ONE.format(2500) + "\nsolids.drag_coefficient = 0.5", "solids.drag_coefficient has no effect"),
    ("solid.sand.drag = constant\nsolids.drag_coefficient = 0.5", ""),
    ("solid.sand.drag_coefficient = 0.5", "solid.sand.drag_coefficient has no effect: its drag law"),
    ("solid.sand.drag = constant\nsolid.sand.drag_coefficient = 0.5", ""),
    ("solid.sand.drag = constant\nsolid.sand.drag_coefficient = 1\nsolids.drag_coefficient = 0.5", "of its own"),
    ("solid.sand.drag = ergun\nsolids.drag = tang", "solids.drag has no effect: every solid"),
    ("solid.sand.restitution = 0.8\ncontact.restitution = 0.9", "contact.restitution has no effect"),
    ("solid.sand.restitution = 0.8\ncontact.restitution = 97e-2", ""), # the default, written out
    ("contact.restitution = 0.9", ""),
    ("solids.frozen = true\nseed.bed.velocity = 0, 0, 1 m/s", "seed.bed.velocity has no effect: solids are frozen"),
]
