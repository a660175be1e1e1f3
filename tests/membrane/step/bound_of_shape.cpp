#include "membrane/step/bound_of_shape.hpp"
#include "membrane/step/energy_guard.hpp"
#include "run/random.hpp"
#include "structure/surfaces/shapes.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/swing.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

constexpr std::int64_t cells_across = 16; // the box

/// Numbers of one combination, drawn one after the other.
class Draw {
public:
  explicit Draw(int combination) : combination_(static_cast<std::uint64_t>(combination)) {}
  double between(double low, double high) {
    return low + (high - low) * random_.uniform(run::Purpose::count, drawn_++, combination_);
  }
  double in_proportion(double low, double high) { return low * std::pow(high / low, between(0, 1)); }
  bool happens(double probability) { return between(0, 1) < probability; }
  template <class T, std::size_t n> T one_of(const std::array<T, n>& all) {
    return all[static_cast<std::size_t>(between(0, n))];
  }

private:
  run::Random random_{33};
  std::uint64_t combination_;
  std::int64_t drawn_ = 0;
};

/// A sphere or a red cell, at the start stretched by up to 1.9 along one axis at the volume that it had.
SurfaceModel random_surface(Draw& draw, double h) {
  SurfaceModel kind = stiff_sphere(std::llround(draw.in_proportion(42, 362)), draw.between(3, 3.8) * h);
  if (draw.happens(0.3)) kind.shape = ShapeKind::red_cell;
  Material& m = kind.material;
  m.shear_modulus = draw.in_proportion(1e-6, 2e-5);
  if (draw.happens(0.3)) m.law = ElasticLaw::neo_hookean;
  else m.area_ratio = draw.in_proportion(0.5, 200);
  if (draw.happens(0.5)) {
    m.bending_law = draw.happens(0.5) ? BendingLaw::helfrich : BendingLaw::dihedral;
    m.bending_modulus = draw.in_proportion(0.003, 0.3) * m.shear_modulus * h * h;
  }
  const double by = draw.between(1, 1.9), across = 1 / std::sqrt(by);
  kind.stretch = {across, across, across};
  kind.stretch[static_cast<std::size_t>(draw.between(0, 3))] = by;
  return kind;
}

/// In seven of ten of which the membrane is pulled, too.
MembraneSetup random_combination(int number) {
  Draw draw(number);
  const double h = draw.in_proportion(0.1, 0.6) * um, middle = 0.5 * cells_across * h;
  MembraneSetup setup = box_of_water({cells_across, cells_across, cells_across}, h);
  setup.time.dt = 1; // the longest, which no bound reaches
  setup.fluid.inertia = draw.happens(0.5);
  setup.fluid.mu = draw.in_proportion(5e-4, 5e-3);
  setup.coupling.kernel = draw.one_of(std::array<const char*, 7>{"linear", "roma3", "peskin4", "bspline4", "ib6", "composite32", "composite43"});
  setup.coupling.scheme = draw.happens(0.25) ? Coupling::predictor : Coupling::midpoint;
  SurfaceModel kind = random_surface(draw, h);
  const double pull = draw.between(0, 6) * kind.material.shear_modulus * kind.radius;
  std::array<double, 3> at{};
  for (double& x : at) x = middle + draw.between(-0.5, 0.5) * h;
  put(setup, std::move(kind), at);
  if (draw.happens(0.7)) setup.pulls.push_back({.name = "ends", .group = 0, .axis = number % 3, .force = pull, .share = 0.1});
  return setup;
}

std::string described(const MembraneSetup& setup) {
  const SurfaceModel& kind = setup.surfaces[0];
  const Material& m = kind.material;
  const double h = setup.size[0] / cells_across, G = m.shear_modulus;
  const double apart = std::sqrt(8 * std::numbers::pi / (std::sqrt(3.0) * static_cast<double>(marker_count(kind) - 2))) * kind.radius / h;
  std::ostringstream text;
  text.precision(2);
  text << (kind.shape == ShapeKind::sphere ? "sphere" : "red cell") << " | ";
  if (m.law == ElasticLaw::skalak) text << "skalak, C = " << m.area_ratio;
  else text << "neo-Hookean";
  text << " | ";
  if (m.bending_law != BendingLaw::none)
    text << (m.bending_law == BendingLaw::helfrich ? "helfrich " : "dihedral ") << m.bending_modulus / (G * h * h);
  text << " | " << *std::max_element(kind.stretch.begin(), kind.stretch.end()) << " | "
       << (setup.pulls.empty() ? 0 : setup.pulls[0].force / (G * kind.radius)) << " | " << setup.coupling.kernel << " | "
       << apart << " | " << (setup.fluid.inertia ? "inertia" : "Stokes") << ", "
       << (setup.coupling.scheme == Coupling::midpoint ? "midpoint" : "predictor");
  return text.str();
}

/// A run that keeps its bounds and its books of energy.
struct WatchedRun : MembraneRun {
  StepBounds material;
  BoundOfShape shape;
  EnergyGuard guard;

  explicit WatchedRun(const MembraneSetup& given)
      : MembraneRun(given), material(setup), shape(setup, registry), guard(setup, registry) {
    guard.start(step.energy_moment());
  }
  double bound(bool of_shape_alone) {
    const std::vector<Deformation> now = step.deformations();
    return shape.shorter(of_shape_alone ? StableStep{} : material.at(now), now, [this] { return step.stiffest(); }).dt;
  }
  /// Throws Error where energy is made.
  void watch(double dt, int steps) {
    for (int i = 0; i < steps; ++i) {
      advance(dt);
      guard.shorter({}, step.energy_moment(), time, dt);
    }
  }
  /// As a driver does.
  void settle(int steps = 300) {
    advance(0.5 * bound(false));
    guard.first(step.energy_moment());
    for (int i = 1; i < steps; ++i) watch(0.5 * bound(false), 1);
  }
};

/// Whether steps of so many times the bound make the shortest waves grow, of a shape that has settled and is shaken.
bool grows(const MembraneSetup& setup, double times, bool of_shape_alone) {
  WatchedRun run(setup);
  run.settle();
  shake(run, 1e-3 * setup.size[0] / cells_across);
  const double dt = times * run.bound(of_shape_alone);
  try {
    const Swing before(run, dt);
    run.guard.start(run.step.energy_moment()); // shaking gave some
    run.watch(dt, 100);
    return Swing(run, dt).to_and_fro > 1.3 * before.to_and_fro;
  } catch (const Error&) {
    return true; // energy was made, or the membrane has torn or left the box
  }
}

} // namespace

TEST_CASE("Some random membranes are calm just below the bound, and blow up at twice its length", "[physics]") {
  for (const int number : sanitized ? std::vector<int>{16} : std::vector<int>{12, 16, 27}) {
    const MembraneSetup setup = random_combination(number);
    INFO(described(setup));
    CHECK_FALSE(grows(setup, 0.98, false));
    CHECK_FALSE(grows(setup, 0.98, true));
    CHECK(grows(setup, 2, false));
  }
}

TEST_CASE("So are those with five times the viscosity inside, or a fifth, in Stokes flow", "[physics]") {
  if (sanitized) return;
  for (const double ratio : {5., 0.2}) {
    MembraneSetup setup = random_combination(16);
    setup.fluid.inertia = false;
    setup.surfaces.back().viscosity_ratio = ratio;
    INFO(described(setup) << ", ratio " << ratio);
    CHECK_FALSE(grows(setup, 0.98, false));
    CHECK_FALSE(grows(setup, 0.98, true));
    CHECK(grows(setup, 2, true));
  }
}

TEST_CASE("What the first step loses and the second gains back is not energy out of nothing") {
  for (const int number : {2, 22}) { // with inertia and `predictor`
    const MembraneSetup setup = random_combination(number);
    WatchedRun run(setup);
    INFO(described(setup));
    CHECK_NOTHROW(run.settle(10));
  }
}

TEST_CASE("forty random membranes", "[.][long]") {
  int calm = 0, unstable = 0, unstable_of_shape = 0;
  std::printf("| | shape | law | kappa/(G h2) | stretched | F/(G R) | kernel | points [h] | step | bound [us] | of the shape [us] "
              "| .98 | 2 | 2 of the shape |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const auto word = [](bool grown) { return grown ? "blows up" : "calm"; };
  for (int number = 0; number < 40; ++number) {
    const MembraneSetup setup = random_combination(number);
    WatchedRun settled(setup);
    settled.settle();
    const double both = settled.bound(false), of_shape = settled.bound(true);
    const bool below = grows(setup, 0.98, false), below_of_shape = grows(setup, 0.98, true);
    const bool beyond = grows(setup, 2, false), beyond_of_shape = grows(setup, 2, true);
    std::printf("| %d | %s | %.3g | %.3g | %s | %s | %s |\n", number, described(setup).c_str(), both / us, of_shape / us,
                word(below || below_of_shape), word(beyond), word(beyond_of_shape));
    std::fflush(stdout);
    INFO(number << ": " << described(setup));
    CHECK_FALSE(below);
    CHECK_FALSE(below_of_shape);
    calm += !below && !below_of_shape, unstable += beyond, unstable_of_shape += beyond_of_shape;
  }
  std::printf("%d of 40 are calm at .98 of either bound, %d blow up at twice the bound, %d at twice that of the shape\n", calm,
              unstable, unstable_of_shape);
  CHECK(unstable > 18);
  CHECK(unstable_of_shape > 35);
}

TEST_CASE("The largest eigenvalue of a tridiagonal matrix, and what leads out of it") {
  const TopOfTridiagonal one = top_of_tridiagonal({3}, {0.5});
  CHECK(one.value == Approx(3));
  CHECK(one.error == Approx(0.5));
  const TopOfTridiagonal two = top_of_tridiagonal({1, 1}, {2, 0.1}); // 3 and -1, along (1, 1) and (1, -1)
  CHECK(two.value == Approx(3));
  CHECK(two.error == Approx(0.1 / std::sqrt(2)));
  // -1 beside 2 on the diagonal: 2 - 2 cos(pi j/(n + 1)).
  const TopOfTridiagonal many = top_of_tridiagonal(std::vector<double>(9, 2), std::vector<double>(9, -1));
  CHECK(many.value == Approx(2 + 2 * std::cos(std::numbers::pi / 10)));
  CHECK(many.error == Approx(std::sqrt(2.0 / 10) * std::sin(std::numbers::pi / 10)));
}

TEST_CASE("A look at the stiffest motion finds the same however often, and leaves forces, places and books alone") {
  MembraneSetup setup = random_combination(12);
  put(setup, stiff_sphere(42, 1.2 * setup.size[0] / cells_across), {0, 0, 0});
  setup.coupling.repulsion_range = 2 * setup.size[0] / cells_across;
  setup.coupling.repulsion_stiffness = 1e-6;
  MembraneRun run(setup), other(setup);
  run.advance(1e-6, 3), other.advance(1e-6, 3);
  const auto& p = run.step.populations().front();
  const std::vector<double> forces(p.forces()[0], p.forces()[0] + p.points());
  const double first = run.step.stiffest(), energy = run.step.energy();
  CHECK(first > 0);
  CHECK(run.step.stiffest() == first);
  CHECK(run.step.energy() == other.step.energy());
  CHECK(run.step.energy() == energy);
  CHECK(std::equal(forces.begin(), forces.end(), p.forces()[0]));
  run.advance(1e-6, 2), other.advance(1e-6, 2);
  CHECK(std::equal(p.at()[0], p.at()[0] + p.points(), other.step.populations().front().at()[0]));
  CHECK(run.residual() == other.residual());
}

TEST_CASE("Looks are taken at first, where the last one would hold steps back, and after 500 steps") {
  MembraneSetup setup = random_combination(12);
  setup.fluid.inertia = false, setup.coupling.scheme = Coupling::midpoint;
  run::Registry registry(setup.make_grid());
  BoundOfShape shape(setup, registry);
  int looks = 0;
  double rate = 0.9 / 10e-6;
  const auto step = [&](double stretch, double by_material) {
    return shape.shorter({by_material, "the material"}, std::vector<Deformation>{{.stretch = stretch}}, [&] { return ++looks, rate; });
  };
  CHECK(step(1, 8e-6).cause == "the material");
  CHECK(looks == 1);
  for (int i = 0; i < 30; ++i) step(1.03, 8e-6); // 1.03^6 = 1.19
  CHECK(looks == 1);
  rate *= 2;
  CHECK(step(1.05, 8e-6).dt == Approx(5e-6)); // 1.05^6 = 1.34
  CHECK(looks == 2);
  CHECK_THAT(step(1.05, 8e-6).cause, Catch::Matchers::ContainsSubstring("stiffest motion"));
  for (double stretch = 1.1; looks < 10 && stretch < 2; stretch *= 1.03) CHECK(step(stretch, 8e-6).dt == Approx(5e-6));
  for (int i = 0; looks == 10 && i < 3; ++i) step(2 + i, 8e-6);
  const int taken = looks; // ten in turn, and what thirty steps had saved up
  CHECK(step(10, 8e-6).dt < 4e-6);
  CHECK(looks == taken);
  for (int i = 0; i < 40; ++i) step(10, 8e-6);
  CHECK(looks == taken + 1);
  rate /= 4;
  for (int i = 0; i < 501; ++i) step(10, 4e-6);
  CHECK(looks == taken + 2);
  CHECK(step(10, 4e-6).dt == 4e-6);
}

} // namespace corral::test
