#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/corral.h>

/// corral.h with an order on the GPU.
namespace corral::test {
namespace {

corral_column column_of(double* data, std::int64_t size) {
  corral_column column{};
  column.struct_size = sizeof column;
  column.data = data;
  column.size = size;
  return column;
}

corral_grid* box() {
  corral_axis axis{};
  axis.struct_size = sizeof axis;
  axis.cells = 4;
  axis.spacing = 1;
  const corral_axis axes[3] = {axis, axis, axis};
  corral_grid* grid = nullptr;
  REQUIRE(corral_grid_make(axes, &grid) == corral_ok);
  return grid;
}

corral_order* order_of(const corral_grid* grid, std::int32_t backend) {
  corral_order_options options{};
  options.struct_size = sizeof options;
  options.backend = backend;
  corral_order* order = nullptr;
  REQUIRE(corral_order_make(grid, &options, &order) == corral_ok);
  return order;
}

struct Mapped {
  std::vector<double> field = std::vector<double>(64, 0.0), read = std::vector<double>(3, 0.0);
};

/// Sorts, reorders, spreads and reads by the pointers handed over.
void map(corral_order* order, double* x, double* y, double* z, double* value, double* field, double* read) {
  const corral_column at[3] = {column_of(x, 3), column_of(y, 3), column_of(z, 3)};
  corral_counts counts{};
  counts.struct_size = sizeof counts;
  REQUIRE(corral_order_sort(order, at, &counts) == corral_ok);
  CHECK(counts.inside == 3);
  const corral_column all[4] = {at[0], at[1], at[2], column_of(value, 3)};
  REQUIRE(corral_order_reorder(order, 4, all) == corral_ok);
  corral_field to{};
  to.struct_size = sizeof to;
  to.data = field;
  corral_map_options options{};
  options.struct_size = sizeof options;
  options.kernel = "peskin4";
  const corral_column of_value = column_of(value, 3), of_read = column_of(read, 3);
  REQUIRE(corral_spread(order, &options, 1, &of_value, &to) == corral_ok);
  REQUIRE(corral_interpolate(order, nullptr, 1, &of_read, &to) == corral_ok);
}

} // namespace

TEST_CASE("corral.h sorts and maps on the GPU as on the CPU") {
  corral_grid* const grid = box();
  std::vector<double> x{3.5, 0.25, 1.5}, y{0.5, 2.0, 3.25}, z{3.0, 1.75, 0.5}, value{1, 2, 4};
  const OnDevice<double> dx(x), dy(y), dz(z), of_value(value);
  const OnDevice<double> field(Mapped{}.field), read(Mapped{}.read);
  corral_order* const there = order_of(grid, corral_gpu);
  const corral_column host[3] = {column_of(x.data(), 3), column_of(y.data(), 3), column_of(z.data(), 3)};
  CHECK(corral_order_sort(there, host, nullptr) == corral_bad_argument);
  CHECK(std::string(corral_last_error()).find("host memory") != std::string::npos);
  map(there, dx.data(), dy.data(), dz.data(), of_value.data(), field.data(), read.data());

  corral_order* const here = order_of(grid, corral_cpu);
  Mapped expected;
  map(here, x.data(), y.data(), z.data(), value.data(), expected.field.data(), expected.read.data());
  CHECK(dx.values() == x);
  CHECK(of_value.values() == value);
  const std::vector<double> found = field.values(), found_read = read.values();
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - expected.field[i]));
  for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, std::abs(found_read[i] - expected.read[i]));
  CHECK(worst < 1e-14);
  corral_order_destroy(here);
  corral_order_destroy(there);
  corral_order_options options{};
  options.struct_size = sizeof options;
  options.backend = 2;
  corral_order* none = nullptr;
  CHECK(corral_order_make(grid, &options, &none) == corral_bad_argument);
  corral_grid_destroy(grid);
}

} // namespace corral::test
