#include "structure/bodies/point_volumes.hpp"

#include "geometry/shapes/shapes.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/point_band.hpp"
#include "tests/catch.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {

using namespace structure;
using PointList = std::vector<std::array<double, 3>>;

namespace {

constexpr std::array<Staggering, 3> in_middles{Staggering::centre, Staggering::centre, Staggering::centre};

struct Columns3 {
  explicit Columns3(const PointList& points) {
    for (std::size_t d = 0; d < 3; ++d)
      for (const auto& p : points) x[d].push_back(p[d]);
  }
  ConstPoints pointers() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  std::array<std::vector<double>, 3> x;
};

fluid::Domain box(const std::array<std::int64_t, 3>& cells, double h) {
  std::array<fluid::SideKind, 6> sides;
  sides.fill(fluid::SideKind::periodic);
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = h * static_cast<double>(cells[d]);
  return fluid::Domain(fluid::Domain::make_grid(cells, {0, 0, 0}, size, sides), sides, {});
}

PointList circle(double radius, int points, double z) {
  PointList all;
  for (int m = 0; m < points; ++m) {
    const double angle = 2 * std::numbers::pi * (m + 0.5) / points;
    all.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return all;
}

PointList shifted(PointList points, const std::array<double, 3>& by) {
  for (auto& p : points)
    for (std::size_t d = 0; d < 3; ++d) p[d] += by[d];
  return points;
}

std::string any_shipped_kernel() {
  std::vector<std::string> names;
  kernels::for_each_shipped([&]<class K>(const K&) {
    if constexpr (kernels::sums_to_one<K>) names.emplace_back(K::name);
  });
  return GENERATE_COPY(from_range(names));
}

} // namespace

TEST_CASE("points of a circle stand for the volumes that the literature's system gives", "[bodies]") {
  // Made with this circle: 126 points, diameter 40, centre on a node's line and between two along y, nodes in cells' middles.
  const fluid::Domain domain = box({800, 600, 1}, 1);
  PointVolumes volumes(domain.grid(), "roma3", in_middles);
  const PointList own = circle(20, 126, 0);
  volumes.add(std::ssize(own));
  const Columns3 at(shifted(own, {400.5, 300, 0.5}));
  volumes.find(Cpu{}, at.pointers(), 1e-10);
  const double* const eps = volumes.of_component(0);
  double sum = 0;
  for (int i = 0; i < 126; ++i) sum += eps[i];
  CHECK(*std::min_element(eps, eps + 126) == Approx(1.72207).epsilon(2e-6));
  CHECK(*std::max_element(eps, eps + 126) == Approx(2.1488).epsilon(5e-6));
  CHECK(sum / 126 == Approx(1.97884).epsilon(3e-6));
}

TEST_CASE("a force that is the same at all points of a body is the same where it is read back", "[bodies]") {
  const std::string kernel = any_shipped_kernel();
  const bool flat = GENERATE(true, false), faces = GENERATE(false, true);
  const double h = 0.25;
  const fluid::Domain domain = flat ? box({40, 36, 1}, h) : box({24, 20, 22}, h);
  const std::array<Staggering, 3> staggering = faces ? run::on_faces : in_middles;
  PointList own;
  if (flat) own = circle(8 * h, 46, 0);
  else
    for (const auto& p : geometry::icosphere(5).points) own.push_back({5 * h * p[0], 5 * h * p[1], 5 * h * p[2]});
  INFO(kernel << (flat ? " in a plane" : " in space") << (faces ? ", faces" : ", middles"));

  PointVolumes volumes(domain.grid(), kernel, staggering);
  volumes.add(std::ssize(own));
  const PointList places = shifted(own, {4.13, 3.07, flat ? 0.5 * h : 2.31}); // across a periodic side
  const Columns3 at(places);
  volumes.find(Cpu{}, at.pointers(), 1e-9);

  const auto n = static_cast<std::int64_t>(own.size());
  CellOrder<double> order(domain.grid());
  order.sort(Cpu{}, positions(at.x[0].data(), at.x[1].data(), at.x[2].data(), n));
  MarkerMaps maps(domain, kernel, Method::automatic, staggering);
  std::array<std::vector<double>, 3> field, values, read;
  VectorField f;
  ConstPoints v;
  Points to;
  for (std::size_t d = 0; d < 3; ++d) {
    field[d].assign(static_cast<std::size_t>(domain.grid().points(staggering[d])), 0.0);
    for (std::int64_t i = 0; i < n; ++i) values[d].push_back(volumes.of_component(static_cast<int>(d))[i] * domain.grid().cell_volume());
    read[d].resize(own.size());
    f[d] = field[d].data(), v[d] = values[d].data(), to[d] = read[d].data();
  }
  maps.spread(Cpu{}, order, n, v, f);
  maps.interpolate_change(Cpu{}, order, {f[0], f[1], f[2]}, n, to);
  double off = 0;
  for (const auto& component : read)
    for (const double one : component) off = std::max(off, std::abs(one - 1));
  CHECK(off == Approx(volumes.missed()).margin(1e-9));
  CHECK((off < 1e-8 || kernel != "roma3"));
  for (int d = 0; d < 3; ++d) CHECK(*std::min_element(volumes.of_component(d), volumes.of_component(d) + n) > 0);
}

TEST_CASE("each body has volumes of its own", "[bodies]") {
  const fluid::Domain domain = box({60, 30, 1}, 1);
  const PointList own = circle(6, 36, 0);
  const auto solved = [&](const std::vector<std::array<double, 3>>& centres) {
    PointVolumes volumes(domain.grid(), "roma3", in_middles);
    PointList all;
    for (const auto& c : centres) {
      volumes.add(std::ssize(own));
      const PointList here = shifted(own, c);
      all.insert(all.end(), here.begin(), here.end());
    }
    volumes.find(Cpu{}, Columns3(all).pointers(), 1e-12);
    const double* const eps = volumes.of_component(1);
    return std::vector<double>(eps, eps + all.size());
  };
  const std::array<double, 3> left{15.2, 15.1, 0.5}, touching{27.3, 15.1, 0.5};
  const std::vector<double> alone = solved({touching}), both = solved({left, touching});
  for (std::size_t i = 0; i < alone.size(); ++i) CHECK(both[36 + i] == Approx(alone[i]).epsilon(1e-9));
}

TEST_CASE("volumes of points that move on follow, by places or by stencils", "[bodies]") {
  const fluid::Domain domain = box({60, 40, 1}, 1);
  const PointList own = circle(10, 63, 0);
  PointVolumes by_places(domain.grid(), "roma3", in_middles), by_stencils(domain.grid(), "roma3", in_middles), left(domain.grid(), "roma3", in_middles);
  PointBand band(domain.grid(), "roma3");
  for (PointVolumes* const volumes : {&by_places, &by_stencils, &left}) {
    volumes->add(std::ssize(own));
    volumes->find(Cpu{}, Columns3(shifted(own, {52.1, 20.3, 0.5})).pointers(), 1e-6);
  }
  double worst = 0;
  for (int step = 1; step <= 200; ++step) { // across the periodic end
    const Columns3 at(shifted(own, {52.1 + 0.01 * step, 20.3 + 0.007 * step, 0.5}));
    by_places.follow(Cpu{}, at.pointers());
    band.find(Cpu{}, at.pointers(), std::ssize(own));
    by_stencils.follow(Cpu{}, band.stencils());
    by_places.find(Cpu{}, at.pointers(), 1e9); // looks, and leaves them alone
    worst = std::max(worst, by_places.missed());
  }
  left.find(Cpu{}, Columns3(shifted(own, {54.1, 21.7, 0.5})).pointers(), 1e9);
  CHECK(worst < 0.008);
  CHECK(left.missed() > 0.03);
  for (std::int64_t i = 0; i < std::ssize(own); ++i) CHECK(by_stencils.of_component(0)[i] == Approx(by_places.of_component(0)[i]).epsilon(1e-9));
}

TEST_CASE("a step towards volumes leaves them positive", "[bodies]") {
  for (const double row : {1e-3, 0.5, 1.0, 2.5, 1e3}) {
    CHECK(next_volume(2, row, 1) == Approx(2 / row));
    CHECK(next_volume(2, row, times_as_far) > 0);
    CHECK((row - 1) * (next_volume(2, row, times_as_far) - 2 / row) <= 0); // further that way
  }
}

TEST_CASE("points on top of each other are refused", "[bodies]") {
  const fluid::Domain domain = box({20, 20, 1}, 1);
  PointVolumes volumes(domain.grid(), "roma3", in_middles);
  PointList own = circle(5, 30, 0);
  own.push_back(own.front());
  volumes.add(std::ssize(own));
  const Columns3 at(shifted(own, {10, 10, 0.5}));
  // Two at one place share what one would have: that is a solution.
  volumes.find(Cpu{}, at.pointers(), 1e-9);
  const double* const eps = volumes.of_component(0);
  CHECK(eps[0] == Approx(eps[30]));
}

} // namespace corral::test
