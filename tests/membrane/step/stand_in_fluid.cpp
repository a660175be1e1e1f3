#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/tolerance.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using namespace corral;
using namespace corral::test;

namespace {

/// A fluid of another kind, in the middles of cells: it moves at one velocity, whatever pushes it.
class Stream final : public structure::Fluid<Cpu> {
public:
  Stream(const Grid& grid, const std::array<double, 3>& velocity) : grid_(grid), speed_(velocity) {
    for (std::size_t d = 0; d < 3; ++d) {
      velocity_[d].assign(static_cast<std::size_t>(grid.cells()), velocity[d]);
      force_[d].resize(static_cast<std::size_t>(grid.cells()));
    }
  }

  std::array<Staggering, 3> staggering() const override {
    return {Staggering::centre, Staggering::centre, Staggering::centre};
  }
  void start() override {}
  void restored() override {}
  structure::VectorField begin_forces(Cpu) override {
    for (std::vector<double>& f : force_) std::fill(f.begin(), f.end(), 0.0);
    return {force_[0].data(), force_[1].data(), force_[2].data()};
  }
  structure::ConstVectorField forces() const override { return {force_[0].data(), force_[1].data(), force_[2].data()}; }
  void step(Cpu, double) override { ++steps; }
  void respond(Cpu, const structure::VectorField& field) override {
    for (double* component : field) std::fill_n(component, grid_.cells(), 0.0);
  }
  structure::ConstVectorField velocity() const override {
    return {velocity_[0].data(), velocity_[1].data(), velocity_[2].data()};
  }
  structure::ConstVectorField velocity_midway() const override { return velocity(); }
  Fastest fastest() const override { return {.speed = std::abs(speed_[0]), .rate = 0}; }
  double kinetic_energy() const override { return 0; }
  std::array<double, 3> momentum() const override { return {}; }
  Powers powers() const override { return {}; }

  /// Sums of component d of the forces [N], and of where it acts along that axis times it [N m].
  struct Total {
    double force = 0, moment = 0;
  };
  Total total(std::size_t d) const {
    const Axis& axis = grid_.axis(static_cast<int>(d));
    const std::array<std::int64_t, 3> n{grid_.axis(0).cells, grid_.axis(1).cells, grid_.axis(2).cells};
    Total all;
    for (std::int64_t c = 0; c < grid_.cells(); ++c) {
      const std::array<std::int64_t, 3> at{c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
      const double force = force_[d][c] * grid_.cell_volume();
      all.force += force;
      all.moment += force * (axis.origin + (static_cast<double>(at[d]) + 0.5) * axis.spacing);
    }
    return all;
  }
  int steps = 0;

private:
  Grid grid_;
  std::array<double, 3> speed_;
  std::array<std::vector<double>, 3> velocity_, force_;
};

} // namespace

TEST_CASE("a fluid behind the interface, whose velocities lie in cells, carries membranes and takes their forces") {
  membrane::MembraneSetup setup = box_of_water({16, 16, 16}, um);
  structure::SurfaceModel kind = stiff_sphere(642);
  kind.material.tether_stiffness = 1e6;
  put_in_the_middle(setup, kind);
  setup.places = structure::place(setup);
  const fluid::Domain domain = setup.make_domain();
  run::Registry registry(domain.grid());
  run::Phases phases;
  const std::array<double, 3> velocity{0.01, -0.004, 0.002};
  auto owned = std::make_unique<Stream>(domain.grid(), velocity);
  Stream& stream = *owned;
  membrane::MembraneStep<Cpu> step(Cpu{}, setup, domain, std::move(owned), registry, phases);
  step.start();
  const structure::MembraneMeasures before = step.measures()[0];

  constexpr int steps = 5;
  constexpr double dt = 1 * us, midway = (steps - 0.5) * dt; // since the start, where the last forces act
  for (int i = 0; i < steps; ++i) step.advance(i * dt, dt);

  CHECK(stream.steps == steps);
  const structure::MembraneMeasures& after = step.measures()[0];
  CHECK(std::abs(after.volume - before.volume) <= round_off(10 * 642) * before.volume);
  for (std::size_t d = 0; d < 3; ++d) {
    INFO("along " << "xyz"[d]);
    const double moved = after.centroid[d] - before.centroid[d];
    CHECK(std::abs(moved - steps * dt * velocity[d]) <= round_off(10 * 642) * 16 * um);
    // Tethers pull the whole surface back: as much as k per area times its shift, and the fluid takes all of it.
    const double pulled = -kind.material.tether_stiffness * before.area * midway * velocity[d];
    const double least = 1e-9 * std::abs(pulled), midst = before.centroid[d] + midway * velocity[d];
    const Stream::Total taken = stream.total(d);
    CHECK(std::abs(taken.force - pulled) <= least);
    CHECK(std::abs(taken.force - step.net_force()[d]) <= least);
    CHECK(std::abs(taken.moment - pulled * midst) <= least * 16 * um); // the forces act in cells, not on faces
  }
}
