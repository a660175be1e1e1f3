#include "tests/engine/compare_with_reference.hpp"
#include "tests/engine/spline_kernels.hpp"

#include <corral/kernels/shipped.hpp>

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

/// Few and many particles, and cells and bricks that hold more of them than whoever owns them should take alone.
namespace corral::test {
namespace {

using Cell = std::array<int, 3>;
constexpr std::array<std::int64_t, 3> cells{21, 11, 17};

const Grid& grid() {
  static const Grid g({Axis{cells[0], 0.0, 1.0}, Axis{cells[1], 0.0, 1.0, Boundary::wall, Boundary::open},
                       Axis{cells[2], 0.0, 1.0, Boundary::wall, Boundary::wall}});
  return g;
}

/// How many particles lie in which cells.
struct Crowd {
  const char* name;
  std::vector<std::pair<Cell, std::int64_t>> particles;
  std::int64_t scattered = 0;
};

std::vector<Crowd> few_and_many() {
  std::vector<Crowd> all{{"none", {}}};
  for (const std::int64_t n : {1, 31, 33, 1'000}) all.push_back({"in one cell", {{{3, 3, 3}, n}}});
  all.push_back({"scattered", {}, sanitized ? 1'000 : 3'000});
  Crowd ladder{"up to 200 a cell", {}};
  for (int n = 1; n <= (sanitized ? 40 : 200); n += n < 70 ? 1 : 13) ladder.particles.push_back({{n % 21, n / 21, 3 + n % 2}, n});
  all.push_back(ladder);
  return all;
}

/// In the last cell; and in two of one brick, one of another, and one at its end, whose points lie in both.
std::vector<Crowd> crowds() {
  const Cell last{cells[0] - 1, cells[1] - 1, cells[2] - 1};
  return {{"in one cell", {{last, 5'000}}},
          {"in few cells", {{{3, 3, 3}, 3'200}, {{4, 3, 3}, 1'025}, {{16, 2, 14}, 4'097}, {{7, 7, 7}, 1'024}}, 300}};
}

template <class T> Particles<T> particles_of(const Crowd& crowd, Random& random) {
  Particles<T> p;
  const auto put = [&](const std::array<double, 3>& low, const std::array<double, 3>& size) {
    p.x.push_back(static_cast<T>(low[0] + size[0] * random.uniform(0.01, 0.99)));
    p.y.push_back(static_cast<T>(low[1] + size[1] * random.uniform(0.01, 0.99)));
    p.z.push_back(static_cast<T>(low[2] + size[2] * random.uniform(0.01, 0.99)));
  };
  for (const auto& [cell, n] : crowd.particles)
    for (std::int64_t i = 0; i < n; ++i)
      put({static_cast<double>(cell[0]), static_cast<double>(cell[1]), static_cast<double>(cell[2])}, {1, 1, 1});
  for (std::int64_t i = 0; i < crowd.scattered; ++i)
    put({0, 0, 0}, {static_cast<double>(cells[0]), static_cast<double>(cells[1]), static_cast<double>(cells[2])});
  return p;
}

/// What maps of the case's particles give: of the column that `random` draws next a spread, of the field drawn then what is read.
template <class T, class K> std::pair<std::vector<T>, std::vector<T>> map_again(const K& kernel, MapCase<T> c, Random random) {
  const std::int64_t n = c.particles.size();
  CellOrder<T> order(c.grid, c.offset);
  run_sort(order, c.particles.positions());
  if (c.identity)
    run_reorder(order, Column<T>{c.particles.x.data(), n}, Column<T>{c.particles.y.data(), n},
                Column<T>{c.particles.z.data(), n});
  const std::vector<T> value = random_column<T>(n, random);
  OwnedField<T> field(c.grid, c.staggering, c.wall_sign, 1), drawn = random_field<T>(c.grid, c.staggering, c.wall_sign, 1, random);
  std::vector<T> read(value.size(), T(untouched));
  run_spread(order, kernel, {Spread<T>{Column<const T>{value.data(), n}, field.view}}, c.method);
  run_interpolate(order, kernel, {Interpolate<T>{drawn.view, Column<T>{read.data(), n}}}, reading_method(c.method));
  return {std::move(field.values), std::move(read)};
}

/// Equals the reference, and has the same bits when blocks and threads take turns otherwise.
template <class T, class K>
void require_same(const K& kernel, Method method, Staggering staggering, const std::vector<Crowd>& crowds) {
  for (const Crowd& crowd : crowds) {
    INFO(K::name << " by " << name(method) << ", " << name(staggering) << ", " << crowd.name);
    Random random(711);
    MapCase<T> c{grid(), particles_of<T>(crowd, random), staggering, {Sign::plus, Sign::plus, Sign::minus},
                 {Offset::half, Offset::zero, Offset::half}, 1, 1, random.coin(), method};
    const MapCase<T> as_drawn = c;
    const Random column = random;
    const Mapped<T> mapped = compare_with_reference(kernel, c, random);
    const std::pair once{mapped.spread.values, mapped.interpolated};
    if (method == Method::atomic || sanitized) continue; // other orders show other bits, not other accesses
#ifdef CORRAL_CUDA_ON_HOST
    const bool odd = static_cast<int>(method) % 2 == 1;
    for (const auto order : {cuda_on_host::Order::reverse, cuda_on_host::Order::warps}) {
      if (!thorough() && odd == (order == cuda_on_host::Order::reverse)) continue;
      cuda_on_host::Configuration other = cuda_on_host::configuration();
      other.order = order;
      const cuda_on_host::ScopedConfiguration scope(other);
      const bool same = map_again(kernel, as_drawn, column) == once;
      CHECK(same);
    }
#else
    const bool same = map_again(kernel, as_drawn, column) == once;
    CHECK(same);
#endif
  }
}

/// Both precisions of each kernel; where a device is emulated, each kernel in one, and in the other by the next method.
void require_same_by_every_method(const std::vector<Crowd>& crowds) {
  const bool both = thorough() || !(emulated || sanitized);
  bool linear_in_double = false;
  for (const Method method : all_methods(Backend{})) {
    linear_in_double = !linear_in_double;
    if (both || linear_in_double) require_same<double>(kernels::Linear{}, method, Staggering::face_z, crowds);
    if (both || !linear_in_double) require_same<float>(kernels::Linear{}, method, Staggering::centre, crowds);
    if (!serves_any_kernel(method)) continue;
    if (both || !linear_in_double) require_same<double>(Cubic{}, method, Staggering::face_x, crowds);
    if (both || linear_in_double) require_same<float>(Cubic{}, method, Staggering::node, crowds);
  }
}

} // namespace

TEST_CASE("from no particle to many, by every method") { require_same_by_every_method(few_and_many()); }

TEST_CASE("cells and bricks crowded with particles, by every method") { require_same_by_every_method(crowds()); }

#ifdef CORRAL_TEST_ON_GPU
TEST_CASE("bricks side by side and at an end that are crowded, by towers") {
  const Cell last{cells[0] - 1, cells[1] - 1, cells[2] - 1};
  const std::vector<Crowd> of_towers{
      {"in four bricks",
       {{last, 8'193}, {{7, 7, 7}, 17'000}, {{8, 7, 7}, 8'300}, {{7, 8, 9}, 8'193}, {{3, 3, 3}, 40}},
       200}};
  require_same<double>(Cubic{}, Method::towers, Staggering::face_x, of_towers);
}
#endif

} // namespace corral::test
