#include "membrane/step/stable_step.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/stiff_cases.hpp"
#include "tests/sanitized.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// A row of the table of docs/membranes.md, by what makes a membrane stiff.
struct BoundRow {
  const char* name;
  std::function<void(Material&)> material;
  double radius = 6; ///< [cells]
  bool repels = false;
};

std::vector<BoundRow> table_of_bounds() {
  return {{"modulus, C = 1", [](Material& m) { m.area_ratio = 1; }},
          {"modulus, C = 100", [](Material& m) { m.area_ratio = 100; }},
          {"modulus, neo-Hookean", [](Material& m) { m.law = ElasticLaw::neo_hookean; }},
          {"tension", [](Material& m) { m.shear_modulus = 0, m.tension = 2.5e-4; }},
          {"helfrich", [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::helfrich; }},
          {"dihedral", [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::dihedral; }},
          {"tethers", [](Material& m) { m.shear_modulus = 0, m.tether_stiffness = 1e12; }, 4},
          {"area", [](Material& m) { m.shear_modulus = 0, m.area_stiffness = 5e-4; }},
          {"volume", [](Material& m) { m.shear_modulus = 0, m.volume_stiffness = 1e6; }},
          {"repulsion", [](Material& m) { m.area_ratio = 1e-3, m.shear_modulus = 1e-12; }, 6, true}};
}

/// Where a row is tried.
struct Surroundings {
  std::string kernel = "composite43";
  double apart = 0.5; ///< [cells]
  bool inertia = false;
  std::optional<double> viscosity_ratio{};
  Nodes nodes = Nodes::icosphere;
  double h = 0.25 * um;
  bool lattice = false;
};

MembraneSetup made(const BoundRow& row, const Surroundings& in) {
  const auto kind_of = [&](double radius) {
    SurfaceModel kind = soft(in.h, radius, row.material);
    kind.viscosity_ratio = in.viscosity_ratio;
    kind.nodes = in.nodes;
    return kind;
  };
  MembraneSetup setup = in_box(kind_of(row.radius), in.h, in.inertia, in.apart);
  setup.coupling.kernel = in.kernel;
  if (in.lattice) on_lattice(setup, 1e-8);
  if (!row.repels) return setup;
  put(setup, with_spacing(kind_of(row.radius - 1), in.h, in.apart), setup.groups[0].position);
  setup.coupling.repulsion_range = 1.5 * in.h;
  setup.coupling.repulsion_stiffness = 3e-4;
  return setup;
}

/// The longest step that the stiffest motion allows (docs/membranes.md, "The bound of the shape"), over the bound.
double allowed_over_bound(const MembraneSetup& setup) {
  MembraneRun run(setup);
  const double stiffest = run.step.stiffest();
  return (setup.fluid.inertia ? 2 / std::sqrt(stiffest) : 1 / stiffest) / StepBounds(setup).at_start().dt;
}

} // namespace

TEST_CASE("Nowhere in the table does a bound allow more than the stiffest motion does") {
  const std::vector<BoundRow> all = table_of_bounds();
  for (const BoundRow& row : sanitized ? std::vector<BoundRow>(all.begin() + 3, all.begin() + 5) : all)
    for (const bool inertia : {false, true})
      for (const char* kernel : {"composite43", "linear"})
        for (const double apart : {0.5, 1.0}) {
          INFO(row.name << ", " << kernel << ", " << apart << " h apart, " << (inertia ? "inertia" : "Stokes"));
          CHECK(allowed_over_bound(made(row, {kernel, apart, inertia, {}, Nodes::spiral})) >= 1);
        }
}

TEST_CASE("The bound of a tense red cell in Stokes flow leaves a fifth, and no more than a factor of 2.5") {
  SurfaceModel cell = red_cell(1, 0);
  cell.material.law = ElasticLaw::none, cell.material.shear_modulus = 0, cell.material.tension = 2.5e-4;
  const double h = 0.5 * um;
  for (const char* kernel : {"composite43", "linear"})
    for (const std::optional<double> ratio : {std::optional<double>{}, std::optional{0.2}, std::optional{5.0}}) {
      if (sanitized && ratio) continue;
      cell.viscosity_ratio = ratio;
      MembraneSetup setup = in_box(cell, h, false, 0.5);
      setup.coupling.kernel = kernel;
      INFO(kernel << ", ratio " << ratio.value_or(1));
      const double allowed = allowed_over_bound(setup);
      CHECK(allowed >= 1.15);
      CHECK(allowed <= 2.5);
    }
}

TEST_CASE("what the stiffest motion allows, over the bounds of the table", "[.][long]") {
  std::vector<std::string> kernels;
  kernels::for_each_shipped([&]<class K>(const K& k) {
    if constexpr (!requires { k.beta(); }) kernels.emplace_back(K::name);
  });
  for (const BoundRow& row : table_of_bounds())
    for (const std::string fluid : {"Stokes", "inertia", "lattice"})
      for (const std::string& kernel : kernels) {
        std::printf("%-20s %-7s %-16s", row.name, fluid.c_str(), kernel.c_str());
        for (const double apart : {0.5, 0.7, 1.0}) { // of vertices [h]
          Surroundings in{kernel, apart, fluid == "inertia"};
          in.lattice = fluid == "lattice";
          const double ratio = allowed_over_bound(made(row, in));
          std::printf(" %6.2f", ratio);
          INFO(row.name << ", " << kernel << ", " << apart << " h apart, " << fluid);
          CHECK(ratio >= 1);
        }
        std::printf("\n");
        std::fflush(stdout);
      }
}

TEST_CASE("what the stiffest motion allows with another viscosity inside, meshes and shapes", "[.][long]") {
  const auto tell = [](const std::string& what, const MembraneSetup& setup) {
    const double ratio = allowed_over_bound(setup);
    std::printf("%-60s %6.2f\n", what.c_str(), ratio);
    std::fflush(stdout);
    INFO(what);
    CHECK(ratio >= 1);
  };
  for (const BoundRow& row : table_of_bounds())
    for (const char* kernel : {"composite43", "linear"})
      for (const double apart : {0.5, 1.0}) {
        const std::string name = std::string(row.name) + ", " + kernel + ", " + std::to_string(apart).substr(0, 3) + " h";
        for (const double ratio : {0.2, 1.0, 5.0, 20.0})
          tell(name + ", Stokes, ratio " + std::to_string(ratio).substr(0, 4), made(row, {kernel, apart, false, ratio}));
        for (const bool inertia : {false, true}) {
          const std::string fluid = inertia ? ", inertia" : ", Stokes";
          tell(name + fluid + ", spiral", made(row, {kernel, apart, inertia, {}, Nodes::spiral}));
          if (row.repels) continue;
          BoundRow smaller = row;
          smaller.radius = 3;
          tell(name + fluid + ", three cells to a radius", made(smaller, {kernel, apart, inertia}));
          SurfaceModel cell = red_cell(1, 0);
          row.material(cell.material);
          if (cell.material.shear_modulus == 0) cell.material.law = ElasticLaw::none;
          MembraneSetup setup = in_box(cell, 0.5 * um, inertia, apart);
          setup.coupling.kernel = kernel;
          tell(name + fluid + ", red cell", setup);
        }
      }
}

} // namespace corral::test
