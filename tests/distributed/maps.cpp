#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/distributed/scenes.hpp"
#include "tests/tolerance.hpp"

#include "distributed/halo.hpp"
#include "distributed/maps/order.hpp"
#include "distributed/particles/migrate.hpp"

#include <corral/corral.hpp>
#include <corral/kernels/kaiser_bessel.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/kernels/nearest.hpp>
#include <corral/kernels/peskin4.hpp>
#include <corral/kernels/roma3.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

/// Maps over ranks beside those of one grid that is the whole, which every rank makes for itself.
namespace corral::test {
namespace {

using distributed::Domain;
using distributed::Halo;
using distributed::RankOrder;
using distributed::Sums;

/// Particles of the whole by id, which is their place: more near the lower ends, so that some ranks' cells hold many
/// and some few; some on faces, some a period away, and values of both signs.
template <class T> struct Cloud {
  std::vector<T> x, y, z, a, b;
  std::vector<std::uint64_t> id;

  Positions<T> positions() const { return corral::positions(x.data(), y.data(), z.data(), size()); }
  std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }
};

template <class T> Cloud<T> cloud_in(const Grid& whole, std::int64_t n) {
  Cloud<T> c;
  std::vector<T>* const columns[3]{&c.x, &c.y, &c.z};
  for (std::int64_t i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = whole.axis(d);
      double along = number(static_cast<std::uint64_t>(5 * i + d)) * double(axis.cells);
      if (i % 2 == 0) along *= along / double(axis.cells);
      if (i % 7 == d) along = std::floor(along);
      if (axis.periodic() && i % 11 == d) along += double(axis.cells);
      columns[d]->push_back(static_cast<T>(axis.origin + along * axis.spacing));
    }
    c.a.push_back(static_cast<T>(number(static_cast<std::uint64_t>(5 * i + 3)) - 0.5));
    c.b.push_back(static_cast<T>(number(static_cast<std::uint64_t>(5 * i + 4)) * 1e3));
    c.id.push_back(static_cast<std::uint64_t>(i));
  }
  return c;
}

/// This rank's particles, in an order of its own.
template <class T> Cloud<T> mine_of(const Domain& domain, const Cloud<T>& all) {
  Cloud<T> mine;
  const int rank = domain.ranks().rank();
  for (std::size_t i = 0; i < all.x.size(); i += 1) // of which all begin on the rank of their id
    if (static_cast<int>(i % static_cast<std::size_t>(domain.ranks().size())) == rank) {
      const std::size_t j = i * 7919 % all.x.size(); // every id once: 7919 is a prime that divides no size here
      mine.x.push_back(all.x[j]), mine.y.push_back(all.y[j]), mine.z.push_back(all.z[j]);
      mine.a.push_back(all.a[j]), mine.b.push_back(all.b[j]), mine.id.push_back(all.id[j]);
    }
  distributed::RankParticles<T> particles(mine.x, mine.y, mine.z, mine.id);
  distributed::migrate(domain, particles.with(mine.a).with(mine.b));
  return mine;
}

template <class T>
FieldView<T> whole_view(const Grid& whole, std::vector<T>& memory, Staggering s, std::array<Sign, 3> sign) {
  memory.assign(static_cast<std::size_t>(whole.points(s)), T(0));
  FieldView<T> view = field_view(whole, memory.data(), s);
  view.wall_sign = sign;
  return view;
}

constexpr std::array<Sign, 3> signs{Sign::plus, Sign::minus, Sign::plus};

/// What one grid spreads: two columns, and of a third field the absolute values of the first.
template <class T> struct Whole {
  std::vector<T> a, b, absolute;

  template <class K> Whole(const Grid& whole, const Cloud<T>& cloud, const K& kernel, Staggering s, Method method) {
    CellOrder<T> order(whole);
    order.sort(Cpu{}, cloud.positions());
    std::vector<T> positive = cloud.a;
    for (T& v : positive) v = std::abs(v);
    const auto column = [&](const std::vector<T>& v) { return Column<const T>{v.data(), cloud.size(), 1}; };
    FieldView<T> fa = whole_view(whole, a, s, signs), fb = whole_view(whole, b, s, signs);
    FieldView<T> fp = whole_view(whole, absolute, s, {Sign::plus, Sign::plus, Sign::plus});
    spread(Cpu{}, order, kernel, {{column(cloud.a), fa}, {column(cloud.b), fb}, {column(positive), fp}}, method);
  }
};

/// The points that differ from the whole's by more than `allowed` of the sum of absolute terms.
template <class T> std::int64_t points_apart(const Domain& domain, const RankField<T>& found,
                                             const std::vector<T>& expected, const std::vector<T>& absolute,
                                             double allowed) {
  std::int64_t wrong = 0;
  const Staggering s = found.view.staggering;
  each_point(domain, s, 0, [&](const auto& at, const auto& whole) {
    const auto p = static_cast<std::size_t>(point_number(domain.whole(), s, whole));
    if (!owns(domain, s, at)) return;
    const T value = found.view(at[0], at[1], at[2]);
    if (allowed == 0)
      wrong += value != expected[p];
    else
      wrong += !(std::abs(double(value) - double(expected[p])) <= allowed * double(absolute[p]));
  });
  return wrong;
}

/// Kernels of one, two, three, four and eleven points; the last is wider than many a rank, and than some wholes.
template <class F> void each_kernel(const F& f) {
  f(kernels::Nearest{}, "nearest");
  f(kernels::Linear{}, "linear");
  f(kernels::Roma3{}, "roma3");
  f(kernels::Peskin4{}, "peskin4");
  f(kernels::KaiserBessel<11>{}, "kaiser_bessel 11");
}

/// All of them for the narrowest and a wide kernel.
std::vector<Staggering> staggerings_for(int support) {
  if (support == 2 || support == 4) return {all_staggerings.begin(), all_staggerings.end()};
  return {Staggering::node, Staggering::face_x};
}

/// One grid's sums come in the order of the passes where what folds within a pass, at walls and along axes of one cell,
/// is folded before what wraps: a grid folds x first and z last.
bool folds_as_passes(const Domain& domain, Staggering s) {
  for (int low = 0; low < 3; ++low)
    for (int high = low + 1; high < 3; ++high) {
      const Axis& axis = domain.whole().axis(high);
      if (domain.wraps(low) && (!axis.periodic() || (axis.thin() && on_face(s, high)))) return false;
    }
  return true;
}

} // namespace

TEST_CASE("maps in the order of the whole have one grid's bits on any number of ranks") {
  constexpr std::int64_t n = 600;
  constexpr double had = 0.3; // what stands in a field before
  each_domain([&](const Domain& domain) {
    const Cloud<double> all = cloud_in<double>(domain.whole(), n), mine = mine_of(domain, all);
    // What a rank alone makes of the same, in passes, too: where one grid folds in another order.
    const Domain alone(distributed::Ranks::alone(), domain.whole());
    each_kernel([&](const auto& kernel, const char* kernel_name) {
      RankOrder<double> order(domain, kernel.support, Sums::whole_order),
          order_alone(alone, kernel.support, Sums::whole_order);
      order.sort(mine.positions(), {mine.id.data(), mine.size(), 1});
      order_alone.sort(all.positions(), {all.id.data(), n, 1});
      for (const Staggering s : staggerings_for(kernel.support)) {
        INFO(kernel_name << ", " << name(s));
        const Whole<double> expected(domain.whole(), all, kernel, s, Method::serial);
        const std::int64_t g = order.ghosts();
        RankField<double> a(domain, s, g, 7.0), b(domain, s, g, had), alone_a(alone, s, g, 7.0);
        a.view.wall_sign = b.view.wall_sign = alone_a.view.wall_sign = signs;
        // Whatever stood around the part has no part in the sums.
        const Halo halo(domain, s, g);
        halo.clear(a.view);
        for (double& v : a.memory) v = v == 0 ? 7.0 : 0.0;
        order.spread(kernel, {{{mine.a.data(), mine.size(), 1}, a.view}, {{mine.b.data(), mine.size(), 1}, b.view}});
        std::fill(alone_a.memory.begin(), alone_a.memory.end(), 0.0);
        order_alone.spread(kernel, {{{all.a.data(), n, 1}, alone_a.view}});
        std::vector<double> of_one(expected.a.size());
        each_point(alone, s, 0, [&](const auto& at, const auto& whole) {
          if (owns(alone, s, at))
            of_one[static_cast<std::size_t>(point_number(domain.whole(), s, whole))] =
                alone_a.view(at[0], at[1], at[2]);
        });
        CHECK(points_apart(domain, a, of_one, expected.absolute, 0) == 0);
        if (folds_as_passes(domain, s)) {
          CHECK(points_apart(domain, a, expected.a, expected.absolute, 0) == 0);
          std::vector<double> added = expected.b;
          for (double& v : added) v = had + v;
          CHECK(points_apart(domain, b, added, expected.absolute, 0) == 0);
        }
        CHECK(points_apart(domain, a, expected.a, expected.absolute, round_off(n)) == 0);

        // And back.
        halo.fill(a.view);
        std::vector<double> felt(mine.x.size()), felt_alone(all.x.size());
        Halo(alone, s, g).fill(alone_a.view);
        order.interpolate(kernel, {{a.view, {felt.data(), mine.size(), 1}}});
        order_alone.interpolate(kernel, {{alone_a.view, {felt_alone.data(), n, 1}}});
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < felt.size(); ++i) wrong += felt[i] != felt_alone[mine.id[i]];
        CHECK(wrong == 0);
      }
    });
  });
}

TEST_CASE("maps that add ghosts up are one grid's to round-off, and the same in every call") {
  constexpr std::int64_t n = 600;
  each_domain([&](const Domain& domain) {
    const Cloud<double> all = cloud_in<double>(domain.whole(), n), mine = mine_of(domain, all);
    each_kernel([&](const auto& kernel, const char* kernel_name) {
      RankOrder<double> order(domain, kernel.support, Sums::halo_add, {Offset::half, Offset::half, Offset::half});
      order.sort(mine.positions(), {mine.id.data(), mine.size(), 1});
      for (const Staggering s : staggerings_for(kernel.support)) {
        INFO(kernel_name << ", " << name(s));
        Whole<double> expected(domain.whole(), all, kernel, s, Method::automatic);
        constexpr double had = 0.3; // what stands in the field before; around it anything
        for (double& v : expected.a) v += had;
        for (double& v : expected.absolute) v += had;
        RankField<double> a(domain, s, order.ghosts(), had), again(domain, s, order.ghosts(), had);
        a.view.wall_sign = again.view.wall_sign = signs;
        Halo(domain, s, order.ghosts()).clear(a.view);
        for (double& v : a.memory) v = v == 0 ? 11.0 : had;
        order.spread(kernel, {{{mine.a.data(), mine.size(), 1}, a.view}});
        // Again, in a call with fields of this staggering and another one.
        RankField<double> more(domain, s, order.ghosts()), other(domain, Staggering::face_z, order.ghosts());
        const Column<const double> column{mine.a.data(), mine.size(), 1};
        order.spread(kernel, {{column, more.view}, {column, other.view}, {column, again.view}});
        CHECK(points_apart(domain, a, expected.a, expected.absolute, round_off(n)) == 0);
        std::int64_t differ = 0;
        each_point(domain, s, 0, [&](const auto& at, const auto&) {
          if (owns(domain, s, at)) differ += a.view(at[0], at[1], at[2]) != again.view(at[0], at[1], at[2]);
        });
        CHECK(differ == 0);
      }
    });
  });
}

TEST_CASE("many fields of all staggerings in one call have the bits of calls of their own, in either way") {
  const Domain domain(distributed::Ranks::world(),
                      grid_of({9, 8, 7}, {Boundary::wall, Boundary::periodic, Boundary::periodic}));
  const Cloud<double> mine = mine_of(domain, cloud_in<double>(domain.whole(), 3'000));
  const Column<const double> a{mine.a.data(), mine.size(), 1}, b{mine.b.data(), mine.size(), 1};
  for (const Sums sums : {Sums::halo_add, Sums::whole_order}) {
    RankOrder<double> order(domain, 4, sums);
    order.sort(mine.positions(), {mine.id.data(), mine.size(), 1});
    std::vector<RankField<double>> together, alone;
    for (int f = 0; f < 10; ++f) {
      together.emplace_back(domain, all_staggerings[static_cast<std::size_t>(f % 5)], order.ghosts());
      alone.emplace_back(domain, all_staggerings[static_cast<std::size_t>(f % 5)], order.ghosts());
    }
    std::vector<Spread<double>> terms;
    for (std::size_t f = 0; f < 10; ++f) terms.push_back({f < 5 ? a : b, together[f].view});
    order.spread(kernels::Peskin4{}, std::span<const Spread<double>>(terms));
    std::int64_t wrong = 0, zeros = 0;
    for (std::size_t f = 0; f < 10; ++f) {
      const FieldView<double> one = alone[f].view, of_all = together[f].view;
      order.spread(kernels::Peskin4{}, {{f < 5 ? a : b, one}});
      each_point(domain, one.staggering, 0, [&](const auto& at, const auto&) {
        if (!owns(domain, one.staggering, at)) return;
        wrong += of_all(at[0], at[1], at[2]) != one(at[0], at[1], at[2]);
        zeros += one(at[0], at[1], at[2]) == 0;
      });
    }
    CHECK(wrong == 0);
    CHECK(zeros == 0);
  }
}

TEST_CASE("floats, threads and the order of columns change no bit of maps in the order of the whole") {
  const Domain domain(distributed::Ranks::world(),
                      grid_of({9, 8, 7}, {Boundary::periodic, Boundary::periodic, Boundary::wall}));
  constexpr std::int64_t n = 20'000;
  const Cloud<float> all = cloud_in<float>(domain.whole(), n);
  Cloud<float> mine = mine_of(domain, all);
  const Whole<float> whole(domain.whole(), all, kernels::Peskin4{}, Staggering::face_y, Method::serial);
  std::vector<std::vector<float>> found;
  for (const int threads : {1, 3}) {
    run_with_threads(threads, [&] {
      RankOrder<float> order(domain, 4, Sums::whole_order);
      order.sort(mine.positions(), {mine.id.data(), mine.size(), 1});
      RankField<float> field(domain, Staggering::face_y, order.ghosts());
      field.view.wall_sign = signs;
      order.spread(kernels::Peskin4{}, {{{mine.a.data(), mine.size(), 1}, field.view}});
      CHECK(points_apart(domain, field, whole.a, whole.absolute, round_off<float>(n)) == 0);
      each_point(domain, Staggering::face_y, 2, [&](const auto& at, const auto&) {
        if (!owns(domain, Staggering::face_y, at)) field.view(at[0], at[1], at[2]) = 0;
      });
      found.push_back(field.memory);
      // For the next turn: columns in another order.
      order.own().reorder(Cpu{}, Column<float>{mine.x.data(), mine.size()}, Column<float>{mine.y.data(), mine.size()},
                          Column<float>{mine.z.data(), mine.size()}, Column<float>{mine.a.data(), mine.size()},
                          Column<float>{mine.b.data(), mine.size()},
                          Column<std::uint64_t>{mine.id.data(), mine.size()});
    });
  }
  CHECK(found[0] == found[1]);
}

TEST_CASE("particles that no cell has are counted and spread nothing") {
  const distributed::Ranks ranks = distributed::Ranks::world();
  const Domain domain(ranks, grid_of({6, 5, 8}, {Boundary::wall, Boundary::periodic, Boundary::wall}),
                      {{1, 1, ranks.size()}, {}});
  for (const Sums sums : {Sums::halo_add, Sums::whole_order}) {
    RankOrder<double> order(domain, 2, sums);
    const Axis& z = domain.part().axis(2);
    std::vector<double> x{-0.36, -0.36, 99, -0.36}, y{-0.2, -0.2, -0.2, NAN}, v{1, 2, 4, 8};
    const double within = z.origin + (double(z.offset) + 0.5) * z.spacing;
    std::vector<double> h{within, within, within, within};
    const std::vector<std::uint64_t> id{std::uint64_t(10 * ranks.rank()), std::uint64_t(10 * ranks.rank() + 1), 5, 5};
    const SortCounts counts = order.sort(positions(x.data(), y.data(), h.data(), 4), {id.data(), 4, 1});
    CHECK((counts.inside == 2 && counts.outside == 1 && counts.not_finite == 1));
    RankField<double> field(domain, Staggering::centre, order.ghosts());
    order.spread(kernels::Linear{}, {{{v.data(), 4, 1}, field.view}});
    double total = 0;
    each_point(domain, Staggering::centre, 0,
               [&](const auto& at, const auto&) { total += field.view(at[0], at[1], at[2]); });
    CHECK(distributed::sum(ranks, total) == Approx(3.0 * ranks.size()).epsilon(1e-14));
  }
}

TEST_CASE("what cannot be mapped over ranks is refused with both numbers") {
  const distributed::Ranks alone = distributed::Ranks::alone();
  const Domain domain(alone, grid_of({6, 5, 4}, {Boundary::periodic, Boundary::periodic, Boundary::wall}));
  CHECK(message_of([&] { RankOrder<double>(domain, 65); }) ==
        "an order for kernels of 65 points (there are those of 1 to 64)");
  RankOrder<double> order(domain, 2, Sums::whole_order);
  RankField<double> field(domain, Staggering::centre, 1);
  const std::vector<double> v{0.1, 0.2};
  const std::vector<std::uint64_t> id{4, 4};
  const auto spread_linear = [&](const RankField<double>& f, std::int64_t size) {
    return message_of([&] { order.spread(kernels::Linear{}, {{{v.data(), size, 1}, f.view}}); });
  };
  CHECK(spread_linear(field, 0) == "a spread before a sort (an order holds no particles at first) sort them");
  CHECK(message_of([&] {
          order.sort(positions(v.data(), v.data(), v.data(), 2), {id.data(), 1, 1});
        }) == "1 ids for 2 particles (one for each)");
  CHECK(message_of([&] { order.sort(positions(v.data(), v.data(), v.data(), 2), {id.data(), 2, 1}); }) == "no error");
  const std::vector<double> same{-0.1, -0.1};
  CHECK(message_of([&] {
          order.sort(positions(same.data(), same.data(), same.data(), 2), {id.data(), 2, 1});
        }) == "two particles with the id 4 in one cell (ids give sums their order) number them");
  CHECK(spread_linear(field, 1) == "a column of 1 values (the order holds 2 particles)");
  CHECK(message_of([&] {
          order.spread(kernels::Peskin4{}, {{{v.data(), 2, 1}, field.view}});
        }) == "a kernel of 4 points (the order is for kernels of at most 2) say so where it is made");
  CHECK(spread_linear(RankField<double>(domain, Staggering::centre, 0), 2) ==
        "a centre field with 0 ghosts (the order's kernels reach 1 points beyond a part)");
}

TEST_CASE("a particle in another rank's part is refused on all ranks, with its id") {
  const distributed::Ranks ranks = distributed::Ranks::world();
  if (ranks.size() == 1) return;
  const Domain domain(ranks, grid_of({6, 5, 8}, {Boundary::wall, Boundary::wall, Boundary::wall}),
                      {{1, 1, ranks.size()}, {}});
  const Axis& z = domain.whole().axis(2);
  const std::vector<double> x{-0.3}, y{-0.2}, low{z.origin + 0.5 * z.spacing};
  const std::vector<std::uint64_t> id{41u + static_cast<unsigned>(ranks.rank())};
  RankOrder<double> order(domain, 2);
  CHECK(message_of([&] {
          order.sort(positions(x.data(), y.data(), low.data(), 1), {id.data(), 1, 1});
        }) == "rank 1: 1 particles lie in other ranks' parts, the one with id 42 in that of rank 0 (each rank sorts "
              "its own) migrate first");
}

} // namespace corral::test
