#include "tests/engine/compare_with_reference.hpp"

#include <corral/kernels/shipped.hpp>

#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

/// What a map's result must not depend on: the order of the input, the company of other terms, strides, identity.
namespace corral::test {
namespace {

constexpr kernels::Linear linear;
constexpr std::array plus{Sign::plus, Sign::plus, Sign::plus};

/// The same bits: NaN equals NaN, and 0 differs from -0.
template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T> Column<const T> column(const std::vector<T>& values) {
  return {values.data(), static_cast<std::int64_t>(values.size())};
}
template <class T> Column<T> column(std::vector<T>& values) {
  return {values.data(), static_cast<std::int64_t>(values.size())};
}

/// Particles of a grid with walls, an order of them, and columns and fields to map.
template <class T> struct Scene {
  Random random{21};
  Grid grid;
  Particles<T> particles;
  CellOrder<T> order{grid, {Offset::half, Offset::half, Offset::half}};

  explicit Scene(std::array<std::int64_t, 3> cells = {9, 7, 5}, std::int64_t n = 1000)
      : grid(make_grid(cells, Sides::wall_plus, Placement::anywhere, random)),
        particles(make_particles<T>(grid, n, Placement::anywhere, random)) {
    order.sort(Cpu{}, particles.positions());
  }
  OwnedField<T> empty(Staggering s, std::int64_t step = 1) const { return {grid, s, plus, step}; }
  OwnedField<T> field(Staggering s) { return random_field<T>(grid, s, plus, 1, random); }
  std::vector<T> values() { return random_column<T>(particles.size(), random); }
};

template <class T> std::vector<T> permuted(const std::vector<T>& values, const std::vector<std::size_t>& from) {
  std::vector<T> result;
  for (const std::size_t i : from) result.push_back(values[i]);
  return result;
}

} // namespace

TEMPLATE_TEST_CASE("shuffled particles change sums by the order of additions only", "", float, double) {
  Scene<TestType> scene;
  const std::vector<TestType> value = scene.values();
  std::vector<std::size_t> from(value.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  for (std::size_t i = from.size() - 1; i > 0; --i)
    std::swap(from[i], from[static_cast<std::size_t>(scene.random.below(static_cast<std::int64_t>(i) + 1))]);
  const Particles<TestType> shuffled{permuted(scene.particles.x, from), permuted(scene.particles.y, from),
                                     permuted(scene.particles.z, from)};
  const std::vector<TestType> shuffled_value = permuted(value, from);
  CellOrder<TestType> other(scene.grid, {Offset::half, Offset::half, Offset::half});
  other.sort(Cpu{}, shuffled.positions());

  for (const Staggering s : all_staggerings) {
    INFO(name(s));
    OwnedField<TestType> a = scene.empty(s), b = scene.empty(s);
    spread(Cpu{}, scene.order, linear, {{column(value), a.view}});
    spread(Cpu{}, other, linear, {{column(shuffled_value), b.view}});
    const MapCase<TestType> c{scene.grid, scene.particles, s, plus, {}};
    const SpreadTerms<TestType> terms(linear, c, value);
    double worst = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const auto count = static_cast<std::int64_t>(terms.count.values[i]);
      worst = std::max(worst, excess(double{a.values[i]}, double{b.values[i]},
                                     same_in_any_order<TestType>(count) * double{terms.absolute.values[i]}));
    }
    CHECK(worst <= 1);

    const OwnedField<TestType> field = scene.field(s);
    std::vector<TestType> read(value.size(), 0), shuffled_read(value.size(), 0);
    interpolate(Cpu{}, scene.order, linear, {{field.view, column(read)}});
    interpolate(Cpu{}, other, linear, {{field.view, column(shuffled_read)}});
    CHECK(same_bits(permuted(read, from), shuffled_read));
  }
}

TEST_CASE("several terms in one call give the bits of single calls") {
  Scene<double> scene;
  for (const Staggering s : all_staggerings)
    for (std::size_t terms = 1; terms <= 9; ++terms) {
      INFO(name(s) << ", " << terms << " terms");
      std::vector<std::vector<double>> value(terms), read(terms), read_alone(terms);
      std::vector<OwnedField<double>> together, field;
      std::vector<Spread<double>> spreads;
      std::vector<Interpolate<double>> interpolations;
      for (std::size_t t = 0; t < terms; ++t) {
        value[t] = t % 3 == 2 ? std::vector<double>{} : scene.values(); // every third term shares the column before
        read[t] = read_alone[t] = std::vector<double>(1000, untouched);
        together.push_back(scene.empty(s, 1 + static_cast<std::int64_t>(t % 2)));
        field.push_back(scene.field(s));
      }
      const auto value_of = [&](std::size_t t) { return column(std::as_const(value[t % 3 == 2 ? t - 1 : t])); };
      for (std::size_t t = 0; t < terms; ++t) {
        spreads.push_back({value_of(t), together[t].view});
        interpolations.push_back({field[t].view, column(read[t])});
      }
      spread(Cpu{}, scene.order, linear, std::span<const Spread<double>>(spreads));
      interpolate(Cpu{}, scene.order, linear, std::span<const Interpolate<double>>(interpolations));
      for (std::size_t t = 0; t < terms; ++t) {
        OwnedField<double> alone = scene.empty(s, 1 + static_cast<std::int64_t>(t % 2));
        spread(Cpu{}, scene.order, linear, {{value_of(t), alone.view}});
        interpolate(Cpu{}, scene.order, linear, {{field[t].view, column(read_alone[t])}});
        CHECK(same_bits(together[t].values, alone.values));
        CHECK(same_bits(read[t], read_alone[t]));
      }
    }
}

namespace {

/// So many fields that lie alike, but for what their third one skips, in one call of stencils and one by one.
template <class T, class K> void require_alike_fields_share_a_walk(std::size_t terms, std::int64_t third_step, const K& kernel) {
  Scene<T> scene({19, 7, 5}, 150); // a batch that is full, and one that is not; walls are within reach of most
  INFO(K::name << ", " << terms << " terms, step " << third_step << " of the third");
  for (const Staggering s : {Staggering::centre, Staggering::face_y}) {
    std::vector<std::vector<T>> value, read(terms, std::vector<T>(150, T(untouched)));
    std::vector<OwnedField<T>> together, field;
    std::vector<Spread<T>> spreads;
    std::vector<Interpolate<T>> interpolations;
    for (std::size_t t = 0; t < terms; ++t) {
      value.push_back(scene.values());
      together.push_back(scene.empty(s, t == 2 ? third_step : 1));
      field.push_back(scene.field(s));
    }
    for (std::size_t t = 0; t < terms; ++t) {
      spreads.push_back({column(std::as_const(value[t])), together[t].view});
      interpolations.push_back({field[t].view, column(read[t])});
    }
    spread(Cpu{}, scene.order, kernel, std::span<const Spread<T>>(spreads), Method::stencils);
    interpolate(Cpu{}, scene.order, kernel, std::span<const Interpolate<T>>(interpolations), Method::stencils);
    for (std::size_t t = 0; t < terms; ++t) {
      OwnedField<T> alone = scene.empty(s, t == 2 ? third_step : 1);
      std::vector<T> read_alone(150, T(untouched));
      spread(Cpu{}, scene.order, kernel, {{column(std::as_const(value[t])), alone.view}}, Method::stencils);
      interpolate(Cpu{}, scene.order, kernel, {{field[t].view, column(read_alone)}}, Method::stencils);
      CHECK(same_bits(together[t].values, alone.values));
      CHECK(same_bits(read[t], read_alone));
    }
  }
}

} // namespace

TEMPLATE_TEST_CASE("fields that are mapped in one walk have the bits of single calls", "", float, double) {
  for (const std::size_t terms : {2, 3, 4, 7})
    for (const std::int64_t step : {1, 2}) {
      require_alike_fields_share_a_walk<TestType>(terms, step, kernels::Roma3{});
      require_alike_fields_share_a_walk<TestType>(terms, step, kernels::Ib6{}); // wider than the box is deep
      require_alike_fields_share_a_walk<TestType>(terms, step, kernels::KaiserBessel<12>{}); // rows in two pieces
    }
}

namespace {

/// Ten fields of all staggerings in one call, and one by one.
template <class K> void require_fields_share_a_call(Scene<double>& scene, const K& kernel) {
  INFO(K::name << ", " << describe(scene.grid));
  const std::vector<double> value = scene.values();
  std::vector<OwnedField<double>> together, alone, field;
  std::vector<std::vector<double>> read(10, std::vector<double>(value.size(), untouched));
  std::vector<Spread<double>> spreads;
  std::vector<Interpolate<double>> interpolations;
  for (std::size_t t = 0; t < 10; ++t) {
    const Staggering s = all_staggerings[t % 5];
    const std::array sign = t < 5 ? plus : std::array{Sign::minus, Sign::plus, Sign::minus};
    together.emplace_back(scene.grid, s, sign, 1);
    alone.emplace_back(scene.grid, s, sign, 1);
    field.push_back(random_field<double>(scene.grid, s, sign, 1, scene.random));
  }
  for (std::size_t t = 0; t < 10; ++t) {
    spreads.push_back({column(value), together[t].view});
    interpolations.push_back({field[t].view, column(read[t])});
    spread(Cpu{}, scene.order, kernel, {{column(value), alone[t].view}});
  }
  spread(Cpu{}, scene.order, kernel, std::span<const Spread<double>>(spreads));
  interpolate(Cpu{}, scene.order, kernel, std::span<const Interpolate<double>>(interpolations));
  for (std::size_t t = 0; t < 10; ++t) {
    std::vector<double> read_alone(value.size(), untouched);
    interpolate(Cpu{}, scene.order, kernel, {{field[t].view, column(read_alone)}});
    CHECK(same_bits(together[t].values, alone[t].values));
    CHECK(same_bits(read[t], read_alone));
  }
}

} // namespace

TEST_CASE("fields of several staggerings and wall signs share a call, with the bits of single calls") {
  Scene<double> small, few({150, 21, 34}, 1500), sparse({150, 21, 34}, 9000), dense({70, 9, 40}, 60'000); // in slabs
  for (Scene<double>* scene : {&small, &few, &sparse, &dense}) {
    if (sanitized && scene == &sparse && !thorough()) continue;
    require_fields_share_a_call(*scene, linear);
    require_fields_share_a_call(*scene, kernels::Peskin4{});
    if (!sanitized || scene != &dense || thorough())
      require_fields_share_a_call(*scene, kernels::KaiserBessel<12>{}); // wider than a brick's least width
  }
}

TEMPLATE_TEST_CASE("the pass over three face grids reads the bits of single calls, and spreads their sums to round-off",
                   "", float, double) {
  const std::int64_t particles = GENERATE(60'000, 500'000); // 2 and 20 per cell: points as lanes, particles as lanes
  Scene<TestType> scene({70, 9, 40}, particles);
  const std::vector<TestType> value = scene.values();
  std::vector<OwnedField<TestType>> field, together, alone;
  std::vector<std::vector<TestType>> read(3, std::vector<TestType>(value.size(), TestType(untouched)));
  std::vector<std::vector<TestType>> read_alone = read;
  for (int d = 0; d < 3; ++d) {
    field.push_back(scene.field(face(d)));
    together.push_back(scene.empty(face(d)));
    alone.push_back(scene.empty(face(d)));
  }
  const auto to = [&](std::vector<OwnedField<TestType>>& fields, std::size_t d) {
    return Spread<TestType>{column(value), fields[d].view};
  };
  spread(Cpu{}, scene.order, linear, {to(together, 0), to(together, 1), to(together, 2)});
  interpolate(Cpu{}, scene.order, linear, {{field[0].view, column(read[0])},
                                           {field[1].view, column(read[1])},
                                           {field[2].view, column(read[2])}});
  for (std::size_t d = 0; d < 3; ++d) {
    spread(Cpu{}, scene.order, linear, {to(alone, d)});
    interpolate(Cpu{}, scene.order, linear, {{field[d].view, column(read_alone[d])}});
    CHECK(same_bits(read[d], read_alone[d]));
    TestType worst = 0;
    for (std::size_t i = 0; i < alone[d].values.size(); ++i)
      worst = std::max(worst, std::abs(together[d].values[i] - alone[d].values[i]));
    CHECK(worst < 400 * std::numeric_limits<TestType>::epsilon()); // sums of ten to a hundred values of at most 1
  }
}

TEST_CASE("spread adds to what a field holds") {
  Scene<double> scene;
  const std::vector<double> value = scene.values();
  OwnedField<double> once = scene.empty(Staggering::node), twice = scene.empty(Staggering::node);
  spread(Cpu{}, scene.order, linear, {{column(value), once.view}});
  for (int i = 0; i < 2; ++i) spread(Cpu{}, scene.order, linear, {{column(value), twice.view}});
  for (double& v : once.values) v += v;
  CHECK(once.values == twice.values);
}

TEMPLATE_TEST_CASE("columns and positions may be interleaved", "", float, double) {
  Scene<TestType> scene;
  const std::size_t n = 1000;
  std::vector<TestType> records(5 * n, TestType(untouched)); // x y z value read
  const std::vector<TestType> value = scene.values();
  for (std::size_t i = 0; i < n; ++i) {
    records[5 * i] = scene.particles.x[i];
    records[5 * i + 1] = scene.particles.y[i];
    records[5 * i + 2] = scene.particles.z[i];
    records[5 * i + 3] = value[i];
  }
  const auto of = [&](std::int64_t k) { return Column<TestType>{records.data() + k, 1000, 5}; };
  CellOrder<TestType> order(scene.grid, {Offset::half, Offset::half, Offset::half});
  const SortCounts counts = order.sort(Cpu{}, Positions<TestType>{{of(0), of(1), of(2)}});
  CHECK(counts.inside == scene.order.counts().inside);

  const OwnedField<TestType> field = scene.field(Staggering::face_y);
  OwnedField<TestType> a = scene.empty(Staggering::face_y), b = scene.empty(Staggering::face_y);
  std::vector<TestType> read(n, TestType(untouched)), gathered;
  spread(Cpu{}, scene.order, linear, {{column(value), a.view}});
  spread(Cpu{}, order, linear, {{of(3), b.view}});
  interpolate(Cpu{}, scene.order, linear, {{field.view, column(read)}});
  interpolate(Cpu{}, order, linear, {{field.view, of(4)}});
  for (std::size_t i = 0; i < n; ++i) gathered.push_back(records[5 * i + 4]);
  CHECK(same_bits(a.values, b.values));
  CHECK(same_bits(read, gathered));
}

TEMPLATE_TEST_CASE("maps of reordered particles give the bits of permuted ones", "", float, double) {
  Scene<TestType> scene;
  for (const Staggering s : all_staggerings) {
    std::vector<TestType> value = scene.values(), read(1000, TestType(untouched)), streamed = read;
    const OwnedField<TestType> field = scene.field(s);
    OwnedField<TestType> a = scene.empty(s), b = scene.empty(s);
    CellOrder<TestType> order(scene.grid, {Offset::half, Offset::zero, Offset::half});
    order.sort(Cpu{}, scene.particles.positions());
    spread(Cpu{}, order, linear, {{column(std::as_const(value)), a.view}});
    interpolate(Cpu{}, order, linear, {{field.view, column(read)}});
    order.reorder(Cpu{}, column(value), column(read));
    REQUIRE(order.identity());
    spread(Cpu{}, order, linear, {{column(std::as_const(value)), b.view}});
    interpolate(Cpu{}, order, linear, {{field.view, column(streamed)}});
    CHECK(same_bits(a.values, b.values));
    CHECK(same_bits(read, streamed));
  }
}

} // namespace corral::test
