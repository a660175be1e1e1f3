#include "engine/cpu/slabs.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/compare_with_reference.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

/// The same bits for any number of threads, every time.
namespace corral::test {
namespace {

const int repeats = sanitized ? 1 : thorough() ? 20 : 4; // what races or is read amiss, sanitizers see at once
const int two_repeats = std::min(repeats, 2), few_repeats = std::max(repeats / 4, 1);
constexpr std::int64_t many = sanitized ? 3000 : 20'000, most = sanitized ? 20'000 : 50'000;

/// FNV-1a, over words of 64 bits.
template <class T> void hash(std::uint64_t& h, const std::vector<T>& values) {
  for (const T& value : values) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    h = (h ^ word) * 0x100000001b3u;
  }
}

enum class Cloud { uniform, clustered, one_cell };

template <class T> Particles<T> make_cloud(Cloud cloud, std::int64_t n) {
  Random random(41);
  Particles<T> p;
  const auto coordinate = [&](double cells) {
    const double u = random.uniform(0, 1);
    if (cloud == Cloud::uniform) return u * cells;
    return cloud == Cloud::clustered ? u * u * u * u * cells : 3 + u;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    p.x.push_back(static_cast<T>(coordinate(12)));
    p.y.push_back(static_cast<T>(coordinate(16)));
    p.z.push_back(static_cast<T>(coordinate(40)));
  }
  return p;
}

/// Sorts, spreads to every staggering and interpolates from what was spread; the hash of all of it.
template <class T, class Kernel>
std::uint64_t hash_of_step(const Grid& grid, const Particles<T>& particles, const std::vector<T>& value,
                           Method method) {
  CellOrder<T> order(grid, {Offset::half, Offset::half, Offset::half});
  order.sort(Cpu{}, particles.positions());
  const std::int64_t n = particles.size();
  std::uint64_t h = 0xcbf29ce484222325u;
  std::vector<std::vector<T>> field, read;
  std::vector<Spread<T>> spreads;
  std::vector<Interpolate<T>> interpolations;
  for (const Staggering s : all_staggerings) {
    field.emplace_back(static_cast<std::size_t>(grid.points(s)), T(0));
    read.emplace_back(static_cast<std::size_t>(n), T(0));
    spreads.push_back({{value.data(), n}, field_view(grid, field.back().data(), s)});
    interpolations.push_back({spreads.back().field, {read.back().data(), n}});
  }
  spread(Cpu{}, order, Kernel{}, std::span<const Spread<T>>(spreads), method);
  interpolate(Cpu{}, order, Kernel{}, std::span<const Interpolate<T>>(interpolations),
              reading_method(method));
  for (const auto& f : field) hash(h, f);
  for (const auto& r : read) hash(h, r);
  return h;
}

template <class T, class Kernel>
void require_one_hash(Cloud cloud, int times, Method method = Method::automatic, std::int64_t n = most) {
  const Grid grid({Axis{12, 0.0, 1.0}, Axis{16, 0.0, 1.0, Boundary::wall, Boundary::wall},
                   Axis{40, 0.0, 1.0, Boundary::open, Boundary::wall}});
  Random random(42);
  const Particles<T> particles = make_cloud<T>(cloud, n);
  if (cloud == Cloud::uniform && n >= 20'000) { // several slabs run at once
    constexpr std::int64_t widest = 5;
    CellOrder<T> order(grid, {Offset::half, Offset::half, Offset::half});
    order.sort(Cpu{}, particles.positions());
    REQUIRE(cpu::RowPlan::of<T>(order.data(), cpu::RowPlan::reach<T>(order.data(), widest)).slabs() >= 4);
    REQUIRE(cpu::Slabs::of<T>(order.data(), widest).count() >= 4);
  }
  const std::vector<T> value = random_column<T>(n, random);
  std::uint64_t expected = 0;
  run_with_threads(1, [&] { expected = hash_of_step<T, Kernel>(grid, particles, value, method); });
  for (const int threads : thread_counts)
    run_with_threads(threads, [&] {
      REQUIRE(current_threads() == threads);
      int different = 0;
      for (int i = 0; i < times; ++i) different += hash_of_step<T, Kernel>(grid, particles, value, method) != expected;
      INFO(Kernel::name << " by " << name(method) << ", " << threads << " threads");
      CHECK(different == 0);
    });
}

} // namespace

TEST_CASE("maps give the same bits for any number of threads") {
  const Cloud cloud = GENERATE(Cloud::uniform, Cloud::clustered, Cloud::one_cell);
  require_one_hash<double, kernels::Linear>(cloud, repeats);
  require_one_hash<float, kernels::Linear>(cloud, few_repeats);
  require_one_hash<double, kernels::Nearest>(cloud, few_repeats);
  require_one_hash<double, Cubic>(cloud, two_repeats);
  require_one_hash<float, Cubic>(cloud, two_repeats); // several blocks a brick
}

TEST_CASE("every method but atomic gives the same bits for any number of threads") {
  for (const Method method : all_methods(Cpu{})) {
    if (method == Method::atomic) continue;
    require_one_hash<double, kernels::Linear>(Cloud::clustered, repeats, method, many);
    if (!serves_any_kernel(method)) continue;
    require_one_hash<double, kernels::Peskin4>(Cloud::uniform, few_repeats, method, many);
    require_one_hash<float, kernels::Composite43>(Cloud::clustered, two_repeats, method, many);
  }
}

TEST_CASE("sums and maxima give the same bits for any number of threads") {
  Random random(43);
  const std::int64_t n = 50'001;
  const std::vector<double> values = random_column<double>(n, random);
  const auto at = [&](std::int64_t i) { return values[i]; };
  const double expected = sum(Cpu{}, n, at);
  double forward = 0, absolute = 0;
  for (const double v : values) {
    forward += v;
    absolute += std::abs(v);
  }
  CHECK(std::abs(expected - forward) <= same_in_any_order(n) * absolute);
  for (const int threads : thread_counts)
    run_with_threads(threads, [&] {
      int different = 0;
      for (int i = 0; i < repeats; ++i) different += sum(Cpu{}, n, at) != expected;
      CHECK(different == 0);
      CHECK(maximum(Cpu{}, n, -9.0, at) == *std::max_element(values.begin(), values.end()));
    });
}

} // namespace corral::test
