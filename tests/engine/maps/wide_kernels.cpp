#include "tests/engine/map_properties.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cstring>

/// Every shipped kernel by the methods that serve any kernel.
namespace corral::test {
namespace {

#ifdef CORRAL_TEST_ON_GPU
constexpr std::array wide_methods{Method::tiles, Method::hybrid, Method::tensor_core, Method::towers, Method::grid_gather,
                                  Method::bricks};
#else
constexpr std::array wide_methods{Method::stencils, Method::tiles};
#endif

template <class K> constexpr int widest() {
  if constexpr (kernels::Kernel<K>) return K::support;
  else return std::max(decltype(K::along)::support, decltype(K::across)::support);
}

/// Every staggering on a few shapes, with whatever sides, offsets and placement are drawn.
template <class T, class K> void require_wide(const K& kernel, Method method, std::uint64_t seed) {
  Random random(seed);
  const int points = widest<K>();
  for (const Staggering staggering : all_staggerings)
    for (int draw = 0; draw < (emulated || sanitized ? 1 : 2); ++draw) {
      Sides sides = random.pick(all_sides);
      if (points > 6 && (sides == Sides::halo || sides == Sides::mixed)) sides = Sides::periodic; // few ghosts
      // Polynomials of a window differ by their error where they meet: which one serves a tie is the map's choice.
      const Placement placement = kernels::sums_to_one<K> ? random.pick(all_placements) : Placement::anywhere;
      const Grid grid = make_grid(random.pick(all_shapes), sides, placement, random);
      const std::int64_t n = std::clamp(60'000 / (points * points * points), 10, 600);
      MapCase<T> c{grid, make_particles<T>(grid, n, placement, random), staggering, wall_signs(sides, random),
                   offsets(random.pick(all_offsets), random), 1 + random.below(3), 1 + random.below(2), random.coin()};
      c.method = method;
      INFO(K::name << " by " << name(method) << ", " << name(staggering) << ", " << describe(grid));
      const Mapped<T> m = compare_with_reference(kernel, c, random);
      require_adjoint(kernel, c, m);
      if constexpr (kernels::sums_to_one<K>)
        if (keeps_totals(c)) require_totals_and_constants(kernel, c, m);
    }
}

} // namespace

TEST_CASE("every shipped kernel equals the reference and is adjoint", "[values]") {
  const Method method = GENERATE(from_range(wide_methods));
  std::uint64_t seed = 100;
  kernels::for_each_shipped([&](const auto& kernel) {
    // Each in one precision with sanitizers and emulated, and of races a few kernels show all: minutes less.
    constexpr int points = widest<std::decay_t<decltype(kernel)>>();
    constexpr bool shown = !races_sought || points == 4, both = !sanitized && !emulated;
    if constexpr (shown && (both || points % 2 == 0)) require_wide<double>(kernel, method, seed + 1);
    if constexpr (shown && (both || points % 2 == 1)) require_wide<float>(kernel, method, seed + 2);
    seed += 2;
  });
}

namespace {

/// As different along the axes as kernels may be.
template <int Along, int Across> struct Windows {
  kernels::KaiserBessel<Along> along{};
  kernels::KaiserBessel<Across> across{};
  static constexpr std::string_view name = "windows";
  static constexpr bool sums_to_one = false, first_moment_vanishes = false;
};

} // namespace

TEST_CASE("kernels much wider along one axis than along the others equal the reference", "[values]") {
  const Method method = GENERATE(from_range(wide_methods));
  require_wide<double>(Windows<10, 8>{}, method, 301);
  require_wide<float>(Windows<10, 8>{}, method, 302);
  require_wide<double>(Windows<16, 2>{}, method, 303);
  require_wide<double>(Windows<3, 12>{}, method, 304);
}

namespace {

/// Several tiles along each axis; where a device is emulated it is the cells that take the time.
constexpr std::array<std::int64_t, 3> step_cells =
    emulated ? std::array<std::int64_t, 3>{36, 12, 20} : std::array<std::int64_t, 3>{70, 20, 40};

struct Step {
  Grid grid{std::array<Axis, 3>{Axis{step_cells[0], 0.0, 1.0},
                                Axis{step_cells[1], 0.0, 1.0, Boundary::wall, Boundary::open},
                                Axis{step_cells[2], 0.0, 1.0}}};
  Particles<double> particles;
  std::vector<double> value, opposite;

  explicit Step(std::int64_t n, bool clustered) {
    Random random(81);
    const auto coordinate = [&](int axis) {
      const double u = random.uniform(0, 1);
      return (clustered ? u * u * u : u) * static_cast<double>(step_cells[axis]);
    };
    for (std::int64_t i = 0; i < n; ++i) {
      particles.x.push_back(coordinate(0));
      particles.y.push_back(coordinate(1));
      particles.z.push_back(coordinate(2));
    }
    value = random_column<double>(n, random);
    for (const double v : value) opposite.push_back(-v);
  }

  /// Spreads to three faces and a pair of fields that alternate in memory, reads them, and returns all of it.
  template <class K> std::vector<double> run(const K& kernel, Method method) const {
    const std::int64_t n = particles.size();
    CellOrder<double> order(grid, {Offset::half, Offset::zero, Offset::half});
    run_sort(order, particles.positions());
    std::vector<std::vector<double>> field, read;
    std::vector<Spread<double>> spreads;
    std::vector<Interpolate<double>> interpolations;
    const auto add = [&](const FieldView<double>& view, const std::vector<double>& column) {
      read.emplace_back(static_cast<std::size_t>(n), 0.0);
      spreads.push_back({{column.data(), n}, view});
      interpolations.push_back({view, {read.back().data(), n}});
    };
    for (const Staggering s : {Staggering::face_x, Staggering::face_y, Staggering::face_z}) {
      field.emplace_back(static_cast<std::size_t>(grid.points(s)), 0.0);
      add(field_view(grid, field.back().data(), s), value);
    }
    field.emplace_back(static_cast<std::size_t>(2 * grid.points(Staggering::centre)), 0.0);
    FieldView<double> part = field_view(grid, field.back().data(), Staggering::centre);
    for (auto& s : part.stride) s *= 2;
    add(part, value);
    ++part.data;
    add(part, opposite);
    run_spread(order, kernel, std::span<const Spread<double>>(spreads), method);
    const Method reads = reading_method(method) == method ? method : Method::stencils; // each way to read once
    run_interpolate(order, kernel, std::span<const Interpolate<double>>(interpolations), reads);
    std::vector<double> all;
    for (const auto& f : field) all.insert(all.end(), f.begin(), f.end());
    for (const auto& r : read) all.insert(all.end(), r.begin(), r.end());
    return all;
  }
};

} // namespace

TEST_CASE("wide kernels give the same bits for any number of threads") {
  const bool clustered = GENERATE(false, true);
  const Step step(emulated ? 500 : sanitized ? 6'000 : 30'000, clustered);
  const auto require_same = [&](const auto& kernel, Method method) {
    INFO(std::decay_t<decltype(kernel)>::name << " by " << name(method));
    std::vector<double> expected;
    run_with_threads(1, [&] { expected = step.run(kernel, method); });
    for (const int threads : {2, 3, 4})
      for (int repeat = 0; repeat < (emulated || sanitized ? 1 : 3); ++repeat) {
        if ((emulated || sanitized) && threads > 2) continue;
        std::vector<double> found;
        run_with_threads(threads, [&] { found = step.run(kernel, method); });
        CHECK(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(double)) == 0);
      }
  };
  for (const Method method : wide_methods) {
    if (!emulated || clustered) require_same(kernels::Peskin4{}, method); // emulated in turn
    if (!emulated || !clustered) require_same(kernels::KaiserBessel<7>{}, method);
    if (!emulated || clustered) require_same(kernels::Composite43{}, method);
  }
}

TEST_CASE("stencils and tiles and the choice between them agree on single and alternating fields") {
  for (const std::int64_t n : {300, emulated ? 1'000 : 20'000}) {
    const Step step(n, false);
    const auto require_same = [&](const auto& kernel) {
      INFO(std::decay_t<decltype(kernel)>::name << ", " << n << " particles");
      const std::vector<double> a = step.run(kernel, wide_methods[0]), b = step.run(kernel, wide_methods[1]),
                                c = step.run(kernel, Method::automatic);
      const int points = widest<std::decay_t<decltype(kernel)>>();
      const double allowed = round_off<double>(n) * points; // of terms below 1; reading adds what many have spread
      double worst = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max({worst, excess(a[i], b[i], allowed), excess(a[i], c[i], allowed)});
      CHECK(worst <= 1);
      for (std::size_t i = static_cast<std::size_t>(step.grid.points(Staggering::face_x) +
                                                    step.grid.points(Staggering::face_y) +
                                                    step.grid.points(Staggering::face_z)),
                       end = i + static_cast<std::size_t>(2 * step.grid.points(Staggering::centre));
           i < end; i += 2)
        if (b[i] != -b[i + 1]) FAIL("opposite columns spread to alternating fields gave other than opposite results");
    };
    require_same(kernels::Ib6{});
    require_same(kernels::KaiserBessel<8>{});
    require_same(kernels::BSpline<3>{});
  }
}

} // namespace corral::test
