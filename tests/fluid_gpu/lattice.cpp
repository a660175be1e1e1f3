#include "fluid/lattice/device/flow.hpp"
#include "tests/fluid/lattice/mixed_boxes.hpp"
#include "tests/mppic_gpu/padding.cuh"

#include <algorithm>
#include <span>

/// The lattice on a device beside that of the host, in boxes of all kinds of sides.
namespace corral::test {
namespace {

using fluid::DeviceLatticeFlow;

CellVectors on_device(const CellVectors& v) {
  CellVectors to{Array<double>(Memory::device), Array<double>(Memory::device), Array<double>(Memory::device)};
  for (std::size_t d = 0; d < 3; ++d) to[d] = v[d];
  return to;
}
CellVectors on_host(const CellVectors& v) {
  CellVectors to;
  for (std::size_t d = 0; d < 3; ++d) to[d] = v[d];
  return to;
}
double apart(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d) most = std::max(most, std::abs(a[d] - b[d]));
  return std::isnan(a[0] + b[0]) ? NAN : most;
}

/// The same flow on either, and what is seen of both.
struct Both {
  const Mixed& box;
  LatticeFlow host;
  DeviceLatticeFlow device;
  CellVectors force, device_force, seen_by_host, seen_by_device; ///< in the last step

  Both(const Mixed& m, const LatticeProperties& p)
      : box(m), host(m.domain, p), device(m.domain, p), force(m.force), device_force(on_device(m.force)),
        seen_by_host(fluid::make_cell_arrays(m.domain.grid())), seen_by_device(on_device(seen_by_host)) {
    host.start(Cpu{}, seen(m.start));
    device.start(seen(m.start));
  }

  void step(int steps) {
    for (int s = 0; s < steps; ++s) {
      host.step(Cpu{}, seen(force), written(seen_by_host));
      device.step(Gpu{}, seen(device_force), written(seen_by_device));
    }
  }

  void check_same(double tolerance) {
    const auto cells = static_cast<double>(box.domain.grid().cells());
    CHECK(device.steps() == host.steps());
    CHECK(largest_apart(on_host(seen_by_device), seen_by_host) <= tolerance);
    CHECK(apart(device.fastest(Gpu{}), host.fastest()) <= tolerance);
    CHECK(std::abs(device.excess_mass(Gpu{}) - host.excess_mass(Cpu{})) <= tolerance);
    CHECK(apart(device.momentum(Gpu{}), host.momentum(Cpu{})) <= cells * tolerance);
    CHECK(apart(device.force_of_sides(Gpu{}), host.force_of_sides(Cpu{})) <= cells * tolerance);
    CellVectors u = fluid::make_cell_arrays(box.domain.grid()), v = on_device(u);
    Array<double> p(u[0].size(), 0.0), pressure(p.span(), Memory::device);
    host.find(Cpu{}, seen(force), written(u), p.data());
    device.find(Gpu{}, seen(device_force), written(v), pressure.data());
    CHECK(largest_apart(on_host(v), u) <= tolerance);
    const std::vector<double> found = pressure.values();
    CHECK(std::equal(found.begin(), found.end(), p.begin(), [=](double a, double b) { return std::abs(a - b) <= tolerance; }));
  }
};

/// What a number of the lattice may be off by after some steps: populations are some tenths, and twice as many floats as
/// doubles are rounded where sides move.
double round_off(Precision precision) { return precision == Precision::doubles ? 1e-15 : precision == Precision::floats ? 1e-15 : 3e-8; }

struct Rule {
  Collision collision;
  double smagorinsky;
};
constexpr std::array rules{Rule{Collision::bgk, 0}, Rule{Collision::trt, 0}, Rule{Collision::trt, 0.15}, Rule{Collision::regularised, 0.1}};

TEST_CASE("a lattice flows on a device as on the host, in any box") {
  const PaddingHoldsAnything padding;
  for_each_box([](VelocitySet set, const Mixed& box) {
    for (const Rule& rule : rules)
      for (const Precision precision : {Precision::doubles, Precision::floats, Precision::floats_in_double})
        for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
          INFO(name(rule.collision) << ", smagorinsky " << rule.smagorinsky << ", " << name(precision) << ", " << name(scheme));
          LatticeProperties p = of_tau(0.6, set, rule.collision);
          p.smagorinsky = rule.smagorinsky;
          p.precision = precision;
          p.scheme = scheme;
          p.body_force = {1e-5, 2e-5, 0};
          Both both(box, p);
          for (const int steps : {11, 1}) {
            both.step(steps);
            both.check_same(round_off(precision));
          }
        }
  });
}

} // namespace
} // namespace corral::test
