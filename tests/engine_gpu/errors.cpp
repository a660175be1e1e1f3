#include "tests/catch.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/kernels/shipped.hpp>

/// What calls on the GPU refuse, and that they then change nothing.
namespace corral::test {
namespace {

using Catch::Matchers::ContainsSubstring;

struct Scene {
  Grid grid{{Axis{4, 0.0, 1.0}, Axis{4, 0.0, 1.0}, Axis{4, 0.0, 1.0}}};
  Particles<double> particles{{0.5, 1.5, 2.5}, {0.5, 1.5, 2.5}, {0.5, 1.5, 2.5}};
  DeviceParticles<double> on_device{particles};
  std::vector<double> host = std::vector<double>(64, 1.0);
  OnDevice<double> column{std::vector<double>(3, 1.0)}, field{host};
  CellOrder<double> order{grid};

  Spread<double> term() const {
    return {Column<const double>{column.data(), 3}, field_view(grid, field.data(), Staggering::centre)};
  }
  Interpolate<double> reading() const {
    return {field_view<const double>(grid, field.data(), Staggering::centre), column.column()};
  }
};

} // namespace

TEST_CASE("host memory is refused on the device") {
  Scene s;
  CHECK_THROWS_WITH(s.order.sort(Gpu{}, s.particles.positions()),
                    ContainsSubstring("coordinates in host memory") && ContainsSubstring("Cpu{}"));
  s.order.sort(Gpu{}, s.on_device.positions());
  Spread<double> term = s.term();
  term.column.data = s.host.data();
  CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Linear{}, {term}), ContainsSubstring("a column in host memory"));
  Interpolate<double> reading = s.reading();
  reading.field.data = s.host.data();
  CHECK_THROWS_WITH(interpolate(Gpu{}, s.order, kernels::Linear{}, {reading}),
                    ContainsSubstring("a field in host memory"));
  CHECK_THROWS_WITH(s.order.reorder(Gpu{}, Column<double>{s.host.data(), 3}), ContainsSubstring("a column in host memory"));
  CHECK(s.order.counts().inside == 3);
  CHECK(s.field.values() == s.host);
}

TEST_CASE("an order serves the maps of the processor that sorted it") {
  Scene s;
  CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}), ContainsSubstring("not sorted there"));
  s.order.sort(Gpu{}, s.on_device.positions());
  std::vector<double> values(3), field(64);
  CHECK_THROWS_WITH(spread(Cpu{}, s.order, kernels::Linear{},
                           {{{values.data(), 3}, field_view(s.grid, field.data(), Staggering::centre)}}),
                    ContainsSubstring("not sorted there") && ContainsSubstring("CPU"));
  CHECK_THROWS_WITH(s.order.reorder(Cpu{}, Column<double>{values.data(), 3}), ContainsSubstring("not sorted there"));
  CHECK_THROWS_WITH(s.order.source(0), ContainsSubstring("not sorted there"));
  CHECK_THROWS_WITH(s.order.group_begin(0), ContainsSubstring("not sorted there"));
  s.order.sort(Cpu{}, s.particles.positions());
  CHECK(s.order.source(0) == 0);
  CHECK_THROWS_WITH(interpolate(Gpu{}, s.order, kernels::Linear{}, {s.reading()}),
                    ContainsSubstring("not sorted there") && ContainsSubstring("GPU"));
}

TEST_CASE("methods and kernels that the device does not serve are refused") {
  Scene s;
  s.order.sort(Gpu{}, s.on_device.positions());
  for (const Method method : all_methods()) {
    INFO(name(method));
    if (!runs_on(method, Gpu{}))
      CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}, method),
                        ContainsSubstring(std::string(name(method))) && ContainsSubstring("the CPU alone"));
    if (runs_on(method, Gpu{}) && !serves_any_kernel(method))
      CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Peskin4{}, {s.term()}, method), ContainsSubstring("not linear"));
    if (!runs_on(method, Cpu{}))
      CHECK_THROWS_WITH(spread(Cpu{}, CellOrder<double>(s.grid), kernels::Linear{}, std::span<const Spread<double>>{},
                               method),
                        ContainsSubstring("the GPU alone"));
  }
  for (const Method method : {Method::tiles, Method::octet, Method::atomic, Method::serial})
    CHECK_THROWS_WITH(interpolate(Gpu{}, s.order, kernels::Linear{}, {s.reading()}, method),
                      ContainsSubstring("take stencils"));
  CHECK_THROWS_WITH(spread(Gpu{}, s.grid, s.on_device.positions(), kernels::Linear{}, {s.term()}, Method::octet),
                    ContainsSubstring("without an order"));
  for (const Method method : {Method::tiles, Method::hybrid, Method::tensor_core})
    CHECK_THROWS_WITH(spread(Gpu{}, s.order, EighteenPoints{}, {s.term()}, method), ContainsSubstring("at most 16"));
  CHECK(s.field.values() == s.host);
  CHECK_NOTHROW(spread(Gpu{}, s.order, EighteenPoints{}, {s.term()}, Method::grid_gather));
  double total = 0;
  for (const double v : s.field.values()) total += v;
  CHECK(std::abs(total - 67) < 1e-12);
}

TEST_CASE("columns and fields that do not fit are refused on the device as on the CPU") {
  Scene s;
  s.order.sort(Gpu{}, s.on_device.positions());
  Spread<double> term = s.term();
  term.column.size = 2;
  CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Linear{}, {term}), ContainsSubstring("a column of 2 values"));
  term = s.term();
  term.field.data = nullptr;
  CHECK_THROWS_WITH(spread(Gpu{}, s.order, kernels::Linear{}, {term}), ContainsSubstring("without memory"));
  Positions<double> uneven = s.on_device.positions();
  uneven.axis[1].size = 2;
  CHECK_THROWS_WITH(s.order.sort(Gpu{}, uneven), ContainsSubstring("equally long"));
  CHECK(s.order.counts().inside == 3);
}

} // namespace corral::test
