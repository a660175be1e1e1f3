#include "engine/cpu/order/bucket_sort.hpp"
#include "engine/cpu/order/counting_sort.hpp"
#include "engine/cpu/order/sparse_sort.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <cstring>
#include <vector>

/// The sorts behind CellOrder::sort: which of them is taken may cost time, never a bit.
namespace corral::test {
namespace {

template <class T, class Index> struct Sorted {
  typename CellOrder<T>::Data order;
  Array<Index> permutation;
  SortScratch<T, Index> scratch;

  Sorted(const Grid& grid, std::array<Offset, 3> offset) : order(grid, offset) {}

  template <class Sort> void by(const Positions<T>& positions) {
    order.size = positions.size();
    Sort(Cpu{}, order, permutation, scratch)(positions);
  }
};

template <class V> bool same_bytes(const Array<V>& a, const Array<V>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(V)) == 0);
}

template <class T, class Index> void require_the_same(const Grid& grid, std::array<Offset, 3> offset,
                                                      const Positions<T>& positions) {
  Sorted<T, Index> counted(grid, offset), in_buckets(grid, offset);
  counted.template by<cpu::CountingSort<T, Index>>(positions);
  in_buckets.template by<cpu::BucketSort<T, Index>>(positions);
  INFO(describe(grid) << positions.size() << " particles");
  CHECK(same_bytes(counted.order.begin, in_buckets.order.begin));
  CHECK(same_bytes(counted.permutation, in_buckets.permutation));
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(same_bytes(counted.order.fraction[d], in_buckets.order.fraction[d]));
}

/// The particles with their coordinates side by side.
template <class T> std::vector<T> interleaved(const Particles<T>& particles) {
  std::vector<T> rows;
  for (std::size_t i = 0; i < particles.x.size(); ++i)
    rows.insert(rows.end(), {particles.x[i], particles.y[i], particles.z[i]});
  return rows;
}

} // namespace

TEMPLATE_TEST_CASE("the sort in buckets gives the counting sort's bits", "", float, double) {
  Random random(36);
  for (const auto& shape : all_shapes)
    for (const Sides sides : all_sides)
      for (const std::int64_t n : {0, 1, 33, 1000}) {
        const Grid grid = make_grid(shape, sides, Placement::anywhere, random);
        const auto offset = offsets(Offsets::mixed, random);
        const auto particles = make_particles<TestType>(grid, n, Placement::anywhere, random);
        require_the_same<TestType, std::uint32_t>(grid, offset, particles.positions());
        require_the_same<TestType, std::uint64_t>(grid, offset, particles.positions());
      }
}

TEMPLATE_TEST_CASE("so it does for many particles, on any number of threads", "", float, double) {
  Random random(37);
  const Grid grid = make_grid({61, 40, 23}, Sides::mixed, Placement::anywhere, random);
  const std::array offset{Offset::half, Offset::zero, Offset::half};
  const std::int64_t n = sanitized ? 70'000 : 300'000; // several buckets, of several groups each
  const auto particles = make_particles<TestType>(grid, n, Placement::anywhere, random);
  const std::vector<TestType> rows = interleaved(particles);
  const auto column = [&](std::int64_t d) { return Column<const TestType>{rows.data() + d, n, 3}; };
  for (const int threads : {1, 2, 3, 4})
    run_with_threads(threads, [&] {
      require_the_same<TestType, std::uint32_t>(grid, offset, particles.positions());
      require_the_same<TestType, std::uint64_t>(grid, offset, {{column(0), column(1), column(2)}});
    });
}

TEST_CASE("buckets are for many particles that lie in no order") {
  Random random(38);
  const Grid grid = make_grid({20, 20, 20}, Sides::periodic, Placement::anywhere, random);
  const std::array offset{Offset::half, Offset::half, Offset::half};
  auto particles = make_particles<double>(grid, 80'000, Placement::anywhere, random);
  CellOrder<double> order(grid, offset);
  const auto suits = [&] {
    return cpu::BucketSort<double, std::uint32_t>::suits(order.data(), particles.positions());
  };
  order.data().size = particles.size();
  CHECK(suits());
  order.sort(Cpu{}, particles.positions());
  order.reorder(Cpu{}, Column<double>{particles.x.data(), particles.size()},
                Column<double>{particles.y.data(), particles.size()},
                Column<double>{particles.z.data(), particles.size()});
  CHECK_FALSE(suits());
  for (std::size_t i = 0; i < particles.x.size(); i += 20) particles.x[i] = particles.x[random.below(80'000)];
  CHECK_FALSE(suits()); // 5 % that moved along x
  particles = make_particles<double>(grid, 10'000, Placement::anywhere, random);
  order.data().size = particles.size();
  CHECK_FALSE(suits());
}

TEMPLATE_TEST_CASE("the sort of few particles gives the counting sort's bits, the first time and after moves", "", float, double) {
  Random random(39);
  for (const auto& shape : all_shapes)
    for (const Sides sides : all_sides)
      for (const int threads : {1, 3}) {
        const Grid grid = make_grid(shape, sides, Placement::anywhere, random);
        const auto offset = offsets(Offsets::mixed, random);
        Sorted<TestType, std::uint32_t> counted(grid, offset);
        CellOrder<TestType> order(grid, offset);
        auto& sparse = order.data();
        for (const std::int64_t n : {33, 33, 5, 100}) { // other particles each time: beside what the last ones left
          const auto particles = make_particles<TestType>(grid, n, Placement::anywhere, random);
          counted.template by<cpu::CountingSort<TestType, std::uint32_t>>(particles.positions());
          sparse.size = n;
          run_with_threads(threads, [&] { cpu::SparseSort<TestType>(Cpu{}, sparse)(particles.positions()); });
          INFO(describe(grid) << n << " particles");
          CHECK(same_bytes(counted.order.begin, sparse.begin));
          CHECK(same_bytes(counted.permutation, sparse.permutation32));
          for (std::size_t d = 0; d < 3; ++d) CHECK(same_bytes(counted.order.fraction[d], sparse.fraction[d]));
          for (std::int64_t p = 0; p < n; ++p) {
            const std::int64_t group = sparse.sparse_groups[p];
            CHECK((sparse.begin[group] <= p && p < sparse.begin[group + 1]));
          }
        }
      }
}

TEST_CASE("few particles are sorted as such, and by turns with many") {
  Random random(40);
  const Grid grid = make_grid({70, 20, 50}, Sides::mixed, Placement::anywhere, random);
  CellOrder<double> order(grid);
  for (const std::int64_t n : {900, 20'000, 1'000, 0, 1'000, 2'000}) {
    const auto particles = make_particles<double>(grid, n, Placement::anywhere, random);
    order.sort(Cpu{}, particles.positions());
    CHECK(order.data().sparse_groups.size() == (n <= 70'000 / 64 ? n : 0));
    Sorted<double, std::uint32_t> counted(grid, {Offset::zero, Offset::zero, Offset::zero});
    counted.by<cpu::CountingSort<double, std::uint32_t>>(particles.positions());
    CHECK(same_bytes(counted.order.begin, order.data().begin));
    CHECK(same_bytes(counted.permutation, order.data().permutation32));
  }
}

} // namespace corral::test
