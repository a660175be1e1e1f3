#pragma once

#include "fluid/pressure/pressure.hpp"
#include "fluid/transport/advection.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace corral::test {

/// Incompressible flow of density 1 by the calls of fluid/ alone: explicit advection, viscosity and a body force, then
/// a projection onto what has no divergence. A steady state does not depend on the time step: there
/// H + body - grad p = 0, with p the projection's potential over dt.
class ProjectionFlow {
public:
  fluid::FaceArrays u;                 ///< [m/s]
  std::array<double, 3> body{};        ///< acceleration [m/s2]

  ProjectionFlow(const fluid::Domain& domain, double nu, fluid::Advection scheme)
      : u(fluid::make_face_arrays(domain.grid())), domain_(domain), nu_(nu), scheme_(scheme), padded_(domain),
        solver_(cells(domain.grid()), wraps(domain.grid())), h_(u), start_(u), b_(u), rhs_(domain.grid().cells(), 0.0),
        potential_(domain.grid().cells(), 0.0) {
    for_each_direction([&](int d, std::size_t i, const fluid::Face& f) {
      const double h = domain_.grid().axis(d).spacing;
      const fluid::FaceKind kind = domain_.kind(d, f.index);
      b_[i][f.index] = kind == fluid::FaceKind::fixed
                           ? 0
                           : domain_.aperture(d, f.index) / (h * h) * (kind == fluid::FaceKind::outlet ? 2 : 1);
    });
    solver_.set_coefficients(Cpu{}, {fluid::pointers(b_), nullptr});
  }

  /// First order in time.
  void euler(double dt) {
    add_forces(dt);
    project();
  }

  /// Runge and Kutta's third order in the form of Shu and Osher (1988), each stage projected.
  void runge_kutta(double dt) {
    for (std::size_t d = 0; d < 3; ++d) start_[d] = u[d];
    for (const double share : {1.0, 0.25, 2.0 / 3}) {
      add_forces(dt);
      for (std::size_t d = 0; d < 3; ++d)
        for (std::int64_t f = 0; f < u[d].size(); ++f) u[d][f] = (1 - share) * start_[d][f] + share * u[d][f];
      project();
    }
  }

  /// Takes out what has divergence; fixed faces get their given velocity.
  void project() {
    for_each_direction([&](int d, std::size_t i, const fluid::Face& f) {
      if (domain_.kind(d, f.index) == fluid::FaceKind::fixed) u[i][f.index] = domain_.given_velocity(d, f.index);
    });
    fluid::for_each_cell(Cpu{}, domain_.grid(), [&](const fluid::Cell& c) { rhs_[c.index] = -divergence(c); });
    const auto result = solver_.solve(Cpu{}, rhs_.data(), potential_.data(), {.absolute_max = tolerance});
    REQUIRE(result.residual_max <= tolerance);
    for_each_direction([&](int d, std::size_t i, const fluid::Face& f) {
      if (domain_.kind(d, f.index) == fluid::FaceKind::fixed) return;
      const double above = f.above < 0 ? 0 : potential_[f.above], below = f.below < 0 ? 0 : potential_[f.below];
      u[i][f.index] -= (above - below) / domain_.grid().axis(d).spacing * (f.boundary() ? 2 : 1);
    });
  }

  double divergence(const fluid::Cell& c) const {
    return fluid::divergence(domain_.view(), c, [&](int d, std::int64_t f) { return u[d][f]; });
  }

  /// H, advection and viscosity [m/s2].
  const fluid::FaceArrays& forces() {
    for (auto& component : h_) component.fill(0);
    const std::array<double*, 3> h{h_[0].data(), h_[1].data(), h_[2].data()};
    padded_.fill(Cpu{}, fluid::pointers(u));
    fluid::add_advection(Cpu{}, padded_, scheme_, 1, h);
    fluid::add_viscosity(Cpu{}, padded_, nu_, h);
    return h_;
  }

  static constexpr double tolerance = 1e-8; ///< of the divergence [1/s]

private:
  static std::array<std::int64_t, 3> cells(const Grid& g) {
    return {g.axis(0).cells, g.axis(1).cells, g.axis(2).cells};
  }
  static std::array<bool, 3> wraps(const Grid& g) {
    return {g.axis(0).periodic(), g.axis(1).periodic(), g.axis(2).periodic()};
  }
  template <class F> void for_each_direction(F f) const {
    for (int d = 0; d < 3; ++d)
      fluid::for_each_face(Cpu{}, domain_.grid(), d,
                           [&](const fluid::Face& s) { f(d, static_cast<std::size_t>(d), s); });
  }
  void add_forces(double dt) {
    forces();
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t f = 0; f < u[d].size(); ++f) u[d][f] += dt * (h_[d][f] + body[d]);
  }

  const fluid::Domain& domain_;
  double nu_;
  fluid::Advection scheme_;
  fluid::PaddedVelocity padded_;
  fluid::PressureSolver solver_;
  fluid::FaceArrays h_, start_, b_;
  Array<double> rhs_, potential_;
};

/// Prints the errors of grids each twice as fine as the one before, and the orders; returns the last.
inline double observed_order(const char* what, const std::vector<double>& errors) {
  std::printf("%-44s errors", what);
  for (const double e : errors) std::printf(" %.3e", e);
  std::printf("  orders");
  double order = 0;
  for (std::size_t i = 1; i < errors.size(); ++i) std::printf(" %.2f", order = std::log2(errors[i - 1] / errors[i]));
  std::printf("\n");
  return order;
}

} // namespace corral::test
