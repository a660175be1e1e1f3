// corral in LAMMPS: the atoms of a running simulation, mapped where they lie. LAMMPS is under GPL-2.0, and so is a
// program that links it; this example is built only where it is found.
#include <corral/corral.hpp>

#include <lammps/library.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace corral;

/// Spheres of different sizes that fall onto the floor of a box of 0.1 x 0.1 x 0.2 m. [SI]
constexpr const char* falling_spheres = R"(
  units si
  atom_style sphere
  boundary p p f
  newton off
  comm_modify vel yes
  lattice sc 0.01
  region box block 0 10 0 10 0 20
  create_box 1 box
  region inside block 0 9.9 0 9.9 0.5 19
  create_atoms 1 region inside
  variable diameter atom 0.006+0.003*random(0,1,4711)
  set group all diameter v_diameter density 2500
  velocity all set 0.02 0 -0.1
  pair_style gran/hooke/history 2000 NULL 50 NULL 0.5 0
  pair_coeff * *
  fix motion all nve/sphere
  fix weight all gravity 9.81 vector 0 0 -1
  fix sides all wall/gran hooke/history 2000 NULL 50 NULL 0.5 0 zplane 0 0.2
  timestep 2e-5
)";

void run(void* lammps, const char* commands) {
  lammps_commands_string(lammps, commands);
  char message[512];
  if (lammps_has_error(lammps) == 0) return;
  lammps_get_last_error_message(lammps, message, sizeof message);
  std::fprintf(stderr, "LAMMPS: %s\n", message);
  std::exit(1);
}

/// What LAMMPS owns, seen where it lies. It may move its memory in any step: views are good until the next run.
struct Atoms {
  Positions<double> x;              ///< [m], interleaved
  std::array<Column<double>, 3> v;  ///< [m/s], interleaved
  Column<double> mass;              ///< [kg]

  explicit Atoms(void* lammps) {
    const std::int64_t n = lammps_extract_setting(lammps, "nlocal");
    const auto rows = [&](const char* name) { return *static_cast<double**>(lammps_extract_atom(lammps, name)); };
    x = positions<double>(rows("x"), n);
    for (int d = 0; d < 3; ++d) v[d] = {rows("v") + d, n, 3};
    mass = {static_cast<double*>(lammps_extract_atom(lammps, "rmass")), n};
  }
};

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

} // namespace

int main() {
  char name[] = "lammps", option[][8] = {"-screen", "none", "-log", "none"};
  char* arguments[] = {name, option[0], option[1], option[2], option[3]};
  void* lammps = lammps_open_no_mpi(5, arguments, nullptr);
  run(lammps, falling_spheres);

  // LAMMPS's box as a grid; the order and the fields live as long as the simulation.
  const Axis across{10, 0.0, 0.01, Boundary::periodic, Boundary::periodic};
  const Axis up{20, 0.0, 0.01, Boundary::wall, Boundary::wall};
  const Grid grid({across, across, up});
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half});
  std::vector<double> mass(grid.points(Staggering::centre)), momentum(grid.points(Staggering::face_z)),
      speed(grid.points(Staggering::face_z)), of_atoms;

  bool good = true;
  for (int frame = 0; frame < 4; ++frame) {
    run(lammps, "run 500 post no");
    const Atoms atoms(lammps);
    const std::int64_t n = atoms.x.size();

    // Momentum is what LAMMPS does not store: a column of this program.
    of_atoms.resize(n);
    double total_mass = 0, total_momentum = 0, total_speed = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      of_atoms[i] = atoms.mass[i] * atoms.v[2][i];
      total_mass += atoms.mass[i];
      total_momentum += of_atoms[i];
      total_speed += atoms.v[2][i];
    }

    for (auto* field : {&mass, &momentum, &speed}) std::fill(field->begin(), field->end(), 0.0);
    const SortCounts counts = order.sort(Cpu{}, atoms.x);
    spread(Cpu{}, order, kernels::Linear{},
           {{atoms.mass, field_view(grid, mass.data(), Staggering::centre)},
            {{of_atoms.data(), n}, field_view(grid, momentum.data(), Staggering::face_z)},
            {atoms.v[2], field_view(grid, speed.data(), Staggering::face_z)}});

    std::printf("%lld atoms, %.6g kg, %.6g kg m/s upwards, %.6g m/s on average\n",
                static_cast<long long>(counts.inside), sum_of(mass), sum_of(momentum), sum_of(speed) / double(n));
    good = good && counts.inside == n && n > 1000 && total_momentum < 0 &&
           std::abs(sum_of(mass) - total_mass) < 1e-12 * total_mass &&
           std::abs(sum_of(momentum) - total_momentum) < 1e-12 * total_mass &&
           std::abs(sum_of(speed) - total_speed) < 1e-12 * double(n);
  }
  lammps_close(lammps);
  return good ? 0 : 1;
}
