#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/message_of.hpp"

#include <corral/kernels/linear.hpp>
#include <corral/kernels/peskin4.hpp>
#include <corral/kernels/roma3.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

/// Grids that are parts of a larger one, as the ranks of a parallel code have them (docs/parts.md).
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 3> whole_cells{12, 9, 8};
constexpr std::int64_t ghosts = 4;

/// Numbers that no binary fraction is, so that an origin or an offset used otherwise shows.
Grid whole_grid(bool periodic) {
  const Boundary side = periodic ? Boundary::periodic : Boundary::wall;
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d)
    axes[d] = {whole_cells[d], -0.37 + 0.1 * static_cast<double>(d), 0.0137 + 0.01 * static_cast<double>(d), side, side};
  return Grid(axes);
}

/// Cells [begin, end) of axis d of the whole.
Grid part_of(const Grid& whole, int d, std::int64_t begin, std::int64_t end) {
  std::array<Axis, 3> axes{whole.axis(0), whole.axis(1), whole.axis(2)};
  Axis& a = axes[d];
  const bool periodic = a.periodic();
  a.global_periodic = periodic;
  a.global_cells = a.cells;
  a.offset = begin;
  if (begin > 0 || periodic) a.low = Boundary::halo;
  if (end < a.cells || periodic) a.high = Boundary::halo;
  a.cells = end - begin;
  return Grid(axes);
}

std::vector<std::int64_t> cuts(int d, int parts) {
  const std::int64_t n = whole_cells[d];
  return parts == 2 ? std::vector<std::int64_t>{0, n / 2 - 1, n} : std::vector<std::int64_t>{0, n / 4, n / 4 + 1, n};
}

/// Anywhere in the box, some on faces, where parts are cut.
Particles<double> particles_in(const Grid& grid, std::int64_t n) {
  Random random(77);
  Particles<double> p;
  std::vector<double>* columns[3]{&p.x, &p.y, &p.z};
  for (std::int64_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) {
      const Axis& a = grid.axis(d);
      const double along = i % 7 == d ? static_cast<double>(random.below(a.cells + 1))
                                      : random.uniform(0, static_cast<double>(a.cells));
      columns[d]->push_back(a.origin + along * a.spacing);
    }
  return p;
}

std::vector<double> numbers(std::int64_t n) {
  Random random(5);
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(random.uniform(-1, 1));
  return values;
}

/// Calls f(point of the part's field, the whole's point) for every point of the part, `around` of them beyond its sides
/// along d too, where the whole has such a point.
template <class F>
void each_point(const Grid& whole, const Grid& part, int d, Staggering s, std::int64_t around, F f) {
  std::array<std::int64_t, 3> low{}, high{};
  for (int e = 0; e < 3; ++e) high[e] = part.points(s, e);
  low[d] -= around, high[d] += around;
  const std::array<std::int64_t, 3> n{whole.points(s, 0), whole.points(s, 1), whole.points(s, 2)};
  for (std::int64_t k = low[2]; k < high[2]; ++k)
    for (std::int64_t j = low[1]; j < high[1]; ++j)
      for (std::int64_t i = low[0]; i < high[0]; ++i) {
        std::array<std::int64_t, 3> at{i, j, k};
        at[d] += part.axis(d).offset;
        if (whole.axis(d).periodic()) at[d] = (at[d] % n[d] + n[d]) % n[d];
        if (at[d] < 0 || at[d] >= n[d]) continue;
        f(std::array<std::int64_t, 3>{i, j, k}, at[0] + n[0] * (at[1] + n[1] * at[2]));
      }
}

/// Calls f(whole, part, axis) for the parts of every way to cut.
template <class F> void each_part(F f) {
  for (const bool periodic : {true, false})
    for (int d = 0; d < 3; ++d)
      for (const int parts : {2, 3}) {
        const Grid whole = whole_grid(periodic);
        const std::vector<std::int64_t> cut = cuts(d, parts);
        INFO((periodic ? "periodic" : "walls") << ", axis " << d << ", " << parts << " parts");
        for (std::size_t p = 0; p + 1 < cut.size(); ++p) f(whole, part_of(whole, d, cut[p], cut[p + 1]), d, p);
      }
}

template <class F> void each_kernel(F f) {
  f(kernels::Linear{});
  f(kernels::Roma3{});
  f(kernels::Peskin4{});
}

constexpr std::array both_offsets{Offset::zero, Offset::half};

} // namespace

TEST_CASE("each particle lies in one part, in the group and at the fractions that the whole gives it") {
  for (const Offset offset : both_offsets) {
    const std::array<Offset, 3> offsets{offset, offset, offset};
    std::int64_t inside = 0;
    each_part([&](const Grid& whole, const Grid& part, int d, std::size_t first) {
      const Particles<double> particles = particles_in(whole, 3'000);
      CellOrder<double> all(whole, offsets), some(part, offsets);
      all.sort(Cpu{}, particles.positions());
      some.sort(Cpu{}, particles.positions());
      inside = first == 0 ? some.counts().inside : inside + some.counts().inside;
      if (part.axis(d).offset + part.axis(d).cells == whole.axis(d).cells) CHECK(inside == 3'000);
      const OrderView<double> a = all.view(Cpu{}), b = some.view(Cpu{});
      std::vector<std::int64_t> place(3'000);
      for (std::int64_t i = 0; i < 3'000; ++i) place[static_cast<std::size_t>(a.source(i))] = i;
      bool same = true;
      for (std::int64_t i = 0; i < some.counts().inside; ++i)
        for (std::size_t e = 0; e < 3; ++e)
          same &= a.fraction[e][place[static_cast<std::size_t>(b.source(i))]] == b.fraction[e][i];
      CHECK(same);
    });
  }
}

TEST_CASE("parts interpolate the whole's bits where their ghosts are filled") {
  for (const Staggering s : all_staggerings)
    for (const Offset offset : both_offsets)
      each_part([&](const Grid& whole, const Grid& part, int d, std::size_t) {
        const Particles<double> particles = particles_in(whole, 1'000);
        const std::vector<double> field = numbers(whole.points(s));
        OwnedField<double> owned(part, s, {Sign::plus, Sign::plus, Sign::plus}, 1);
        each_point(whole, part, d, s, ghosts, [&](const std::array<std::int64_t, 3>& at, std::int64_t point) {
          owned.view(at[0], at[1], at[2]) = field[point];
        });
        CellOrder<double> all(whole, {offset, offset, offset}), some(part, {offset, offset, offset});
        all.sort(Cpu{}, particles.positions());
        some.sort(Cpu{}, particles.positions());
        each_kernel([&](const auto& kernel) {
          // Of one method: automatic looks at how many particles a part's cells hold, and stencils that wrap along x
          // are added up in another order.
          for (const Method method : {Method::cells, Method::tiles}) {
            if (method == Method::cells && kernel.support > 2) continue; // it is linear's alone
            std::vector<double> expected(1'000), found(1'000);
            interpolate(Cpu{}, all, kernel,
                        {{field_view<const double>(whole, field.data(), s), {expected.data(), 1'000}}}, method);
            interpolate(Cpu{}, some, kernel, {{FieldView<const double>(owned.view), {found.data(), 1'000}}}, method);
            bool same = true;
            for (std::int64_t i = 0; i < some.counts().inside; ++i) {
              const auto p = static_cast<std::size_t>(some.source(i));
              same &= expected[p] == found[p];
            }
            INFO(name(method) << ", " << kernel.support << " points, " << name(s));
            CHECK(same);
          }
        });
      });
}

namespace {

/// What all parts give together once ghosts are added to whose they are.
template <class Kernel>
std::vector<double> spread_in_parts(const Grid& whole, const Kernel& kernel, int d, int parts, Staggering s,
                                    const Particles<double>& particles, const std::vector<double>& values) {
  std::vector<double> total(static_cast<std::size_t>(whole.points(s)), 0.0);
  const std::vector<std::int64_t> cut = cuts(d, parts);
  for (std::size_t p = 0; p + 1 < cut.size(); ++p) {
    const Grid part = part_of(whole, d, cut[p], cut[p + 1]);
    OwnedField<double> owned(part, s, {Sign::plus, Sign::plus, Sign::plus}, 1);
    CellOrder<double> order(part);
    order.sort(Cpu{}, particles.positions());
    spread(Cpu{}, order, kernel, {{{values.data(), particles.size()}, owned.view}});
    // Points on a cut face are of both parts: each holds its share.
    each_point(whole, part, d, s, ghosts, [&](const std::array<std::int64_t, 3>& at, std::int64_t point) {
      total[point] += owned.view(at[0], at[1], at[2]);
    });
  }
  return total;
}

template <class Kernel>
std::vector<double> spread_whole(const Grid& whole, const Kernel& kernel, Staggering s,
                                 const Particles<double>& particles, const std::vector<double>& values) {
  std::vector<double> total(static_cast<std::size_t>(whole.points(s)), 0.0);
  CellOrder<double> order(whole);
  order.sort(Cpu{}, particles.positions());
  spread(Cpu{}, order, kernel, {{{values.data(), particles.size()}, field_view(whole, total.data(), s)}});
  return total;
}

} // namespace

TEST_CASE("parts that add up their ghosts spread what the whole spreads, within round-off") {
  const std::vector<double> values = numbers(2'000);
  for (const bool periodic : {true, false})
    for (int d = 0; d < 3; ++d)
      for (const Staggering s : all_staggerings)
        each_kernel([&](const auto& kernel) {
          const Grid whole = whole_grid(periodic);
          const Particles<double> particles = particles_in(whole, 2'000);
          const std::vector<double> expected = spread_whole(whole, kernel, s, particles, values);
          for (const int parts : {2, 3}) {
            const std::vector<double> found = spread_in_parts(whole, kernel, d, parts, s, particles, values);
            double apart = 0;
            for (std::size_t p = 0; p < found.size(); ++p) apart = std::max(apart, std::abs(found[p] - expected[p]));
            CHECK(apart < 1e-13);
          }
        });
}

TEST_CASE("parts that add up their ghosts spread the whole's bits where sums have no rounding") {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) axes[d] = {whole_cells[d], 0, 1, Boundary::wall, Boundary::wall};
  const Grid whole(axes);
  Random random(9);
  Particles<double> particles;
  std::vector<double> values;
  for (int i = 0; i < 2'000; ++i) {
    particles.x.push_back(static_cast<double>(random.below(12 * 16 + 1)) / 16);
    particles.y.push_back(static_cast<double>(random.below(9 * 16 + 1)) / 16);
    particles.z.push_back(static_cast<double>(random.below(8 * 16 + 1)) / 16);
    values.push_back(static_cast<double>(random.below(100)));
  }
  for (int d = 0; d < 3; ++d)
    for (const Staggering s : all_staggerings)
      for (const int parts : {2, 3})
        CHECK(spread_in_parts(whole, kernels::Linear{}, d, parts, s, particles, values) ==
              spread_whole(whole, kernels::Linear{}, s, particles, values));
}

TEST_CASE("parts that hold the particles beside them, too, spread the whole's bits") {
  const Grid whole = whole_grid(false);
  const std::int64_t n = 20'000; // enough to be cut among threads
  const Particles<double> particles = particles_in(whole, n);
  const std::vector<double> values = numbers(n);
  const auto spread_on = [&](const Grid& grid, const auto& kernel, Staggering s, Method method) {
    OwnedField<double> owned(grid, s, {Sign::plus, Sign::plus, Sign::plus}, 1);
    CellOrder<double> order(grid);
    order.sort(Cpu{}, particles.positions());
    spread(Cpu{}, order, kernel, {{{values.data(), n}, owned.view}}, method);
    return owned;
  };
  constexpr std::array on_axis{Staggering::face_x, Staggering::centre, Staggering::node};
  for (const Method method : {Method::serial, Method::grid_gather})
    for (int d = 0; d < 3; ++d)
      for (const Staggering s : all_staggerings)
        each_kernel([&](const auto& kernel) {
          if (sanitized && !thorough() && s != on_axis[static_cast<std::size_t>(d)]) return; // the code of all of them
          const OwnedField<double> expected = spread_on(whole, kernel, s, method);
          const std::vector<std::int64_t> cut = cuts(d, 2);
          constexpr std::int64_t reach = 3;
          for (std::size_t p = 0; p < 2; ++p) {
            const std::int64_t begin = std::max<std::int64_t>(cut[p] - reach, 0);
            const std::int64_t end = std::min(cut[p + 1] + reach, whole.axis(d).cells);
            const OwnedField<double> found = spread_on(part_of(whole, d, begin, end), kernel, s, method);
            bool same = true; // of the points of cells [cut[p], cut[p + 1])
            each_point(whole, part_of(whole, d, cut[p], cut[p + 1]), d, s, 0,
                       [&](std::array<std::int64_t, 3> at, std::int64_t) {
                         std::array<std::int64_t, 3> in_whole = at, in_part = at;
                         in_whole[d] += cut[p];
                         in_part[d] += cut[p] - begin;
                         same &= expected.view(in_whole[0], in_whole[1], in_whole[2]) ==
                                 found.view(in_part[0], in_part[1], in_part[2]);
                       });
            INFO("method " << name(method) << ", axis " << d << ", part " << p << ", " << name(s));
            CHECK(same);
          }
        });
}

TEST_CASE("parts that cannot be are refused") {
  const auto refused = [](Axis axis) { return message_of([&] { Grid({axis, Axis{}, Axis{}}); }); };
  using enum Boundary;
  CHECK(refused({4, 0, 1, wall, wall, false, 2, 0}) ==
        "axis x begins at cell 2 of an axis of no cells (a part names its whole) set global_cells, or offset to 0");
  CHECK(refused({4, 0, 1, halo, halo, true, 0, 0}) ==
        "axis x is called a part of a periodic axis of no cells (a part names its whole) set global_cells");
  CHECK(refused({4, 0, 1, halo, halo, false, 7, 10}) ==
        "axis x has cells 7 to 11 of an axis of 10 (a part lies within the whole)");
  CHECK(refused({4, 0, 1, halo, halo, false, -1, 10}) ==
        "axis x has cells -1 to 3 of an axis of 10 (a part lies within the whole)");
  CHECK(refused({4, 0, 1, periodic, periodic, true, 0, 10}) ==
        "axis x is a part with periodic sides (it would wrap within itself) make them halo, and global_periodic true");
  CHECK(refused({4, 0, 1, wall, wall, false, 0, 10}) ==
        "axis x is a part whose upper side is wall (the whole goes on there) make it halo");
  CHECK(refused({4, 0, 1, wall, halo, true, 0, 10}) ==
        "axis x is a part whose lower side is wall (the whole goes on there) make it halo");
}

} // namespace corral::test
