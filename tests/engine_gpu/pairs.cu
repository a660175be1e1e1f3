#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/pairs.cuh>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

/// Pairs on the device are the CPU's, to the bit, and but with `mixed` in its order.
namespace corral::test {
namespace {

constexpr std::array methods{PairMethod::automatic, PairMethod::targets, PairMethod::staged, PairMethod::mixed};

/// Writes the pairs of each target one behind the other; only counts them where `source` is null.
struct Record {
  std::int64_t* count;       ///< of each target
  const std::int64_t* first; ///< where its pairs begin
  std::int64_t* source;
  double* apart; ///< three of each, and the square
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, std::int64_t j, const std::array<double, 3>& r, double square) const {
    const std::int64_t to = count[i]++;
    if (source == nullptr) return;
    source[first[i] + to] = j;
    for (std::size_t d = 0; d < 3; ++d) apart[4 * (first[i] + to) + static_cast<std::int64_t>(d)] = r[d];
    apart[4 * (first[i] + to) + 3] = square;
  }
};
/// Pairs of different kinds.
struct Differ {
  CORRAL_HOST_DEVICE bool operator()(std::int64_t i, std::int64_t j) const { return i % 3 != j % 3; }
};

struct Recorded {
  std::vector<std::int64_t> count, source;
  std::vector<double> apart;
  bool operator==(const Recorded&) const = default;
};

/// Each target's pairs sorted by source and place.
Recorded sorted(const Recorded& by) {
  Recorded to = by;
  std::int64_t first = 0;
  for (const std::int64_t count : by.count) {
    std::vector<std::array<double, 5>> pairs;
    for (std::int64_t p = first; p < first + count; ++p)
      pairs.push_back({static_cast<double>(by.source[p]), by.apart[4 * p], by.apart[4 * p + 1], by.apart[4 * p + 2],
                       by.apart[4 * p + 3]});
    std::sort(pairs.begin(), pairs.end());
    for (std::int64_t p = first; p < first + count; ++p) {
      const std::array<double, 5>& pair = pairs[p - first];
      to.source[p] = static_cast<std::int64_t>(pair[0]);
      std::copy(pair.begin() + 1, pair.end(), to.apart.begin() + 4 * p);
    }
    first += count;
  }
  return to;
}
bool in_order_of_cpu(PairMethod method) { return method == PairMethod::targets || method == PairMethod::staged; }

std::vector<std::int64_t> begins(const std::vector<std::int64_t>& count) {
  std::vector<std::int64_t> first{0};
  for (const std::int64_t c : count) first.push_back(first.back() + c);
  return first;
}

/// What call(f) hands to f, a call on the device.
template <class Call> Recorded record_there(std::size_t targets, const Call& call) {
  const std::vector<std::int64_t> none(targets, 0);
  OnDevice<std::int64_t> counts(none);
  call(Record{counts.data(), nullptr, nullptr, nullptr});
  Recorded got{counts.values(), {}, {}};
  const std::vector<std::int64_t> first = begins(got.count);
  const OnDevice<std::int64_t> again(none), at(first), source(std::vector<std::int64_t>(first.back(), -1));
  const OnDevice<double> apart(std::vector<double>(4 * first.back(), -1));
  call(Record{again.data(), at.data(), source.data(), apart.data()});
  got.source = source.values(), got.apart = apart.values();
  return got;
}
template <class Call> Recorded record_here(std::size_t targets, const Call& call) {
  Recorded got{std::vector<std::int64_t>(targets, 0), {}, {}};
  call(Record{got.count.data(), nullptr, nullptr, nullptr});
  const std::vector<std::int64_t> first = begins(got.count);
  got.count.assign(targets, 0), got.source.assign(first.back(), -1), got.apart.assign(4 * first.back(), -1);
  call(Record{got.count.data(), first.data(), got.source.data(), got.apart.data()});
  return got;
}

/// Particles, sorted on both processors; a fifth of them nowhere.
struct Twice {
  Particles<double> given;
  CellOrder<double> here, there;

  Twice(const Grid& grid, Random& random, std::int64_t n, bool crowded) : here(grid), there(grid) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::array<double, 3> x{};
      for (int d = 0; d < 3; ++d) {
        const Axis& axis = grid.axis(d);
        const double u = crowded && i % 2 == 0 ? 0.75 / static_cast<double>(axis.cells) : random.uniform(0, 1);
        x[static_cast<std::size_t>(d)] = axis.origin + axis.length() * (i % 7 == 0 ? u / 64 * 16 : u);
      }
      given.x.push_back(x[0]);
      given.y.push_back(i % 5 == 4 ? std::numeric_limits<double>::quiet_NaN() : x[1]);
      given.z.push_back(x[2]);
    }
    here.sort(Cpu{}, given.positions());
    const DeviceParticles<double> on_device(given);
    there.sort(Gpu{}, on_device.positions());
  }
};

Grid grid_of(const std::array<std::int64_t, 3>& cells, unsigned walls) {
  std::array<Axis, 3> axes{Axis{cells[0], -1, 0.5}, Axis{cells[1], 2, 0.3}, Axis{cells[2], 0, 0.4}};
  for (std::size_t d = 0; d < 3; ++d)
    if ((walls >> d & 1) != 0) axes[d].low = Boundary::wall, axes[d].high = d == 1 ? Boundary::open : Boundary::wall;
  return Grid(axes);
}

void check(const Grid& grid, const Twice& targets, const Twice& sources, double cut_off) {
  const std::size_t n = targets.given.x.size();
  const auto expected = record_here(n, [&](const Record& record) {
    for_each_pair(Cpu{}, grid, targets.here.view(Cpu{}), sources.here.view(Cpu{}), cut_off, record);
  });
  const auto of_kinds = record_here(n, [&](const Record& record) {
    for_each_pair(Cpu{}, grid, targets.here.view(Cpu{}), sources.here.view(Cpu{}), cut_off, record, Differ{});
  });
  for (const PairMethod method : methods) {
    CAPTURE(static_cast<int>(method), cut_off);
    const auto call = [&](const auto& f, const auto& meets) {
      for_each_pair(Gpu{}, grid, targets.there.view(Gpu{}), sources.there.view(Gpu{}), cut_off, f, meets, method);
    };
    const auto every = record_there(n, [&](const Record& record) { call(record, EveryPair{}); });
    const auto some = record_there(n, [&](const Record& record) { call(record, Differ{}); });
    CHECK(sorted(every) == sorted(expected));
    CHECK(sorted(some) == sorted(of_kinds));
    if (!in_order_of_cpu(method)) continue;
    CHECK(every == expected);
    CHECK(some == of_kinds);
  }
}

/// How many pairs a target is in, and how far off they are.
struct CountAndAdd {
  double* sums;
  std::int64_t* ended;
  struct Source {
    double index;
    float half;
  };
  struct Sum {
    double of_indices = 0, of_squares = 0;
  };
  CORRAL_HOST_DEVICE Source source(std::int64_t, std::int64_t j) const { return {static_cast<double>(j), 0.5f}; }
  CORRAL_HOST_DEVICE Sum begin(std::int64_t) const { return {}; }
  CORRAL_HOST_DEVICE void add(const Source& s, const std::array<double, 3>&, double square, Sum& sum) const {
    sum.of_indices += s.index + static_cast<double>(s.half);
    sum.of_squares += square;
  }
  CORRAL_HOST_DEVICE void end(std::int64_t i, const Sum& sum) const {
    sums[2 * i] = sum.of_indices, sums[2 * i + 1] = sum.of_squares;
    ++ended[i];
  }
};

} // namespace

TEST_CASE("pairs on the device are the CPU's, to the bit") {
  Random random(29);
  constexpr std::array<std::int64_t, 4> cells{1, 2, 3, 9};
  std::size_t s = 0;
  for (const std::int64_t nx : cells)
    for (const std::int64_t ny : cells)
      for (unsigned walls = 0; walls < 8; walls += 1 + (s % 3 == 0 ? 1 : 0)) {
        const std::int64_t nz = cells[s % 4];
        const Grid grid = grid_of({nx, ny, nz}, walls);
        const double shortest = std::min({grid.axis(0).length(), grid.axis(1).length(), grid.axis(2).length()});
        const std::array<double, 6> cut_offs{0.1, 0.35, 0.6, 1.1, 1.7 * shortest, 4 * shortest};
        const double cut_off = cut_offs[s % cut_offs.size()];
        const std::int64_t n = s % 5 == 0 ? 150 : 40, m = s % 7 == 0 ? 0 : s % 5 == 2 ? 180 : 30;
        const Twice sources(grid, random, n, s % 4 == 1), targets(grid, random, m, s % 3 == 1);
        INFO("cells " << nx << " " << ny << " " << nz << ", walls " << walls << ", scene " << s);
        check(grid, targets, sources, cut_off);
        if (s % 2 == 0) check(grid, sources, sources, cut_off);
        ++s;
      }
}

TEST_CASE("cells of any number of targets share blocks: pairs stay the CPU's") {
  Random random(31);
  const Grid grid = grid_of({13, 2, 2}, 3);
  for (const std::int64_t n : {3, 60, 300, 900}) { // to a cell: a few, several cells a block, and cells of several warps
    const Twice set(grid, random, n, n == 900), few(grid, random, 20, false);
    check(grid, set, few, 0.7);
    check(grid, few, set, 0.7);
  }
}

TEST_CASE("every target of sum_pairs ends once, with the bits of the CPU's order") {
  Random random(37);
  const Grid grid = grid_of({5, 4, 3}, 2);
  const Twice targets(grid, random, 200, false), sources(grid, random, 300, false);
  std::vector<double> expected(400, 0);
  for_each_pair(Cpu{}, grid, targets.here.view(Cpu{}), sources.here.view(Cpu{}), 0.6,
                [&](std::int64_t i, std::int64_t j, const std::array<double, 3>&, double square) {
                  expected[2 * i] += static_cast<double>(j) + 0.5, expected[2 * i + 1] += square;
                });
  for (const PairMethod method : methods) {
    const OnDevice<double> sums(std::vector<double>(400, 0));
    const OnDevice<std::int64_t> ended(std::vector<std::int64_t>(200, 0));
    sum_pairs(Gpu{}, grid, targets.there.view(Gpu{}), sources.there.view(Gpu{}), 0.6, CountAndAdd{sums.data(), ended.data()},
              method);
    const std::vector<double> got = sums.values();
    if (in_order_of_cpu(method)) CHECK(got == expected);
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) <= 1e-14 * expected[i]);
    const std::vector<std::int64_t> times = ended.values();
    for (std::int64_t i = 0; i < 200; ++i) CHECK(times[i] == (i % 5 == 4 ? 0 : 1));
  }
}

TEST_CASE("pairs on the device refuse what those on the CPU refuse") {
  Random random(41);
  const Grid grid = grid_of({5, 4, 3}, 2), other = grid_of({5, 4, 2}, 2);
  const Twice set(grid, random, 10, false), strange(other, random, 10, false);
  const auto message = [&](const Twice& targets, double cut_off) {
    return message_of([&] {
      for_each_pair(Gpu{}, grid, targets.there.view(Gpu{}), set.there.view(Gpu{}), cut_off, Record{});
    });
  };
  CHECK(message(strange, 1).starts_with("the order of targets has 5 x 4 x 2 groups"));
  CHECK(message(set, -1).starts_with("pairs within a cut-off of -1 m (a positive, finite length"));
}

} // namespace corral::test
