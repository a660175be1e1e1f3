#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>

/// Sums of floats over many particles lose what grows with a block's particles and with the number of blocks, and not
/// with the number of particles.
namespace corral::test {
namespace {

enum class Held { in_one_cell, in_one_row, in_two_planes };

/// Particles that all lie at one place of their cell: sums of equal terms, whose errors all have one sign for long.
template <class T> Particles<T> equal_particles(Held held, std::int64_t n) {
  Particles<T> p;
  const std::int64_t across = held == Held::in_one_cell ? 1 : 4;
  for (std::int64_t i = 0; i < n; ++i) { // at places that both precisions have
    p.x.push_back(2.37f + static_cast<float>(i % across));
    p.y.push_back(7.19f);
    p.z.push_back(held == Held::in_two_planes ? 7.63f + static_cast<float>(i / across % 2) : 7.63f);
  }
  return p;
}

/// A column of ones spread in precision T.
template <class T, class Kernel>
std::vector<T> spread_ones(const Grid& grid, Held held, std::int64_t n, Staggering staggering, Method method) {
  const Particles<T> particles = equal_particles<T>(held, n);
  CellOrder<T> order(grid, {Offset::half, Offset::half, Offset::half});
  order.sort(Cpu{}, particles.positions());
  const std::vector<T> value(static_cast<std::size_t>(n), T(1));
  std::vector<T> field(static_cast<std::size_t>(grid.points(staggering)), T(0));
  spread(Cpu{}, order, Kernel{}, {{{value.data(), n}, field_view(grid, field.data(), staggering)}}, method);
  return field;
}

/// The largest relative error of a point.
template <class Kernel> double worst_point(Held held, std::int64_t n, Staggering staggering, Method method) {
  const Grid grid({Axis{12, 0.0, 1.0}, Axis{16, 0.0, 1.0, Boundary::wall, Boundary::wall},
                   Axis{20, 0.0, 1.0, Boundary::open, Boundary::wall}});
  const auto single = spread_ones<float, Kernel>(grid, held, n, staggering, method);
  const auto exact = spread_ones<double, Kernel>(grid, held, n, staggering, method);
  const double largest = *std::max_element(exact.begin(), exact.end());
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (exact[i] > 0.01 * largest) worst = std::max(worst, std::abs(double{single[i]} - exact[i]) / exact[i]);
  return worst;
}

template <class Kernel> void require_blocks(Method method, Held held = Held::in_one_cell) {
  const std::int64_t n = sanitized ? 100'000 : 300'000, block = 4096; // docs/methods.md
  for (const Staggering staggering : {Staggering::centre, Staggering::face_x}) {
    INFO(Kernel::name << " by " << name(method));
    CHECK(worst_point<Kernel>(held, n, staggering, method) <= round_off<float>(block + n / block) / 2);
  }
}

} // namespace

TEST_CASE("sums of floats go in blocks, whatever the kernel", "[values]") {
  require_blocks<kernels::Linear>(Method::automatic);
  for (const Method method : {Method::tiles, Method::stencils}) {
    require_blocks<kernels::Linear>(method);
    require_blocks<kernels::Roma3>(method);
    for (const Held held : {Held::in_one_cell, Held::in_one_row, Held::in_two_planes})
      require_blocks<kernels::Peskin4>(method, held);
    require_blocks<kernels::Composite43>(method);
    require_blocks<kernels::KaiserBessel<8>>(method);
  }
}

TEST_CASE("sums of forty million floats: the table of docs/methods.md", "[long]") {
  constexpr double block = 4096;
  const auto row = [](const char* kernel, std::int64_t n, Method method, double worst) {
    WARN(n << " particles, " << kernel << " by " << name(method) << ": " << worst);
    if (method != Method::serial) CHECK(worst < 6e-8 * (block + static_cast<double>(n) / block + 64));
  };
  const auto worst = []<class Kernel>(const Kernel&, std::int64_t n, Method method) {
    return worst_point<Kernel>(Held::in_one_cell, n, Staggering::centre, method);
  };
  for (const std::int64_t n : {std::int64_t{1'000'000}, std::int64_t{40'000'000}}) {
    row("linear", n, Method::automatic, worst(kernels::Linear{}, n, Method::automatic));
    row("roma3", n, Method::automatic, worst(kernels::Roma3{}, n, Method::automatic));
    for (const Method method : {Method::automatic, Method::stencils, Method::serial})
      row("peskin4", n, method, worst(kernels::Peskin4{}, n, method));
  }
}

} // namespace corral::test
