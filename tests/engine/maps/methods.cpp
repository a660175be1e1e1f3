#include "tests/engine/map_properties.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/engine/wrapped_scene.hpp"

#include <utility>

/// Every method by its name: the properties of all maps, and the traps that methods have of their own.
namespace corral::test {
namespace {

template <class Kernel> bool serves(Method method) {
  return serves_any_kernel(method) || std::is_same_v<Kernel, kernels::Linear>;
}

/// Each method on every staggering and sides; shapes, offsets, counts, placements and strides are drawn.
template <class T, class Kernel> void require_properties_of_methods(std::uint64_t seed) {
  Random random(seed);
  const Kernel kernel;
  for (const Method method : all_methods(Backend{}))
    for (const Staggering staggering : all_staggerings)
      for (const Sides sides : all_sides) {
        if (!serves<Kernel>(method) || ((emulated || sanitized) && !thorough() && random.coin())) continue;
        const Placement placement = random.pick(all_placements);
        const Grid grid = make_grid(random.pick(all_shapes), sides, placement, random);
        MapCase<T> c{grid, make_particles<T>(grid, random.pick(particle_counts), placement, random), staggering,
                     wall_signs(sides, random), offsets(random.pick(all_offsets), random), 1 + random.below(3),
                     1 + random.below(2), random.coin(), method};
        INFO(name(method) << ", " << Kernel::name << ", " << name(staggering) << ", " << describe(grid)
                          << c.particles.size() << " particles, placement " << static_cast<int>(placement));
        const Mapped<T> m = compare_with_reference(kernel, c, random);
        require_adjoint(kernel, c, m);
        if (keeps_totals(c)) require_totals_and_constants(kernel, c, m);
      }
}

/// Cubic along the component, quadratic across it.
struct Composite {
  Cubic along;
  Quadratic across;
};

/// Fields of three staggerings, one of them twice, spread in one call.
template <class Kernel> std::vector<double> spread_all(const WrappedScene& scene, Method method) {
  constexpr std::array staggerings{Staggering::face_x, Staggering::centre, Staggering::node, Staggering::centre};
  std::vector<std::vector<double>> field;
  std::vector<Spread<double>> terms;
  for (const Staggering s : staggerings) field.emplace_back(static_cast<std::size_t>(scene.grid.points(s)), 0.0);
  for (std::size_t t = 0; t < field.size(); ++t)
    terms.push_back({{scene.value.data(), scene.n}, field_view(scene.grid, field[t].data(), staggerings[t])});
  CellOrder<double> order = scene.order();
  run_spread(order, Kernel{}, std::span<const Spread<double>>(terms), method);
  std::vector<double> all;
  for (const auto& f : field) all.insert(all.end(), f.begin(), f.end());
  return all;
}

/// On any number of threads, every method gives what the serial one gives, and all but `atomic` the same bits each
/// time.
template <class Kernel> void require_methods_agree(const WrappedScene& scene) {
  constexpr bool on_gpu = std::is_same_v<Backend, Gpu>;
  const std::vector<double> expected = spread_all<Kernel>(scene, on_gpu ? Method::grid_gather : Method::serial);
  double absolute = 0;
  for (const double v : scene.value) absolute += std::abs(v);
  for (const Method method : all_methods(Backend{})) {
    if (!serves<Kernel>(method) || !spreads(method)) continue;
    INFO(name(method));
    const std::vector<double> alone = spread_all<Kernel>(scene, method);
    for (const int threads : thread_counts)
      run_with_threads(threads, [&] {
        if (on_gpu && threads > 1) return;
        for (int repeat = 0; repeat < (thorough() && !emulated ? 3 : 1); ++repeat) {
          const std::vector<double> field = spread_all<Kernel>(scene, method);
          double worst = 0;
          for (std::size_t i = 0; i < field.size(); ++i)
            worst = std::max(worst, excess(field[i], expected[i], round_off<double>(64) * absolute));
          CHECK(worst <= 1);
          const bool same = field == alone;
          if (method != Method::atomic) CHECK(same);
        }
      });
  }
}

} // namespace

TEST_CASE("every method equals the reference, is adjoint, keeps totals and constants", "[values]") {
  SECTION("linear, double") { require_properties_of_methods<double, kernels::Linear>(61); }
  SECTION("linear, float") { require_properties_of_methods<float, kernels::Linear>(62); }
  SECTION("nearest, double") { require_properties_of_methods<double, kernels::Nearest>(63); }
  SECTION("nearest, float") { require_properties_of_methods<float, kernels::Nearest>(64); }
  SECTION("odd support, double") { require_properties_of_methods<double, Quadratic>(65); }
  SECTION("odd support, float") { require_properties_of_methods<float, Quadratic>(66); }
  SECTION("even support, double") { require_properties_of_methods<double, Cubic>(67); }
  SECTION("even support, float") { require_properties_of_methods<float, Cubic>(68); }
}

TEST_CASE("no method loses a sum around periodic sides that no stencil divides, all threads at work") {
  const WrappedScene scene({0, 0, 0}, {7, 5, 11});
  require_methods_agree<kernels::Linear>(scene);
  require_methods_agree<Quadratic>(scene);
  require_methods_agree<Cubic>(scene);
  require_methods_agree<Composite>(scene);
}

TEST_CASE("all particles may lie in one column, or in one cell") {
  require_methods_agree<Cubic>(WrappedScene({0, 4.2, 10.4}, {7, 4.3, 10.6}));
  require_methods_agree<kernels::Linear>(WrappedScene({6.6, 4.2, 10.6}, {6.9, 4.4, 10.9}));
}

// The properties of all maps, of the calls that take positions and no order.

namespace {

#ifdef CORRAL_TEST_ON_GPU
constexpr std::array methods{Method::automatic, Method::atomic};
#else
constexpr std::array methods{Method::automatic, Method::serial, Method::atomic};
#endif

template <class T, class Kernel> void require_properties_without_order(std::uint64_t seed) {
  Random random(seed);
  const Kernel kernel;
  for (const Method method : methods)
    for (const Staggering staggering : all_staggerings)
      for (const Sides sides : all_sides)
        for (const bool unit_step : {true, false}) { // the trilinear loops want points that follow on each other
          if ((emulated || sanitized) && !thorough() && random.coin()) continue;
          const Placement placement = random.pick(all_placements);
          const Grid grid = make_grid(random.pick(all_shapes), sides, placement, random);
          MapCase<T> c{grid, make_particles<T>(grid, random.pick(particle_counts), placement, random), staggering,
                       wall_signs(sides, random), offsets(Offsets::mixed, random), 1 + random.below(3),
                       unit_step ? 1 : 2, false, method, true};
          INFO(name(method) << ", " << Kernel::name << ", " << name(staggering) << ", " << describe(grid)
                            << c.particles.size() << " particles, placement " << static_cast<int>(placement));
          require_adjoint(kernel, c, compare_with_reference(kernel, c, random));
        }
}

} // namespace

TEST_CASE("without an order maps equal the reference, are adjoint, and count what they skip", "[values]") {
  require_properties_without_order<double, kernels::Linear>(71);
  require_properties_without_order<float, kernels::Linear>(72);
  require_properties_without_order<double, kernels::Nearest>(73);
  require_properties_without_order<float, Quadratic>(74);
  require_properties_without_order<double, Cubic>(75);
}

} // namespace corral::test
