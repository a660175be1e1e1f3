#include "engine/gpu/order/order.cuh"
#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <cstring>
#include <numeric>

/// The order that a sort on the device makes is the CPU's, to the bit.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 6> counts{0, 1, 31, 33, 1'000, 10'000};

template <class U> std::vector<U> values_at(const U* device, std::int64_t n) {
  std::vector<U> host(static_cast<std::size_t>(n));
  require_cuda(cudaDeviceSynchronize());
  if (n > 0) require_cuda(cudaMemcpy(host.data(), device, host.size() * sizeof(U), cudaMemcpyDeviceToHost));
  return host;
}

template <class T> bool same_bits(const std::vector<T>& a, const T* b) {
  return a.empty() || std::memcmp(a.data(), b, a.size() * sizeof(T)) == 0;
}

template <class T> void require_same_order(const CellOrder<T>& there, const CellOrder<T>& here) {
  const std::int64_t n = here.size(), inside = here.counts().inside, groups = here.data().group_count();
  CHECK(there.size() == n);
  CHECK(there.counts().inside == inside);
  CHECK(there.counts().outside == here.counts().outside);
  CHECK(there.counts().not_finite == here.counts().not_finite);
  const gpu::Places<T> places = gpu::places<T>(there.data());
  const std::vector<std::uint32_t> begin = values_at(places.begin, groups + 3);
  bool same = true;
  for (std::int64_t g = 0; g < groups + 3; ++g) same &= begin[g] == here.group_begin(g);
  CHECK(same);
  const std::vector<std::uint32_t> source = values_at(places.source, n);
  same = true;
  for (std::int64_t i = 0; i < n; ++i) same &= source[i] == here.source(i);
  CHECK(same);
  for (std::size_t d = 0; d < 3; ++d) CHECK(same_bits(values_at(places.u[d], inside), here.data().fraction[d].data()));
  const OrderView<T> view = there.view(Gpu{});
  CHECK((view.begin32 == places.begin && view.begin64 == nullptr));
  CHECK((view.source32 == places.source && view.source64 == nullptr));
  for (std::size_t d = 0; d < 3; ++d) CHECK(view.fraction[d] == places.u[d]);
  CHECK((view.size == n && view.groups == here.groups() && view.group_count() == groups));
}

template <class T> void require_same_orders(std::uint64_t seed) {
  Random random(seed);
  for (const auto& shape : all_shapes)
    for (const Sides sides : all_sides)
      for (const Placement placement : all_placements) {
        const Grid grid = make_grid(shape, sides, placement, random);
        const std::int64_t n = random.pick(counts);
        const Particles<T> particles = make_particles<T>(grid, n, placement, random);
        const auto offset = offsets(Offsets::mixed, random);
        INFO(describe(grid) << n << " particles, placement " << static_cast<int>(placement));
        CellOrder<T> here(grid, offset), there(grid, offset);
        here.sort(Cpu{}, particles.positions());
        const DeviceParticles<T> on_device(particles);
        there.sort(Gpu{}, on_device.positions());
        require_same_order(there, here);
        there.sort(Gpu{}, on_device.positions()); // with memory that holds another sort
        require_same_order(there, here);
      }
}

template <class U> void require_reordered(const CellOrder<double>& here, CellOrder<double>& there, std::int64_t n) {
  std::vector<U> column(static_cast<std::size_t>(2 * n)), expected;
  std::iota(column.begin(), column.end(), U(1));
  expected = column;
  for (std::int64_t i = 0; i < n; ++i)
    expected[2 * i] = column[static_cast<std::size_t>(2 * here.source(i))];
  const OnDevice<U> on_device(column);
  there.permute(Gpu{}, Column<U>{on_device.data(), n, 2});
  CHECK(on_device.values() == expected);
}

} // namespace

TEST_CASE("a sort on the device gives the CPU's order") {
  SECTION("double") { require_same_orders<double>(401); }
  SECTION("float") { require_same_orders<float>(402); }
}

TEST_CASE("columns of every type are reordered on the device, what lies between their values is not") {
  Random random(403);
  const Grid grid({Axis{9, 0.0, 1.0}, Axis{5, 0.0, 1.0, Boundary::wall, Boundary::open}, Axis{4, 0.0, 1.0}});
  const std::int64_t n = 1'000;
  const Particles<double> particles = make_particles<double>(grid, n, Placement::anywhere, random);
  CellOrder<double> here(grid), there(grid);
  here.sort(Cpu{}, particles.positions());
  const DeviceParticles<double> on_device(particles);
  there.sort(Gpu{}, on_device.positions());
  require_reordered<float>(here, there, n);
  require_reordered<double>(here, there, n);
  require_reordered<std::int32_t>(here, there, n);
  require_reordered<std::int64_t>(here, there, n);
  require_reordered<std::uint64_t>(here, there, n);

  const OnDevice<double> gathered(std::vector<double>(static_cast<std::size_t>(n)));
  there.gather(Gpu{}, on_device.x.data(), gathered.data());
  there.reorder(Gpu{}, on_device.x.column());
  CHECK(there.identity());
  const std::vector<double> x = on_device.x.values();
  CHECK(std::memcmp(gathered.values().data(), x.data(), x.size() * sizeof(double)) == 0);
  bool in_order = true;
  for (std::int64_t i = 0; i < n; ++i) {
    const double was = particles.x[static_cast<std::size_t>(here.source(i))], is = x[i];
    in_order &= std::memcmp(&was, &is, sizeof is) == 0;
  }
  CHECK(in_order);
  there.reorder(Gpu{}, on_device.x.column()); // of particles that lie in order changes nothing
  CHECK(std::memcmp(on_device.x.values().data(), x.data(), x.size() * sizeof(double)) == 0);
}

} // namespace corral::test
