#include "tests/engine/compare_with_reference.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>

/// Bricks take in what holds particles, whatever lies between.
namespace corral::test {
namespace {

/// Particles in a few clumps along each axis, up to `width` cells wide, between gaps longer than any stencil.
template <class T> Particles<T> clumps(const Grid& grid, std::int64_t n, double width, Random& random) {
  Particles<T> p;
  const auto coordinate = [&](int d) {
    const auto cells = static_cast<double>(grid.axis(d).cells);
    const double at = random.pick(std::array{0.02, 0.3, 0.55, 0.97}) * cells; // two of them at the sides
    return static_cast<T>(std::clamp(at + random.uniform(-0.5, 0.5) * width, 0.0, cells - 0.01));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    p.x.push_back(coordinate(0));
    p.y.push_back(coordinate(1));
    p.z.push_back(coordinate(2));
  }
  return p;
}

template <class T, class K> void require_clumps(const K& kernel, std::array<std::int64_t, 3> cells, Boundary side) {
  Random random(95);
  const auto axis = [&](std::size_t d) { return Axis{cells[d], 0.0, 1.0, side, side}; };
  const Grid grid({axis(0), axis(1), axis(2)});
  for (const Staggering staggering : {Staggering::centre, Staggering::face_x, Staggering::face_y, Staggering::face_z})
    for (const double width : {0.0, 3.0}) {
      MapCase<T> c{grid, clumps<T>(grid, 400, width, random), staggering, {Sign::plus, Sign::minus, Sign::plus},
                   offsets(random.pick(all_offsets), random), 1, 1, random.coin()};
      c.method = Method::tiles;
      INFO(K::name << ", " << name(staggering) << ", clumps of " << width << " cells, " << describe(grid));
      compare_with_reference(kernel, c, random);
    }
}

} // namespace

TEST_CASE("bricks with gaps between their particles equal the reference") {
  const Boundary side = GENERATE(Boundary::periodic, Boundary::wall);
  for (const std::array<std::int64_t, 3> cells : {std::array<std::int64_t, 3>{150, 40, 36}, {40, 60, 260}}) {
    require_clumps<double>(kernels::Peskin4{}, cells, side);
    require_clumps<double>(kernels::KaiserBessel<8>{}, cells, side);
    require_clumps<float>(kernels::BSpline<3>{}, cells, side);
  }
}

} // namespace corral::test
