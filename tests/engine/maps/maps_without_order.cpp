#include "tests/engine/map_properties.hpp"
#include "tests/engine/spline_kernels.hpp"

/// The properties of all maps, of the calls that take positions and no order.
namespace corral::test {
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
          const Placement placement = random.pick(all_placements);
          const Grid grid = make_grid(random.pick(shapes), sides, placement, random);
          MapCase<T> c{grid, make_particles<T>(grid, random.pick(particle_counts), placement, random), staggering,
                       wall_signs(sides, random), offsets(Offsets::mixed, random), 1 + random.below(3),
                       unit_step ? 1 : 2, false, method, true};
          INFO(name(method) << ", " << Kernel::name << ", " << name(staggering) << ", " << describe(grid)
                            << c.particles.size() << " particles, placement " << static_cast<int>(placement));
          require_adjoint(kernel, c, compare_with_reference(kernel, c, random));
        }
}

} // namespace

TEST_CASE("without an order maps equal the reference, are adjoint, and count what they skip") {
  require_properties_without_order<double, kernels::Linear>(71);
  require_properties_without_order<float, kernels::Linear>(72);
  require_properties_without_order<double, kernels::Nearest>(73);
  require_properties_without_order<float, Quadratic>(74);
  require_properties_without_order<double, Cubic>(75);
}

} // namespace corral::test
