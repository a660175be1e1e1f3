#include "engine/cpu/literature/support_order.hpp"
#include "tests/catch.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/engine/wrapped_scene.hpp"

#include <cmath>
#include <set>

/// What sort_reduce promises on the CPU beyond its sums.
namespace corral::test {

TEST_CASE("sort_reduce writes once at most per occupied cell and shift") {
  const WrappedScene scene({0, 0, 0}, {7, 5, 11});
  CellOrder<double> order = scene.order();
  for (const Staggering s : all_staggerings) {
    const auto support = shared::FieldSupport::of<double>(order.data(), s, KernelWeights<double>::of(Cubic{}));
    const cpu::FieldBlock<double> block{
        cpu::PaddedLayout(scene.grid, support, s, {Sign::plus, Sign::plus, Sign::plus}), support, {}, {}};
    const cpu::SupportOrder sorted(Cpu{}, order.data(), block);
    std::set<std::array<double, 3>> cells; // the support cells, whose corners are points of the field, in the order's
    for (std::int64_t i = 0; i < scene.n; ++i) { // own counting: an axis of offset 1/2 begins at the first centre
      const auto p = static_cast<std::size_t>(i);
      const auto cell = [&](int d, double x) {
        const auto cells_of_axis = static_cast<double>(scene.grid.axis(d).cells);
        if (d != 1 && x < 0.5) x += cells_of_axis;
        return std::floor(on_face(s, d) ? x : x - 0.5);
      };
      cells.insert({cell(0, scene.particles.x[p]), cell(1, scene.particles.y[p]), cell(2, scene.particles.z[p])});
    }
    INFO(name(s));
    CHECK(sorted.segments() == static_cast<std::int64_t>(cells.size()));
    bool ascending = true, stable = true;
    for (std::int64_t g = 1; g < sorted.segments(); ++g) ascending &= sorted.point(g - 1) < sorted.point(g);
    for (std::int64_t g = 0; g < sorted.segments(); ++g)
      for (std::int64_t i = sorted.begin(g) + 1; i < sorted.begin(g + 1); ++i)
        stable &= sorted.place(i - 1) < sorted.place(i);
    CHECK(ascending);
    CHECK(stable);
    CHECK(sorted.begin(sorted.segments()) == scene.n);
  }
}

TEST_CASE("the buffers of sort_reduce are kept, those on the fly are not") {
  const WrappedScene scene({0, 0, 0}, {7, 5, 11});
  const auto memory_after = [&](Method method) {
    CellOrder<double> order = scene.order();
    std::vector<double> field(static_cast<std::size_t>(scene.grid.points(Staggering::centre)), 0.0);
    for (int call = 0; call < 2; ++call)
      spread(Cpu{}, order, kernels::Linear{},
             {{{scene.value.data(), scene.n}, field_view(scene.grid, field.data(), Staggering::centre)}}, method);
    return order.bytes();
  };
  const std::int64_t none = memory_after(Method::serial), weight = 8 * scene.n;
  CHECK(memory_after(Method::sort_reduce_on_the_fly) == none);
  CHECK(memory_after(Method::sort_reduce) == none + weight);
  CHECK(memory_after(Method::sort_reduce_buffered) >= none + 8 * weight);
}

} // namespace corral::test
