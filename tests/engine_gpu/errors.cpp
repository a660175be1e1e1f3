#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/kernels/shipped.hpp>

/// What calls on the GPU refuse, and that they then change nothing.
namespace corral::test {
namespace {

template <class F> bool says(F call, std::initializer_list<std::string_view> parts) {
  const std::string message = message_of(call);
  UNSCOPED_INFO(message);
  return std::all_of(parts.begin(), parts.end(), [&](std::string_view p) { return message.find(p) != message.npos; });
}

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

TEST_CASE("an error that others left does not fail a call") {
  Scene s;
  CHECK(cudaSetDevice(99) != cudaSuccess);
  CHECK_NOTHROW(s.order.sort(Gpu{}, s.on_device.positions()));
  CHECK_NOTHROW(spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}));
  CHECK(cudaGetLastError() != cudaSuccess); // still theirs
  CHECK(s.field.values() != s.host);
}

TEST_CASE("an array lies where it was asked for") {
  Array<double> there(std::vector<double>{1, 2, 3}, Memory::device), pinned(2, 0.5, Memory::pinned);
  cudaPointerAttributes found{};
  require_cuda(cudaPointerGetAttributes(&found, there.data()));
  CHECK(found.type == cudaMemoryTypeDevice);
  require_cuda(cudaPointerGetAttributes(&found, pinned.data()));
  CHECK(found.type == cudaMemoryTypeHost);
  CHECK(pinned[1] == 0.5);
  there.resize(5, 4.5); // grows, and keeps what it held
  CHECK(there.values() == std::vector<double>{1, 2, 3, 4.5, 4.5});
  const Array<double> copy = there;
  CHECK(copy.memory() == Memory::device);
  Array<double> here;
  here = copy;
  CHECK(here.memory() == Memory::host);
  CHECK(here.values() == there.values());
  there.fill(1);
  CHECK(there.values() == std::vector<double>(5, 1.0));
  there.zero();
  CHECK(there.values() == std::vector<double>(5, 0.0));
  std::swap(there, here);
  CHECK(there.memory() == Memory::host);
  CHECK(there[4] == 4.5);
  CHECK_THROWS_AS(Array<double>(std::int64_t{1} << 60, Memory::device), std::bad_alloc);
}

TEST_CASE("host memory is refused on the device") {
  Scene s;
  CHECK(says([&] { s.order.sort(Gpu{}, s.particles.positions()); }, {"coordinates in host memory", "Cpu{}"}));
  s.order.sort(Gpu{}, s.on_device.positions());
  Spread<double> term = s.term();
  term.column.data = s.host.data();
  CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {term}); }, {"a column in host memory"}));
  Interpolate<double> reading = s.reading();
  reading.field.data = s.host.data();
  CHECK(says([&] { interpolate(Gpu{}, s.order, kernels::Linear{}, {reading}); }, {"a field in host memory"}));
  CHECK(says([&] { s.order.reorder(Gpu{}, Column<double>{s.host.data(), 3}); }, {"a column in host memory"}));
  double* pinned = nullptr;
  require_cuda(cudaMallocHost(reinterpret_cast<void**>(&pinned), 3 * sizeof(double)));
  CHECK(says([&] { s.order.reorder(Gpu{}, Column<double>{pinned, 3}); }, {"a column in host memory"}));
  require_cuda(cudaFreeHost(pinned));
  CHECK(says([&] { s.order.gather(Gpu{}, s.column.data(), nullptr); }, {"without memory"}));
  const std::vector<double> backwards{2, 1, 0};
  OnDevice<double> first(backwards);
  Particles<double> descending{{2.5, 1.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  const DeviceParticles<double> there(descending);
  s.order.sort(Gpu{}, there.positions());
  CHECK(says([&] { s.order.reorder(Gpu{}, first.column(), Column<double>{s.host.data(), 3}); }, {"host memory"}));
  CHECK(first.values() == backwards); // nothing is changed before all is looked at
  CHECK(s.order.counts().inside == 3);
  CHECK(s.field.values() == s.host);
}

TEST_CASE("an order serves the maps of the processor that sorted it") {
  Scene s;
  CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}); }, {"not sorted there"}));
  s.order.sort(Gpu{}, s.on_device.positions());
  std::vector<double> values(3), field(64);
  const Spread<double> of_host{{values.data(), 3}, field_view(s.grid, field.data(), Staggering::centre)};
  CHECK(says([&] { spread(Cpu{}, s.order, kernels::Linear{}, {of_host}); }, {"not sorted there", "CPU"}));
  CHECK(says([&] { s.order.reorder(Cpu{}, Column<double>{values.data(), 3}); }, {"not sorted there"}));
  CHECK(says([&] { s.order.source(0); }, {"not sorted there"}));
  CHECK(says([&] { s.order.group_begin(0); }, {"not sorted there"}));
  s.order.sort(Cpu{}, s.particles.positions());
  CHECK(s.order.source(0) == 0);
  CHECK(says([&] { interpolate(Gpu{}, s.order, kernels::Linear{}, {s.reading()}); }, {"not sorted there", "GPU"}));
}

TEST_CASE("methods and kernels that the device does not serve are refused") {
  Scene s;
  s.order.sort(Gpu{}, s.on_device.positions());
  const CellOrder<double> unsorted(s.grid);
  const std::span<const Spread<double>> no_terms;
  for (const Method method : all_methods()) {
    INFO(name(method));
    if (!runs_on(method, Gpu{}))
      CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}, method); },
                 {name(method), "the CPU alone"}));
    if (!spreads(method))
      CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {s.term()}, method); }, {name(method), "one of interpolation"}));
    if (runs_on(method, Gpu{}) && !serves_any_kernel(method))
      CHECK(says([&] { spread(Gpu{}, s.order, kernels::Peskin4{}, {s.term()}, method); }, {"not linear"}));
    if (!runs_on(method, Cpu{}))
      CHECK(says([&] { spread(Cpu{}, unsorted, kernels::Linear{}, no_terms, method); }, {"the GPU alone"}));
  }
  for (const Method method : {Method::tiles, Method::octet, Method::atomic, Method::serial})
    CHECK(says([&] { interpolate(Gpu{}, s.order, kernels::Linear{}, {s.reading()}, method); }, {"take stencils"}));
  const Positions<double> at = s.on_device.positions();
  CHECK(says([&] { interpolate(Gpu{}, s.grid, at, kernels::Linear{}, {s.reading()}, Method::bricks); }, {"without an order"}));
  CHECK(says([&] { interpolate(Gpu{}, s.order, EighteenPoints{}, {s.reading()}, Method::bricks); }, {"at most 16"}));
  CHECK(says([&] { spread(Gpu{}, s.grid, at, kernels::Linear{}, {s.term()}, Method::octet); }, {"without an order"}));
  CHECK(says([&] { spread(Gpu{}, s.grid, at, kernels::Linear{}, {s.term()}, Method(77)); }, {"method number 77"}));
  for (const Method method : {Method::tiles, Method::hybrid, Method::tensor_core, Method::towers})
    CHECK(says([&] { spread(Gpu{}, s.order, EighteenPoints{}, {s.term()}, method); }, {"at most 16"}));
  Spread<double> far = s.term();
  far.field.stride[2] = 3'000'000'000;
  CHECK(says([&] { spread(Gpu{}, s.order, kernels::Peskin4{}, {far}, Method::towers); }, {"towers", "32 bits"}));
  CHECK(s.field.values() == s.host);
  CHECK_NOTHROW(spread(Gpu{}, s.order, EighteenPoints{}, {s.term()})); // automatic finds one that does
  double total = 0;
  for (const double v : s.field.values()) total += v;
  CHECK(std::abs(total - 67) < 1e-12);
}

TEST_CASE("columns and fields that do not fit are refused on the device as on the CPU") {
  Scene s;
  s.order.sort(Gpu{}, s.on_device.positions());
  Spread<double> term = s.term();
  term.column.size = 2;
  CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {term}); }, {"a column of 2 values"}));
  term = s.term();
  term.field.data = nullptr;
  CHECK(says([&] { spread(Gpu{}, s.order, kernels::Linear{}, {term}); }, {"without memory"}));
  Positions<double> uneven = s.on_device.positions();
  uneven.axis[1].size = 2;
  CHECK(says([&] { s.order.sort(Gpu{}, uneven); }, {"equally long"}));
  CHECK(s.order.counts().inside == 3);
}

} // namespace corral::test
