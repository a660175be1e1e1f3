#include "tests/engine/map_properties.hpp"
#include "tests/engine/spline_kernels.hpp"

/// Every kernel x staggering x sides x offsets x shape x precision equals the reference and is adjoint; particle
/// counts, placements, strides and identity are drawn. All kernels here are partitions of unity.
namespace corral::test {
namespace {

template <class T, class Kernel> void require_all_properties(std::uint64_t seed) {
  Random random(seed);
  const Kernel kernel;
  std::int64_t inside = 0;
  const bool few = (emulated || sanitized) && !thorough(); // minutes less
  for (const auto& shape : all_shapes)
    for (const Staggering staggering : all_staggerings)
      for (const Sides sides : all_sides) {
        const Offsets drawn = few ? random.pick(all_offsets) : Offsets::zero;
        for (const Offsets offset : all_offsets) {
          if (few && offset != drawn) continue;
          const Placement placement = random.pick(all_placements);
          const Grid grid = make_grid(shape, sides, placement, random);
          MapCase<T> c{grid, make_particles<T>(grid, random.pick(particle_counts), placement, random), staggering,
                       wall_signs(sides, random), offsets(offset, random), 1 + random.below(3), 1 + random.below(2),
                       random.coin()};
          INFO(Kernel::name << ", " << name(staggering) << ", " << describe(grid) << c.particles.size()
                            << " particles, placement " << static_cast<int>(placement));
          const Mapped<T> m = compare_with_reference(kernel, c, random);
          require_adjoint(kernel, c, m);
          if (keeps_totals(c)) require_totals_and_constants(kernel, c, m);
          inside += m.counts.inside;
        }
      }
  CHECK(inside > 10'000);
}

} // namespace

TEST_CASE("maps equal the reference, are adjoint, keep totals and constants", "[values]") {
  SECTION("linear, double") { require_all_properties<double, kernels::Linear>(1); }
  SECTION("linear, float") { require_all_properties<float, kernels::Linear>(2); }
  SECTION("nearest, double") { require_all_properties<double, kernels::Nearest>(3); }
  SECTION("nearest, float") { require_all_properties<float, kernels::Nearest>(4); }
  SECTION("a user's kernel of odd support") { require_all_properties<double, Quadratic>(5); }
  SECTION("a user's kernel of even support") { require_all_properties<float, Cubic>(6); }
}

/// A kernel without first moment reads a linear field exactly where its support lies within the domain.
template <class T, class Kernel>
void require_linear_fields_exact(const Kernel& kernel, Sides sides, std::uint64_t seed,
                                 Method method = Method::automatic) {
  Random random(seed);
  const Grid closed = make_grid({13, 1, 12}, sides, Placement::lattice, random);
  const Grid grid({closed.axis(0), Axis{1, 0.0, 1.0}, closed.axis(2)}); // along y the field is constant
  const auto linear_field = [](double index_x, double index_z) { return 0.5 + 0.25 * index_x - 0.75 * index_z; };
  for (const Staggering staggering : all_staggerings)
    for (const Offsets offset : all_offsets) {
      OwnedField<T> field(grid, staggering, wall_signs(sides, random), 1);
      for (std::int64_t k = 0; k < grid.points(staggering, 2); ++k)
        for (std::int64_t j = 0; j < grid.points(staggering, 1); ++j)
          for (std::int64_t i = 0; i < grid.points(staggering, 0); ++i)
            field.view(i, j, k) = static_cast<T>(
                linear_field(static_cast<double>(i) + (on_face(staggering, 0) ? 0 : 0.5),
                             static_cast<double>(k) + (on_face(staggering, 2) ? 0 : 0.5)));
      std::vector<T> x, y, z, read(200, T(0));
      std::vector<double> expected;
      for (int i = 0; i < 200; ++i) {
        const std::array<double, 3> index{random.uniform(4, 9), 0.25, random.uniform(4, 8)};
        x.push_back(static_cast<T>(grid.axis(0).origin + grid.axis(0).spacing * index[0]));
        y.push_back(static_cast<T>(grid.axis(1).origin + grid.axis(1).spacing * index[1]));
        z.push_back(static_cast<T>(grid.axis(2).origin + grid.axis(2).spacing * index[2]));
        expected.push_back(linear_field(grid.axis(0).index(double{x.back()}), grid.axis(2).index(double{z.back()})));
      }
      CellOrder<T> order(grid, offsets(offset, random));
      run_sort(order, positions(x.data(), y.data(), z.data(), 200));
      run_interpolate(order, kernel, {Interpolate<T>{field.view, Column<T>{read.data(), 200}}}, reading_method(method));
      const double largest = 0.5 + 0.25 * 13 + 0.75 * 12; // bounds the sum of the absolute terms
      double worst = 0;
      for (std::size_t i = 0; i < 200; ++i)
        worst = std::max(worst, excess(double{read[i]}, expected[i], round_off<T>(64 + index_terms(grid)) * largest));
      INFO(Kernel::name << " by " << name(method) << ", " << name(staggering));
      CHECK(worst <= 1);
    }
}

TEST_CASE("linear fields are read exactly in the interior", "[values]") {
  const Sides sides = GENERATE(Sides::periodic, Sides::wall_minus, Sides::open);
  require_linear_fields_exact<double>(kernels::Linear{}, sides, 11, Method::cells);
  require_linear_fields_exact<float>(kernels::Linear{}, sides, 12, Method::cells);
  require_linear_fields_exact<double>(Quadratic{}, sides, 13, Method::serial);
  require_linear_fields_exact<float>(Cubic{}, sides, 14, Method::serial);
  kernels::for_each_shipped([&]<class K>(const K& kernel) {
    if constexpr (kernels::sums_to_one<K> && kernels::first_moment_vanishes<K>)
      for (const Method method : {Method::stencils, Method::tiles}) {
        require_linear_fields_exact<double>(kernel, sides, 15, method);
        require_linear_fields_exact<float>(kernel, sides, 16, method);
      }
  });
}

} // namespace corral::test
