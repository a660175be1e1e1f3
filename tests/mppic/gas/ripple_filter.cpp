#include "mppic/gas/ripple_filter.hpp"

#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/boxes/shapes.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::RippleFilter;

constexpr double theta_cp = 0.6;

fluid::Domain box(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic) {
  std::array<SideKind, 6> sides{};
  for (std::size_t d = 0; d < 3; ++d)
    sides[2 * d] = sides[2 * d + 1] = periodic[d] ? SideKind::periodic : SideKind::no_slip;
  return {fluid::Domain::make_grid(cells, {0, 0, 0}, {1, 1, 1}, sides), sides, {}};
}

Array<double> uniform(const fluid::Domain& domain, double theta) { return Array<double>(domain.grid().cells(), theta); }

/// From dilute to packed, so that weights of 0, 1 and between occur.
Array<double> mixed(const fluid::Domain& domain) {
  Random random(2);
  Array<double> theta(domain.grid().cells());
  for (double& t : theta) t = random.uniform(0.55, 0.85) * theta_cp;
  return theta;
}

Array<double> random_faces(const fluid::Domain& domain, int d, unsigned seed) {
  Random random(seed);
  Array<double> x(domain.grid().points(face(d)));
  for (double& v : x) v = random.uniform(-1, 1);
  return x;
}

Array<double> applied(const RippleFilter& filter, int d, const Array<double>& x) {
  Array<double> y(x.size(), 99.0);
  filter.apply(Cpu{}, d, x.data(), y.data());
  return y;
}

/// Calls f(domain, d) for every shape and axis.
template <class F> void for_each_axis(F f) {
  for (const Shape& shape : shapes)
    for (int d = 0; d < 3; ++d) {
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", axis " << d);
      f(box(shape.cells, shape.periodic), d);
    }
}

} // namespace

TEST_CASE("the ripple filter is self-adjoint in the faces' volumes and keeps constants") {
  for_each_axis([](const fluid::Domain& domain, int d) {
    fluid::Scratch scratch;
    RippleFilter filter(domain, theta_cp, scratch);
    filter.set_weights(Cpu{}, fluid::Planes(), mixed(domain));
    const Array<double> x = random_faces(domain, d, 3), y = random_faces(domain, d, 4);
    const Array<double> Mx = applied(filter, d, x), My = applied(filter, d, y);
    const Array<double> ones = applied(filter, d, Array<double>(x.size(), 0.7));
    for (const double v : ones) CHECK(v == 0.7);
    Array<double> yMx(x.size()), xMy(x.size()), absolute(x.size());
    fluid::for_each_face(Cpu{}, domain.grid(), d, [&](const fluid::Face& f) {
      const double volume = f.boundary() ? 0.5 : 1;
      yMx[f.index] = volume * y[f.index] * Mx[f.index];
      xMy[f.index] = volume * x[f.index] * My[f.index];
      absolute[f.index] = std::abs(yMx[f.index]) + std::abs(xMy[f.index]);
    });
    double difference = 0, scale = 0;
    for (std::int64_t f = 0; f < x.size(); ++f) difference += yMx[f] - xMy[f], scale += absolute[f];
    CHECK(std::abs(difference) <= round_off(x.size()) * scale);
  });
}

TEST_CASE("the ripple filter removes what alternates where solids are packed, and nothing where they are not") {
  for_each_axis([](const fluid::Domain& domain, int d) {
    const Axis& axis = domain.grid().axis(d);
    if (axis.periodic() && axis.cells % 2 == 1 && !axis.thin()) return; // nothing alternates around these
    fluid::Scratch scratch;
    RippleFilter filter(domain, theta_cp, scratch);
    Array<double> x(domain.grid().points(face(d)));
    fluid::for_each_face(Cpu{}, domain.grid(), d, [&](const fluid::Face& f) {
      x[f.index] = f.place[d] % 2 == 0 ? 1 : -1;
    });
    const bool alternates = !axis.thin(); // thin axes have nothing that could
    for (const double packed : {0.76, 1.0, 1.1}) {
      filter.set_weights(Cpu{}, fluid::Planes(), uniform(domain, packed * theta_cp));
      const Array<double> y = applied(filter, d, x);
      for (std::int64_t f = 0; f < y.size(); ++f) CHECK(std::abs(y[f] - (alternates ? 0 : x[f])) <= round_off(3));
    }
    for (const double dilute : {0., 0.3, 0.54}) {
      filter.set_weights(Cpu{}, fluid::Planes(), uniform(domain, dilute * theta_cp));
      const Array<double> y = applied(filter, d, x);
      for (std::int64_t f = 0; f < y.size(); ++f) CHECK(y[f] == x[f]);
    }
    filter.set_weights(Cpu{}, fluid::Planes(), uniform(domain, 0.65 * theta_cp));
    const Array<double> y = applied(filter, d, x);
    for (std::int64_t f = 0; f < y.size(); ++f) CHECK(std::abs(y[f] - (alternates ? 0.5 * x[f] : x[f])) <= 1e-14);
  });
}

TEST_CASE("the ripple filter stops short of a surface, along the axis that meets it alone") {
  const fluid::Domain domain = box({3, 3, 8}, {true, true, false});
  fluid::Scratch scratch;
  RippleFilter filter(domain, theta_cp, scratch);
  Array<double> theta(domain.grid().cells(), 0.0);
  for (std::int64_t c = 0; c < 9 * 5; ++c) theta[c] = theta_cp; // cells 0 to 4 in height
  filter.set_weights(Cpu{}, fluid::Planes(), theta);
  Array<double> x(domain.grid().points(Staggering::face_z), 0.0);
  for (std::int64_t f = 0; f < 9; ++f) x[4 * 9 + f] = 1; // between cells 3 and 4; 4 lies beside the surface
  const Array<double> y = applied(filter, 2, x);
  for (std::int64_t f = 0; f < 9; ++f) {
    CHECK(y[3 * 9 + f] == 0.25);
    CHECK(y[4 * 9 + f] == 0.75);
    CHECK(y[5 * 9 + f] == 0);
  }
  // Across: rows of the packed cell beside the surface are as packed as those below, those above are not.
  Array<double> u(domain.grid().points(Staggering::face_x), 0.0);
  for (std::int64_t k = 0; k < 8; ++k) u[9 * k] = 1;
  const Array<double> v = applied(filter, 0, u);
  for (std::int64_t k = 0; k < 8; ++k) CHECK(v[9 * k] == (k < 5 ? 0.5 : 1));
}

} // namespace corral::test
