#include "tests/catch.hpp"
#include "tests/structure/coupling/stokes_box.hpp"
#include "tests/tolerance.hpp"

#include "run/random.hpp"

#include <algorithm>

namespace corral::test {
namespace {

constexpr std::int64_t cells = 16;
using Place = std::array<double, 3>;

/// Points with random forces in the middle of the box, where no kernel reaches its sides.
PointForces some_points(std::int64_t n) {
  const run::Random random(5);
  const auto draw = [&](std::int64_t i, int k) {
    return random.uniform(run::Purpose::position, 0, static_cast<std::uint64_t>(i), k);
  };
  PointForces points;
  for (std::int64_t i = 0; i < n; ++i)
    points.add({6 + 4 * draw(i, 0), 6 + 4 * draw(i, 1), 6 + 4 * draw(i, 2)},
               {draw(i, 3) - 0.5, draw(i, 4) - 0.5, draw(i, 5) - 0.5});
  return points;
}

/// Where face (i, j, k) of component d stands, in cells.
Place place_of(int d, std::int64_t i, std::int64_t j, std::int64_t k) {
  Place x{static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5, static_cast<double>(k) + 0.5};
  x[d] -= 0.5;
  return x;
}

template <class F> void each_face_of(int d, F f) {
  for (std::int64_t k = 0, at = 0; k < cells; ++k)
    for (std::int64_t j = 0; j < cells; ++j)
      for (std::int64_t i = 0; i < cells; ++i) f(at++, place_of(d, i, j, k));
}

Place at_of(const std::array<std::vector<double>, 3>& v, std::int64_t i) {
  return {v[0][i], v[1][i], v[2][i]};
}

/// A sum with what its terms come to without their signs.
struct Balance {
  double sum = 0, terms = 0;
  void add(double term) { sum += term, terms += std::abs(term); }
};

/// Force and torque about the middle on points less those on faces, by components.
std::array<Balance, 6> imbalance(const StokesBox& box, const PointForces& points) {
  std::array<Balance, 6> b;
  const auto add = [&](int d, double f, const Place& x) {
    const auto e = static_cast<std::size_t>((d + 1) % 3), g = static_cast<std::size_t>((d + 2) % 3);
    b[d].add(f);
    b[3 + g].add((x[e] - cells / 2) * -f); // of (r x F)_g = r_d F_e - r_e F_d
    b[3 + e].add((x[g] - cells / 2) * f);
  };
  for (int d = 0; d < 3; ++d) {
    for (std::int64_t i = 0; i < points.size(); ++i)
      add(d, -points.force[d][i], at_of(points.x, i));
    each_face_of(d, [&](std::int64_t at, const Place& x) { add(d, box.f[d][at], x); });
  }
  return b;
}

/// Whether the kernel's weights are where the point is, on average.
bool keeps_first_moment(const std::string& kernel) { return kernel != "cosine4" && kernel != "nearest"; }

} // namespace

TEST_CASE("What points' forces sum to reaches the faces, and their torque, too, where the first moment is 0") {
  const PointForces points = some_points(50);
  StokesBox box(cells);
  for_each_membrane_kernel([&](const std::string& kernel, const auto&) {
    INFO(kernel);
    box.spread(points, kernel);
    const std::array<Balance, 6> b = imbalance(box, points);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(b[i].sum) <= round_off(500) * b[i].terms);
    for (std::size_t i = 3; i < 6; ++i) {
      if (keeps_first_moment(kernel)) CHECK(std::abs(b[i].sum) <= round_off(500) * b[i].terms);
      else CHECK(std::abs(b[i].sum) > 1e-4 * b[i].terms);
    }
  });
}

TEST_CASE("Points see linear velocities exactly, where the first moment is 0") {
  PointForces points = some_points(50);
  StokesBox box(cells);
  const auto linear = [](int d, const Place& x) { return 0.3 * (d + 1) + x[0] * (2 - d) - 1.5 * x[1] + 0.7 * d * x[2]; };
  for (int d = 0; d < 3; ++d)
    each_face_of(d, [&](std::int64_t at, const Place& x) { box.u[d][at] = linear(d, x); });
  for_each_membrane_kernel([&](const std::string& kernel, const auto&) {
    INFO(kernel);
    box.spread(points, kernel); // sorts
    box.interpolate(points, kernel);
    double worst = 0;
    for (int d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < points.size(); ++i)
        worst = std::max(worst, std::abs(points.velocity[d][i] - linear(d, at_of(points.x, i))));
    if (keeps_first_moment(kernel)) CHECK(worst <= round_off(216) * 4 * cells);
    else CHECK(worst > 0.01);
  });
}

TEST_CASE("A point that is shifted by whole cells spreads and sees the same bits") {
  const Place at{5.3125, 7.84375, 6.078125}, force{0.3, -0.7, 0.11};
  for_each_membrane_kernel([&](const std::string& kernel, const auto&) {
    INFO(kernel);
    StokesBox box(cells), shifted(cells);
    PointForces point, other;
    point.add(at, force);
    other.add({at[0] + 4, at[1] - 3, at[2] + 1}, force);
    box.spread(point, kernel);
    shifted.spread(other, kernel);
    const auto moved = [](std::int64_t i, std::int64_t by) { return (i + by + cells) % cells; };
    bool same = true;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t k = 0, f = 0; k < cells; ++k)
        for (std::int64_t j = 0; j < cells; ++j)
          for (std::int64_t i = 0; i < cells; ++i, ++f) {
            const std::int64_t to = moved(i, 4) + cells * (moved(j, -3) + cells * moved(k, 1));
            same = same && box.f[d][f] == shifted.f[d][to];
            box.u[d][f] = shifted.u[d][to] = std::sin(static_cast<double>(7 * f + static_cast<std::int64_t>(d)));
          }
    CHECK(same);
    box.interpolate(point, kernel);
    shifted.interpolate(other, kernel);
    CHECK(point.velocity == other.velocity);
    CHECK(point.velocity[0][0] != 0);
  });
}

} // namespace corral::test
