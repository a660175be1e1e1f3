#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/message_of.hpp"

#include <corral/pairs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <limits>
#include <mutex>
#include <vector>

/// Pairs within a cut-off, beside a loop over all particles and images.
namespace corral::test {
namespace {

using Vector = std::array<double, 3>;

/// A pair of an image.
struct Met {
  std::int64_t i, j;
  Group image;
  auto operator<=>(const Met&) const = default;
};

enum class Where { lattice, anywhere, one_cell, faces };

/// Particles and their order. Lengths are sixteenths of powers of two, so that distances of all but `anywhere` are exact.
struct Set {
  std::vector<Vector> x; ///< as they are within the box
  std::vector<bool> inside;
  CellOrder<double> order;

  Set(const Grid& grid, Random& random, std::int64_t n, Where where) : order(grid) {
    std::array<std::vector<double>, 3> given;
    for (std::int64_t i = 0; i < n; ++i) {
      Vector at{};
      for (int d = 0; d < 3; ++d) {
        const Axis& a = grid.axis(d);
        std::int64_t sixteenths = random.below(16 * a.cells + 1);
        if (where == Where::one_cell) sixteenths = 16 * (a.cells - 1) + random.below(16);
        if (where == Where::faces) sixteenths = 16 * random.below(a.cells + 1);
        const double u = static_cast<double>(sixteenths) / 16;
        at[d] = a.origin + a.spacing * (where == Where::anywhere ? random.uniform(0, static_cast<double>(a.cells)) : u);
        if (a.periodic() && at[d] == a.origin + a.length()) at[d] = a.origin;
        const double beyond = a.periodic() && where != Where::anywhere ? static_cast<double>(random.below(3) - 1) : 0;
        given[d].push_back(at[d] + beyond * a.length());
      }
      inside.push_back(i % 5 != 4);
      if (!inside.back()) given[1][i] = std::numeric_limits<double>::quiet_NaN();
      x.push_back(at);
    }
    order.sort(Cpu{}, positions(given[0].data(), given[1].data(), given[2].data(), n));
  }
  OrderView<double> view() const { return order.view(Cpu{}); }
};

struct Scene {
  Grid grid;
  double cut_off;
  Set targets, sources;

  /// Calls f(image, shift) for every image that may count.
  template <class F> void for_each_image(const F& f) const {
    Group most{}, at{};
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& a = grid.axis(static_cast<int>(d));
      if (a.periodic()) most[d] = static_cast<std::int64_t>(std::ceil(cut_off / a.length())) + 1;
    }
    for (at[2] = -most[2]; at[2] <= most[2]; ++at[2])
      for (at[1] = -most[1]; at[1] <= most[1]; ++at[1])
        for (at[0] = -most[0]; at[0] <= most[0]; ++at[0]) {
          Vector shift;
          for (std::size_t d = 0; d < 3; ++d) shift[d] = static_cast<double>(at[d]) * grid.axis(static_cast<int>(d)).length();
          f(at, shift);
        }
  }
  std::vector<Met> expected() const {
    std::vector<Met> met;
    for (std::size_t i = 0; i < targets.x.size(); ++i)
      for (std::size_t j = 0; j < sources.x.size(); ++j)
        for_each_image([&](const Group& image, const Vector& shift) {
          double square = 0;
          for (std::size_t d = 0; d < 3; ++d) {
            const double apart = targets.x[i][d] - (sources.x[j][d] + shift[d]);
            square += apart * apart;
          }
          if (square < cut_off * cut_off && targets.inside[i] && sources.inside[j])
            met.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), image});
        });
    std::sort(met.begin(), met.end());
    return met;
  }
  /// The image that a distance is to, and the largest difference from that distance.
  Group image_of(std::int64_t i, std::int64_t j, const Vector& apart, double& worst) const {
    Group image;
    for (std::size_t d = 0; d < 3; ++d) {
      const double length = grid.axis(static_cast<int>(d)).length(), between = targets.x[i][d] - sources.x[j][d];
      image[d] = std::lround((between - apart[d]) / length);
      worst = std::max(worst, std::abs(between - static_cast<double>(image[d]) * length - apart[d]));
    }
    return image;
  }
};

Grid grid_of(const std::array<std::int64_t, 3>& cells, unsigned walls) {
  std::array<Axis, 3> axes{Axis{cells[0], -1, 0.5}, Axis{cells[1], 2, 0.25}, Axis{cells[2], 0, 0.5}};
  for (std::size_t d = 0; d < 3; ++d)
    if ((walls >> d & 1) != 0) axes[d].low = Boundary::wall, axes[d].high = d == 1 ? Boundary::open : Boundary::wall;
  return Grid(axes);
}

void check_pairs(const Scene& scene) {
  std::vector<Met> met;
  double worst = 0, wrong_square = 0;
  bool one_after_the_other = true;
  run_with_threads(1, [&] {
    for_each_pair(Cpu{}, scene.grid, scene.targets.view(), scene.sources.view(), scene.cut_off,
                  [&](std::int64_t i, std::int64_t j, const Vector& apart, double square) {
      if (!met.empty() && met.back().i != i)
        one_after_the_other = one_after_the_other && std::none_of(met.begin(), met.end(), [&](const Met& m) { return m.i == i; });
      met.push_back({i, j, scene.image_of(i, j, apart, worst)});
      wrong_square = std::max(wrong_square, std::abs(square - (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2])));
    });
  });
  std::sort(met.begin(), met.end());
  CHECK(met == scene.expected());
  CHECK(worst < 1e-14 * (1 + scene.cut_off));
  CHECK(wrong_square == 0);
  CHECK(one_after_the_other);
}

/// The least distance's square between [a, a + 1] and [b, b + width], in cells along each axis.
double square_between(const Grid& grid, const Vector& a, const Vector& b, double width) {
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double gap = std::max({a[d] - (b[d] + width), b[d] - (a[d] + 1), 0.0}) * grid.axis(static_cast<int>(d)).spacing;
    square += gap * gap;
  }
  return square;
}

/// Every source and image that is near the group, once; none of a group that is not.
void check_neighbourhoods(const Scene& scene) {
  const Grid& grid = scene.grid;
  const OrderView<double> targets = scene.targets.view(), sources = scene.sources.view();
  const auto group_of = [&](std::int64_t place) {
    std::int64_t g = 0;
    while (sources.group_begin(g + 1) <= place) ++g;
    return Vector{static_cast<double>(g % sources.groups[0]), static_cast<double>(g / sources.groups[0] % sources.groups[1]),
                  static_cast<double>(g / (sources.groups[0] * sources.groups[1]))};
  };
  std::int64_t seen = 0, mistakes = 0;
  run_with_threads(1, [&] {
    for_each_neighbourhood(Cpu{}, grid, targets, sources, scene.cut_off,
                           [&](const Group& group, std::int64_t begin, std::int64_t end, std::span<const SourceRun> runs) {
      const std::int64_t g = group[0] + targets.groups[0] * (group[1] + targets.groups[1] * group[2]);
      mistakes += begin != targets.group_begin(g) || end != targets.group_begin(g + 1) || begin == end;
      seen += end - begin;
      std::vector<Met> found, needed;
      const Vector here{static_cast<double>(group[0]), static_cast<double>(group[1]), static_cast<double>(group[2])};
      for (const SourceRun& run : runs) {
        mistakes += run.begin >= run.end;
        Group image;
        for (std::size_t d = 0; d < 3; ++d) image[d] = std::lround(run.shift[d] / grid.axis(static_cast<int>(d)).length());
        for (std::int64_t p = run.begin; p < run.end; ++p) {
          found.push_back({0, p, image});
          Vector at = group_of(p);
          for (std::size_t d = 0; d < 3; ++d) at[d] += run.shift[d] / grid.axis(static_cast<int>(d)).spacing;
          mistakes += square_between(grid, here, at, 1) >= scene.cut_off * scene.cut_off;
        }
      }
      for (std::int64_t p = 0; p < sources.group_begin(sources.group_count()); ++p)
        scene.for_each_image([&](const Group& image, const Vector& shift) {
          Vector at = group_of(p);
          for (std::size_t d = 0; d < 3; ++d)
            at[d] += sources.fraction[d][p] + shift[d] / grid.axis(static_cast<int>(d)).spacing;
          if (square_between(grid, here, at, 0) < scene.cut_off * scene.cut_off) needed.push_back({0, p, image});
        });
      std::sort(found.begin(), found.end()), std::sort(needed.begin(), needed.end());
      mistakes += std::adjacent_find(found.begin(), found.end()) != found.end();
      mistakes += !std::includes(found.begin(), found.end(), needed.begin(), needed.end());
    });
  });
  CHECK(mistakes == 0);
  CHECK(seen == targets.group_begin(targets.group_count()));
}

} // namespace

TEST_CASE("Pairs and neighbourhoods are those of a loop over all particles and images") {
  Random random(17);
  constexpr std::array<std::int64_t, 4> cells{1, 2, 3, 7};
  std::size_t scene_count = 0;
  for (const std::int64_t nx : cells)
    for (const std::int64_t ny : cells)
      for (const std::int64_t nz : cells)
        for (unsigned walls = 0; walls < 8; ++walls) {
          const Grid grid = grid_of({nx, ny, nz}, walls);
          const double shortest = std::min({grid.axis(0).length(), grid.axis(1).length(), grid.axis(2).length()});
          const double longest = std::max({grid.axis(0).length(), grid.axis(1).length(), grid.axis(2).length()});
          const std::array<double, 7> cut_offs{0.3 * 0.25, 0.5, 0.625, 1.2, 1.7 * shortest, longest, 1.7 * longest};
          const std::size_t s = scene_count++;
          double cut_off = cut_offs[s % cut_offs.size()];
          if (cut_off > 6 * shortest) cut_off = 0.7; // thousands of images
          const auto where = static_cast<Where>(s / 3 % 4);
          const std::int64_t sources = s % 11 == 0 ? 0 : 7, targets = s % 13 == 0 ? 0 : 11;
          INFO("cells " << nx << " " << ny << " " << nz << ", walls " << walls << ", cut-off " << cut_off << ", scene " << s);
          const Scene scene{grid, cut_off, Set(grid, random, targets, where), Set(grid, random, sources, where)};
          check_pairs(scene);
          check_neighbourhoods(scene);
        }
}

TEST_CASE("A particle meets itself and its images, and others at its place at distance 0; both sides of a pair agree") {
  for (const unsigned walls : {0u, 5u}) {
    const Grid grid({Axis{3, 0.1, 0.3, walls != 0 ? Boundary::wall : Boundary::periodic,
                          walls != 0 ? Boundary::wall : Boundary::periodic},
                     Axis{1, -2, 0.7}, Axis{4, 1, 0.2}});
    Random random(4);
    std::array<std::vector<double>, 3> x;
    for (int i = 0; i < 40; ++i)
      for (int d = 0; d < 3; ++d) {
        const Axis& a = grid.axis(d);
        x[d].push_back(i % 2 == 1 ? x[d].back() : random.uniform(a.origin, a.origin + a.length()));
      }
    CellOrder<double> order(grid);
    order.sort(Cpu{}, positions(x[0].data(), x[1].data(), x[2].data(), 40));
    const OrderView<double> view = order.view(Cpu{});
    std::vector<std::array<double, 6>> seen, from_other; // i, j, apart, square
    std::int64_t at_once = 0;
    run_with_threads(1, [&] {
      for_each_pair(Cpu{}, grid, view, view, 0.9, [&](std::int64_t i, std::int64_t j, const Vector& apart, double square) {
        at_once += apart == Vector{} && square == 0 && i / 2 == j / 2;
        const double a = static_cast<double>(i), b = static_cast<double>(j);
        seen.push_back({a, b, apart[0], apart[1], apart[2], square});
        from_other.push_back({b, a, 0 - apart[0], 0 - apart[1], 0 - apart[2], square});
      });
    });
    CHECK(at_once == 80);
    std::sort(seen.begin(), seen.end()), std::sort(from_other.begin(), from_other.end());
    CHECK(seen == from_other);
    CHECK(std::any_of(seen.begin(), seen.end(), [](const auto& p) { return p[0] == p[1] && std::abs(p[3]) > 0.5; }));
  }
}

TEST_CASE("Pairs come in one order, and their sums have the same bits, for any number of threads") {
  const Grid grid({Axis{9, 0, 0.11}, Axis{12, 0, 0.1, Boundary::wall, Boundary::wall}, Axis{5, -1, 0.2}});
  Random random(8);
  std::array<std::vector<double>, 3> x;
  constexpr std::int64_t n = 3000;
  for (std::int64_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) x[d].push_back(grid.axis(d).origin + random.uniform(0, 1) * grid.axis(d).length());
  CellOrder<double> order(grid);
  order.sort(Cpu{}, positions(x[0].data(), x[1].data(), x[2].data(), n));
  const OrderView<double> view = order.view(Cpu{});
  std::vector<float> sums, first_sums;
  std::vector<std::vector<std::int64_t>> others(n), first_others;
  double energy = 0, first_energy = 0;
  for (const int threads : {1, 2, 4}) {
    sums.assign(n, 0), others.assign(n, {});
    run_with_threads(threads, [&] {
      for_each_pair(Cpu{}, grid, view, view, 0.15, [&](std::int64_t i, std::int64_t j, const Vector& apart, double square) {
        sums[i] += static_cast<float>(apart[0] + std::sqrt(square));
        others[i].push_back(j);
      });
      energy = sum_over_pairs(Cpu{}, grid, view, view, 0.15,
                              [](std::int64_t, std::int64_t, const Vector&, double square) { return std::sqrt(square); });
    });
    if (threads == 1) first_sums = sums, first_others = others, first_energy = energy;
    CHECK(sums == first_sums);
    CHECK(others == first_others);
    CHECK(energy == first_energy);
  }
  double expected = 0;
  std::int64_t count = 0;
  for_each_pair(Cpu{}, grid, view, CellOrder<double>(grid).view(Cpu{}), 0.15, [&](auto...) { ++count; });
  CHECK(count == 0); // of an order without particles
  run_with_threads(1, [&] {
    for_each_pair(Cpu{}, grid, view, view, 0.15, [&](std::int64_t, std::int64_t, const Vector&, double square) {
      expected += std::sqrt(square), ++count;
    });
  });
  CHECK(count > 10 * n);
  CHECK(first_energy == Approx(expected).epsilon(1e-12));
}

TEST_CASE("Pairs that do not meet are left out, across cells and images, and nothing else is") {
  const Grid grid = grid_of({7, 2, 3}, 0);
  Random random(5);
  const Scene scene{grid, 0.8, Set(grid, random, 30, Where::lattice), Set(grid, random, 25, Where::lattice)};
  const auto meets = [](std::int64_t i, std::int64_t j) { return (i + 2 * j) % 3 != 0; };
  std::vector<Met> expected = scene.expected(), met;
  std::erase_if(expected, [&](const Met& m) { return !meets(m.i, m.j); });
  const auto add = [&](std::int64_t i, std::int64_t j, const Vector& apart, double) {
    double worst = 0;
    met.push_back({i, j, scene.image_of(i, j, apart, worst)});
    return worst;
  };
  run_with_threads(1, [&] {
    for_each_pair(Cpu{}, grid, scene.targets.view(), scene.sources.view(), scene.cut_off, add, meets);
    std::sort(met.begin(), met.end());
    CHECK(met == expected);
    met.clear();
    CHECK(sum_over_pairs(Cpu{}, grid, scene.targets.view(), scene.sources.view(), scene.cut_off, add, meets) == 0);
    std::sort(met.begin(), met.end());
    CHECK(met == expected);
  });
  CHECK(met.size() > 100);
}

TEST_CASE("Pairs refuse orders of another grid and cut-offs that are no lengths") {
  const Grid grid = grid_of({2, 3, 4}, 1);
  const CellOrder<double> order(grid), other(grid_of({2, 3, 5}, 1)), half(grid, {Offset::half, Offset::zero, Offset::zero});
  const auto message = [&](const CellOrder<double>& targets, const CellOrder<double>& sources, double cut_off) {
    return message_of([&] {
      for_each_pair(Cpu{}, grid, targets.view(Cpu{}), sources.view(Cpu{}), cut_off,
                    [](std::int64_t, std::int64_t, const Vector&, double) {});
    });
  };
  CHECK(message(order, order, 1) == "no error");
  CHECK(message(other, order, 1) == "the order of targets has 2 x 3 x 5 groups (the grid has 2 x 3 x 4 cells) sort it over "
                                    "this grid, with Offset::zero along every axis");
  CHECK(message(order, half, 1).starts_with("the order of sources has 3 x 3 x 4 groups"));
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const double cut_off : {0.0, -1.0, nan, infinite, -infinite, 1e-200, 1e200})
    CHECK(message(order, order, cut_off).starts_with("pairs within a cut-off of "));
  CHECK(message(order, order, -0.5) == "pairs within a cut-off of -0.5 m (a positive, finite length is needed, and its "
                                       "square has to be one)");
  CHECK(message(order, order, 1e6).ends_with("(more than 2^22 rows of cells lie within it) take larger cells, or a shorter "
                                             "cut-off"));
}

} // namespace corral::test
