#include "membrane/output/profile.hpp"
#include "structure/markers/inside.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

constexpr double h = um, a = 5 * h;

/// Spheres in a box of 20 x 24 x 16 cells, and what they enclose of it.
struct Spheres {
  MembraneRun run;
  std::vector<double> inside;

  Spheres(bool walls, bool radial, const std::vector<std::array<double, 3>>& places, const std::string& kernel)
      : run(box(walls, radial, places)) {
    const Grid& grid = run.domain.grid();
    inside.resize(static_cast<std::size_t>(grid.cells()), -1.0);
    std::vector<structure::SurfacesOnHost> surfaces;
    for (const auto& p : run.step.populations()) surfaces.push_back(p.surfaces_on_host(p.at(), p.triangles().data()));
    Inside(run.domain, kernel, Method::automatic).find(Cpu{}, surfaces, run.step.measures(), inside.data());
  }
  static MembraneSetup box(bool walls, bool radial, const std::vector<std::array<double, 3>>& places) {
    MembraneSetup setup = box_of_water({20, 24, 16}, h, walls);
    const SurfaceModel kind = stiff_sphere(642, a);
    for (const auto& at : places) put(setup, radial ? by_radial_functions(kind, 400, 800) : kind, at);
    return setup;
  }
  double volume() const {
    double sum = 0;
    for (const MembraneMeasures& m : run.step.measures()) sum += m.volume;
    return sum;
  }
  double at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return inside[static_cast<std::size_t>(i + 20 * (j + 24 * k))];
  }
};

} // namespace

TEST_CASE("The field of what membranes enclose is 1 inside, 0 outside, and has their volume") {
  const bool walls = GENERATE(false, true), radial = GENERATE(false, true);
  const std::string kernel = GENERATE("composite43", "peskin4");
  // Through the ends along x and z, where a periodic box goes on.
  const Spheres s(walls, radial, {{18.5 * h, 12.2 * h, 15.1 * h}}, kernel);
  double sum = 0, inner = 1, outer = 0;
  for (std::int64_t k = 0; k < 16; ++k)
    for (std::int64_t j = 0; j < 24; ++j)
      for (std::int64_t i = 0; i < 20; ++i) {
        const double value = s.at(i, j, k);
        sum += value * h * h * h;
        const double dx = std::remainder((double(i) + 0.5) * h - 18.5 * h, 20 * h), dy = (double(j) + 0.5) * h - 12.2 * h,
                     dz = std::remainder((double(k) + 0.5) * h - 15.1 * h, 16 * h), away = std::hypot(dx, dy, dz);
        if (away < a - 3 * h) inner = std::min(inner, value);
        if (away > a + 3 * h) outer = std::max(outer, std::abs(value));
      }
  CHECK(sum == Approx(s.volume()).epsilon(1e-9));
  CHECK(inner == Approx(1).margin(0.02));
  CHECK(outer < 0.02);
}

TEST_CASE("A profile has each layer's share of what two spheres enclose, and the fluid's mean velocity") {
  MembraneSetup setup = Spheres::box(true, false, {{5.4 * h, 7 * h, 8 * h}, {15.5 * h, 15 * h, 8 * h}});
  setup.fluid.inertia = false;
  shear(setup, 100);
  MembraneRun run(setup);
  Profile<Cpu> profile(run.setup, run.domain, run.registry);
  profile.update(run.step);
  const run::Rows rows = profile.rows(run.step);
  REQUIRE(rows.size() == 24);
  for (const std::vector<double>& row : rows) {
    REQUIRE(row.size() == profile_columns().size());
    double share = 0; // of a sphere, through whose layer a disc goes
    for (const double centre : {7 * h, 15 * h})
      share += std::numbers::pi * std::max(0.0, a * a - h * h / 12 - std::pow(row[0] - centre, 2)) / (20 * h * 16 * h);
    CHECK(row[1] == Approx(share).margin(0.02));
    CHECK(row[4] == Approx(100 * (row[0] - 12 * h)).margin(1e-9));
    CHECK(row[2] == Approx(0).margin(1e-12));
  }
}

} // namespace corral::test
