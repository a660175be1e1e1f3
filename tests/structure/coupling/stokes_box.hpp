#pragma once

#include "fluid/incompressible/flow.hpp"
#include "structure/markers/marker_maps.hpp"

#include <corral/cell_order.hpp>
#include <corral/kernels/shipped.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {

/// Points with a vector each.
struct PointForces {
  std::array<std::vector<double>, 3> x, force, velocity;

  void add(const std::array<double, 3>& at, const std::array<double, 3>& f) {
    for (std::size_t d = 0; d < 3; ++d) {
      x[d].push_back(at[d]);
      force[d].push_back(f[d]);
      velocity[d].push_back(0);
    }
  }
  std::int64_t size() const { return static_cast<std::int64_t>(x[0].size()); }
};

inline structure::ConstPoints pointers_to(const std::array<std::vector<double>, 3>& v) {
  return {v[0].data(), v[1].data(), v[2].data()};
}
inline structure::Points pointers_to(std::array<std::vector<double>, 3>& v) {
  return {v[0].data(), v[1].data(), v[2].data()};
}

/// Stokes flow in a periodic box of unit cells and viscosity 1 under forces of points, which are balanced.
struct StokesBox {
  fluid::Domain domain;
  fluid::IncompressibleFlow flow;
  fluid::FaceArrays u, f;
  Array<double> p;
  CellOrder<double> order;

  explicit StokesBox(std::int64_t n)
      : domain(make(n)), flow(domain, {.viscosity = 1,
                                       .inertia = fluid::Inertia::none,
                                       .mean_force = fluid::MeanForce::balanced}),
        u(fluid::make_face_arrays(domain.grid())), f(u), p(domain.grid().cells()), order(domain.grid()) {}

  void spread(const PointForces& points, const std::string& kernel) {
    for (Array<double>& component : f) component.zero();
    order.sort(Cpu{}, positions(points.x[0].data(), points.x[1].data(), points.x[2].data(), points.size()));
    structure::MarkerMaps(domain, kernel, Method::automatic)
        .spread(Cpu{}, order, points.size(), pointers_to(points.force), fluid::writable_pointers(f));
  }
  void interpolate(PointForces& points, const std::string& kernel) {
    structure::MarkerMaps(domain, kernel, Method::automatic)
        .interpolate(Cpu{}, order, fluid::pointers(u), points.size(), pointers_to(std::as_const(points.x)), pointers_to(points.velocity));
  }
  /// The flow under the points' forces, and the velocity that they see.
  void solve(PointForces& points, const std::string& kernel) {
    spread(points, kernel);
    flow.step(Cpu{}, {fluid::writable_pointers(u), p.data()}, fluid::pointers(f), 1);
    interpolate(points, kernel);
  }
  double length() const { return domain.grid().axis(0).length(); }

private:
  static fluid::Domain make(std::int64_t n) {
    std::array<fluid::SideKind, 6> sides{};
    sides.fill(fluid::SideKind::periodic);
    const auto length = static_cast<double>(n);
    return {fluid::Domain::make_grid({n, n, n}, {0, 0, 0}, {length, length, length}, sides), sides, {}};
  }
};

/// Calls f(name, kernel) for the kernels that membranes can take: windows are none.
template <class F> void for_each_membrane_kernel(F f) {
  kernels::for_each_shipped([&]<class K>(const K& kernel) {
    if constexpr (!requires { kernel.beta(); }) f(std::string(K::name), kernel);
  });
}

} // namespace corral::test
