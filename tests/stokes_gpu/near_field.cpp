#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"
#include "tests/stokes/points.hpp"

#include "stokes/near/box_cells.hpp"
#include "stokes/near/device/near_field.hpp"
#include "stokes/near/near_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

/// Near fields on a device are the CPU's to round-off, with every method.
namespace corral::test {
namespace {

using stokes::columns;
using stokes::DeviceNearField;
using stokes::NearField;
using stokes::strength_columns;
using Columns = std::vector<std::vector<double>>;

constexpr double most_apart = 1e-13; ///< difference: stresslets whose images are boxes away come to 3e-14
constexpr std::array methods{PairMethod::targets, PairMethod::staged, PairMethod::mixed};

Columns columns_of(const std::vector<Point>& points) {
  Columns to(3);
  for (const Point& p : points)
    for (std::size_t d = 0; d < 3; ++d) to[d].push_back(p[d]);
  return to;
}

/// Points of a box with pairs of all kinds: in one place, close to each other, images of each other, a crowd.
std::vector<Point> all_kinds(std::size_t n, const stokes::Box& box, Numbers& next) {
  std::vector<Point> x = uniform(n, box, next);
  for (std::size_t i = 0; i + 9 < n; i += 10) {
    x[i + 1] = x[i];
    for (std::size_t d = 0; d < 3; ++d) {
      x[i + 2][d] = x[i][d] + 1e-7 * box.edge[d] * (next() - 0.5);
      x[i + 3][d] = box.origin[d] + box.edge[d] * (0.4 + 0.1 * next());
      if (!box.periodic[d]) x[i + 2][d] = std::clamp(x[i + 2][d], box.origin[d], box.origin[d] + 0.999 * box.edge[d]);
    }
    if (box.periodic[0]) x[i + 4] = x[i], x[i + 4][0] += box.edge[0];
  }
  return x;
}

/// One set of points, sorted on both processors.
struct Particles {
  Columns x;
  std::array<OnDevice<double>, 3> there;
  CellOrder<double> order, order_there;

  Particles(const Grid& grid, const std::vector<Point>& points)
      : x(columns_of(points)), there{OnDevice<double>(x[0]), OnDevice<double>(x[1]), OnDevice<double>(x[2])}, order(grid),
        order_there(grid) {
    order.sort(Cpu{}, positions());
    order_there.sort(Gpu{}, positions_there());
  }
  std::int64_t size() const { return static_cast<std::int64_t>(x[0].size()); }
  Positions<double> positions() const { return corral::positions(x[0].data(), x[1].data(), x[2].data(), size()); }
  Positions<double> positions_there() const {
    return corral::positions<double>(there[0].data(), there[1].data(), there[2].data(), size());
  }
  NearField::Sorted sorted() const { return {order.view(Cpu{}), positions()}; }
  NearField::Sorted sorted_there() const { return {order_there.view(Gpu{}), positions_there()}; }
};

struct Scene {
  stokes::Box box;
  std::array<std::int64_t, 3> cells;
  double cut_off, error;
  bool apart;
};

struct Near {
  Grid grid;
  Particles sources, targets;
  Columns strength;
  double xi;

  Near(const Scene& scene, std::size_t n, Numbers& next)
      : grid(stokes::cells_of(scene.box.origin, scene.box.edge, scene.cells, scene.box.periodic)),
        sources(grid, all_kinds(n, scene.box, next)), targets(grid, all_kinds(scene.apart ? n / 2 : 0, scene.box, next)),
        xi((scene.error < 1e-9 ? 5 : 3.5) / scene.cut_off) {
    for (int s = 0; s < stokes::device::most_columns; ++s) {
      strength.emplace_back();
      for (std::size_t i = 0; i < n; ++i) strength.back().push_back(2 * next() - 1);
    }
  }

  /// Results begin with 1, to which calls add. `columns`: of strengths.
  Columns here(Sum sum, bool all, double radius, const Scene& scene, int first) const {
    const Particles& at = scene.apart ? targets : sources;
    Columns results(static_cast<std::size_t>(columns(sum, all)), std::vector<double>(at.x[0].size(), 1));
    std::vector<Column<const double>> from;
    for (int s = 0; s < strength_columns(sum); ++s) from.push_back({strength[first + s].data(), sources.size()});
    std::vector<Column<double>> to;
    for (auto& r : results) to.push_back({r.data(), at.size()});
    NearField near(sum, all, xi, scene.cut_off, scene.error, radius);
    near.add(Cpu{}, grid, at.sorted(), sources.sorted(), from, to);
    return results;
  }
  template <class Call> Columns there(const Scene& scene, int strengths, int results, const Call& call) const {
    const Particles& at = scene.apart ? targets : sources;
    std::vector<OnDevice<double>> s, r;
    std::vector<Column<const double>> from;
    std::vector<Column<double>> to;
    for (int c = 0; c < strengths; ++c) s.emplace_back(strength[c]);
    for (int c = 0; c < results; ++c) r.emplace_back(std::vector<double>(at.x[0].size(), 1));
    for (const auto& column : s) from.push_back(column.column());
    for (const auto& column : r) to.push_back(column.column());
    call(grid, at.sorted_there(), sources.sorted_there(), from, to);
    Columns found;
    for (const auto& column : r) found.push_back(column.values());
    return found;
  }
};

/// The largest difference, in units of a target's largest column and what is usual among targets.
double difference(const Columns& a, const Columns& b) {
  std::vector<double> largest;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    double most = 0;
    for (const auto& column : a) most = std::max(most, std::abs(column[i]));
    largest.push_back(most);
  }
  if (largest.empty()) return 0;
  std::vector<double> sorted = largest;
  std::sort(sorted.begin(), sorted.end());
  const double usual = sorted[sorted.size() / 2];
  double worst = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const double off = std::abs(a[c][i] - b[c][i]) / (largest[i] + usual);
      worst = std::isfinite(off) ? std::max(worst, off) : 1;
    }
  return worst;
}

std::vector<Scene> scenes() {
  const std::array<double, 3> origin{.3, -1, 2};
  return {
      {{origin, {1, 1.3, .8}, {true, true, true}}, {4, 5, 3}, .27, 1e-7, true},
      {{origin, {1, 1.3, .8}, {true, true, true}}, {8, 10, 6}, .27, 1e-13, false},
      {{origin, {1, 1, 1}, {true, true, true}}, {1, 2, 3}, 1.4, 1e-7, false}, // images beyond the box
      {{origin, {2, .5, .7}, {true, false, true}}, {7, 1, 2}, .5, 1e-13, true},
      {{origin, {1, 1, 1}, {false, false, false}}, {3, 3, 3}, .4, 1e-7, false},
  };
}

} // namespace

TEST_CASE("near fields of points on a device are the CPU's") {
  Numbers next(11);
  for (const Scene& scene : scenes()) {
    const Near near(scene, 130, next);
    for (const Sum sum : all_sums)
      for (const bool all : {false, true}) {
        const Columns right = near.here(sum, all, 0, scene, 0);
        DeviceNearField device(sum, all, near.xi, scene.cut_off, scene.error, 0);
        std::vector<Columns> got;
        for (const PairMethod method : methods) {
          got.push_back(near.there(scene, strength_columns(sum), columns(sum, all), [&](const auto&... arguments) {
            device.add(Gpu{}, arguments..., method);
          }));
          CAPTURE(name(sum), all, scene.cut_off, static_cast<int>(method));
          CHECK(difference(right, got.back()) < most_apart);
        }
        CHECK(got[0] == got[1]); // one order of pairs
        CHECK(near.there(scene, strength_columns(sum), columns(sum, all), [&](const auto&... arguments) {
          device.add(Gpu{}, arguments..., PairMethod::mixed);
        }) == got[2]);
      }
  }
}

TEST_CASE("near fields of spheres on a device are the CPU's") {
  Numbers next(13);
  for (const Scene& scene : scenes()) {
    const Near near(scene, 100, next);
    const double radius = scene.cut_off / 5;
    const Columns right = near.here(Sum::stokeslet, false, radius, scene, 0);
    DeviceNearField device(Sum::stokeslet, false, near.xi, scene.cut_off, scene.error, radius);
    for (const PairMethod method : methods) {
      const Columns got = near.there(scene, 3, 3, [&](const auto&... arguments) { device.add(Gpu{}, arguments..., method); });
      CAPTURE(scene.cut_off, static_cast<int>(method));
      CHECK(difference(right, got) < most_apart);
    }
  }
}

TEST_CASE("stokeslets and stresslets in one pass are the sum of both") {
  Numbers next(17);
  for (const Scene& scene : scenes()) {
    const Near near(scene, 100, next);
    Columns right = near.here(Sum::stokeslet, false, 0, scene, 0);
    const Columns stresslets = near.here(Sum::stresslet, false, 0, scene, 3);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < right[c].size(); ++i) right[c][i] += stresslets[c][i] - 1;
    DeviceNearField device(Sum::stokeslet, false, near.xi, scene.cut_off, scene.error, 0);
    for (const PairMethod method : methods) {
      const Columns got = near.there(scene, 9, 3, [&](const auto&... arguments) {
        device.add_with_stresslets(Gpu{}, arguments..., method);
      });
      CHECK(difference(right, got) < most_apart);
    }
  }
}

} // namespace corral::test
