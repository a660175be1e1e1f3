#include "tests/state/runs.hpp"

#include "beads/driver.hpp"
#include "body/driver.hpp"
#include "membrane/driver.hpp"
#include "mppic/driver.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::test {

namespace {

const std::vector<run::DriverKind> drivers{mppic::driver_kind(), membrane::driver_kind(), body::driver_kind(), beads::driver_kind()};

constexpr const char* bed = R"(
[case]
driver = mppic
[grid]
cells = 5, 4, 10
size = 50, 40, 100 mm
[sides]
z_high = outlet
[gas]
density = 1.2
viscosity = 1.8e-5
[solids]
density = 2500
close_packing = 0.6
drag = gidaspow_blended
[contact]
pressure = 10
exponent = 2
[size.glass]
diameter = 0.5 mm
[seed.bed]
low = 0, 0, 0
high = 50, 40, 60 mm
solids_fraction = 0.55
parcels = 2400
[inlet.floor]
side = z_low
velocity = 1
times = 0, 0.02
factors = 0.5, 3
[inlet.low]
side = x_high
low = 50, 10, 0 mm
high = 50, 30, 20 mm
velocity = 0.1
solids_rate = 0.02
solids_velocity = 0.2
particles_per_parcel = 8
[inlet.wall]
side = x_low
low = 0, 10, 70 mm
high = 0, 30, 90 mm
velocity = 2
solids_rate = 0.02
solids_velocity = 2
particles_per_parcel = 8
[time]
dt = 1 ms
end = 1
[output]
audit = true
)";

constexpr const char* membranes = R"(
[case]
driver = membrane
[grid]
cells = 20, 18, 20
size = 10, 9, 10 um
[sides]
x_low = periodic
x_high = periodic
z_low = periodic
z_high = periodic
[fluid]
viscosity = 1 cP
projection = PmIII
[drive]
shear_rate = 2000
y_low_velocity = 0.2, 0, 0 mm/s
body_force = 0, 0, 1e6
[repulsion]
range = 0.7 um
stiffness = 1 uN/m
[surface.red]
shape = red_cell
radius = 2 um
vertices = 92
shear_modulus = 2.5 uN/m
area_ratio = 10
bending = helfrich
bending_modulus = 2e-19
volume_stiffness = 10
area_stiffness = 1e-6
[surface.ball]
shape = sphere
radius = 1 um
vertices = 42
law = none
tension = 1e-6
tether_stiffness = 1e8
[surface.smooth]
shape = sphere
radius = 1 um
representation = radial
vertices = 80
sites = 256
law = neo_hookean
shear_modulus = 2 uN/m
stretch = 1.1, 1, 0.9
[membranes.held]
surface = ball
position = 2, 3, 2 um
path = path.csv
[membranes.many]
surface = red
arrangement = random
orientation = random
count = 3
gap = 0.3 um
[membranes.smooth]
surface = smooth
arrangement = random
count = 2
gap = 0.3 um
[pull.tips]
membranes = many
force = 2 pN
ramp = 50 us
[time]
step = adaptive
dt = 5 us
end = 1
)";

constexpr const char* bodies = R"(
[case]
driver = body
[grid]
cells = 22, 20, 16
size = 22, 20, 16 mm
[sides]
x_low = no_slip
x_high = outlet
z_low = periodic
z_high = periodic
[fluid]
method = lattice
viscosity = 1 cP
[inlet.stream]
side = x_low
velocity = 5 mm/s
[drive]
velocity = 5, 0, 0 mm/s
[forces]
gravity = 0, -0.1, 0
[shape.ball]
shape = sphere
radius = 2.5 mm
[shape.egg]
shape = file
file = egg.off
unit = 1 mm
[bodies.fixed]
shape = ball
position = 4.5, 4.5, 4.5 mm
[bodies.told]
shape = egg
position = 5, 14, 8 mm
motion = given
amplitude = 0.5, 0.2, 0 mm
frequency = 2
angular_velocity = 0, 0, 3
[bodies.free]
shape = egg
position = 9.5, 9, 9.5 mm
motion = free
density = 1500
velocity = -4, -4, -6 mm/s
[bodies.light]
shape = ball
position = 16, 6, 8 mm
motion = free
density = 900
[time]
dt = 5 ms
end = 100
)";

constexpr const char* beads_of_all_kinds = R"(
[case]
driver = beads
[box]
size = 20, 20, 40 um
free = z
[fluid]
viscosity = 1 cP
density = 1000
[mobility]
tolerance = 1e-3
[beads]
radius = 1 um
density = 3000
[forces]
gravity = 0, 0, -9.81
[group.pushers]
shape = fibre
beads = 3
stretching = 1 uN/m
bending = 4e-25
swims = pusher
thrust = 0.5 pN
arrangement = random
orientation = random
low = 2, 2, 8 um
high = 18, 18, 24 um
count = 3
[group.pullers]
shape = fibre
beads = 2
stretching = 1 uN/m
swims = puller
thrust = 0.4 pN
reach = 1.5 um
position = 10, 10, 30 um
[group.balls]
arrangement = random
low = 0, 0, 5 um
high = 20, 20, 25 um
count = 20
force = 0.01, 0, 0 pN
[repulsion]
law = harmonic
range = 0.5 um
strength = 0.2 pN
[time]
dt = 0.2
end = 100
)";

constexpr const char* rigid_spheres = R"(
[case]
driver = beads
[box]
size = 30, 30, 30 um
[fluid]
viscosity = 1 cP
density = 1000
[mobility]
tolerance = 1e-3
[beads]
radius = 1.5 um
density = 3000
[forces]
gravity = 0, 0, -9.81
[group.squirmers]
shape = shell
shell_radius = 4 um
swims = squirmer
speed = 8 um/s
dipole = -1.5
arrangement = random
orientation = random
count = 2
[group.heavy]
shape = shell
shell_radius = 3.5 um
position = 15, 15, 15 um
force = 1, 0, 0 pN
[group.pusher]
shape = fibre
beads = 2
stretching = 1 uN/m
swims = pusher
thrust = 0.5 pN
arrangement = random
count = 1
[group.balls]
arrangement = random
count = 2
[repulsion]
law = harmonic
range = 0.5 um
strength = 0.2 pN
[time]
dt = 0.05
displacement = 0.3
end = 100
)";

constexpr std::int64_t most_cells = 8'000, most_vertices = 162, most_bodies = 8;

using Cells = std::array<std::int64_t, 3>;

Cells halved(Cells cells) {
  for (std::int64_t& n : cells) n = std::max<std::int64_t>(n / 2, 1);
  return cells;
}
std::int64_t product(const Cells& cells) { return cells[0] * cells[1] * cells[2]; }

std::string grid_of(const Cells& cells) {
  return "grid.cells=" + std::to_string(cells[0]) + "," + std::to_string(cells[1]) + "," + std::to_string(cells[2]);
}

/// What makes a shipped case of membranes small: cells halved, along with points.
std::vector<std::string> coarser(const run::Settings& s) {
  Cells cells = s.integers3("grid", "cells");
  const double spacing = s.reals3("grid", "size")[0] / static_cast<double>(cells[0]);
  while (product(cells) > most_cells) cells = halved(cells);
  std::vector<std::string> overrides{grid_of(cells)};
  for (const std::string& block : s.blocks("surface")) {
    if (s.given(block, "edge")) overrides.push_back(block + ".edge=");
    if (s.choice(block, "shape") != "file") overrides.push_back(block + ".vertices=" + std::to_string(most_vertices));
    if (s.given(block, "sites")) overrides.push_back(block + ".sites=" + std::to_string(3 * most_vertices));
  }
  for (const std::string& block : s.blocks("membranes")) {
    if (s.given(block, "volume_fraction")) overrides.push_back(block + ".volume_fraction=0.05");
    if (s.choice(block, "arrangement") == "random" && !s.given(block, "gap"))
      overrides.push_back(block + ".gap=" + run::brief(spacing));
  }
  return overrides;
}

/// What makes a shipped case of bodies small: cells halved twice at most, and few bodies.
std::vector<std::string> coarser_lattice(const run::Settings& s) {
  Cells cells = s.integers3("grid", "cells");
  for (int times = 0; times < 2 && product(cells) > 8 * most_cells; ++times) cells = halved(cells);
  std::vector<std::string> overrides{grid_of(cells)};
  for (const std::string& block : s.blocks("bodies"))
    if (s.given(block, "count") && s.integer(block, "count") > most_bodies) overrides.push_back(block + ".count=" + std::to_string(most_bodies));
  return overrides;
}

/// What makes a shipped bed small: eight times as many particles to a parcel, where there are many parcels; of many cells an
/// eighth, too, and again of parcels.
std::vector<std::string> fewer(const run::Settings& s) {
  constexpr std::int64_t many = 30'000;
  const Cells cells = s.integers3("grid", "cells");
  const bool coarse = product(cells) > most_cells;
  const std::int64_t share = coarse ? 64 : 8;
  std::vector<std::string> overrides;
  if (coarse) overrides.push_back(grid_of(halved(cells)));
  for (const std::string& block : s.blocks("seed")) {
    if (!s.given(block, "parcels") || !s.given(block, "particles_per_parcel") || s.integer(block, "parcels") < many) continue;
    overrides.push_back(block + ".parcels=" + std::to_string(s.integer(block, "parcels") / share));
    overrides.push_back(block + ".particles_per_parcel=" + run::brief(static_cast<double>(share) * s.real(block, "particles_per_parcel")));
  }
  return overrides;
}

Runs runs_of(app::Case c) {
  const double dt = c.settings.real("time", "dt");
  return {std::move(c), dt};
}

} // namespace

std::vector<std::filesystem::path> shipped_cases() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(CASES_DIRECTORY))
    if (std::filesystem::exists(entry.path() / "case.ini")) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> fewer_beads(const run::Settings& s) {
  std::vector<std::string> all{"mobility.tolerance=0.02"};
  for (const std::string& group : s.blocks("group")) {
    const std::int64_t most = s.choice(group, "shape") == "shell" ? most_bodies : 50;
    if (s.given(group, "count") && s.integer(group, "count") > most) all.push_back(group + ".count=" + std::to_string(most));
    if (s.given(group, "volume_fraction")) all.push_back(group + ".volume_fraction=0.002");
  }
  return all;
}

Runs shipped(const std::filesystem::path& directory, const std::vector<std::string>& overrides) {
  app::Case c = app::read_case(directory, overrides, drivers);
  std::vector<std::string> all = c.driver_kind->name == "membrane" ? coarser(c.settings)
                                 : c.driver_kind->name == "body"   ? coarser_lattice(c.settings)
                                 : c.driver_kind->name == "beads"  ? fewer_beads(c.settings)
                                                                   : fewer(c.settings);
  all.insert(all.end(), overrides.begin(), overrides.end());
  return runs_of(app::read_case(directory, all, drivers));
}

Runs busy_bed() { return runs_of(app::parse_case(bed, "busy", ".", {}, drivers)); }

Runs busy_membranes(const std::vector<std::string>& overrides) {
  return runs_of(app::parse_case(membranes, "busy", STATE_DIRECTORY, overrides, drivers));
}

Runs busy_bodies(const std::vector<std::string>& overrides) {
  return runs_of(app::parse_case(bodies, "busy", STATE_DIRECTORY, overrides, drivers));
}

Runs busy_beads(const std::vector<std::string>& overrides) {
  return runs_of(app::parse_case(beads_of_all_kinds, "busy", STATE_DIRECTORY, overrides, drivers));
}

Runs busy_shells(const std::vector<std::string>& overrides) {
  return runs_of(app::parse_case(rigid_spheres, "busy", STATE_DIRECTORY, overrides, drivers));
}

} // namespace corral::test
