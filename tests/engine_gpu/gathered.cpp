#include "tests/engine/compare_with_reference.hpp"

#include <corral/kernels/shipped.hpp>

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <cmath>
#include <cstring>
#include <limits>

/// Interpolation by bricks: what the bits of a result depend on, and what a value that is not finite spoils.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 3> cells{13, 9, 11};

/// A periodic box. Coordinates and fractions are exact numbers, so that a shift by whole cells leaves fractions as they are.
struct Box {
  Grid grid{std::array<Axis, 3>{Axis{cells[0], 0.0, 1.0}, Axis{cells[1], 0.0, 1.0}, Axis{cells[2], 0.0, 1.0}}};
  Particles<double> particles;

  explicit Box(std::int64_t n, std::uint64_t seed = 31) {
    Random random(seed);
    const auto coordinate = [&](std::size_t d) { return static_cast<double>(random.below(1024 * cells[d])) / 1024; };
    for (std::int64_t i = 0; i < n; ++i) {
      particles.x.push_back(coordinate(0));
      particles.y.push_back(coordinate(1));
      particles.z.push_back(coordinate(2));
    }
  }

  std::vector<double> random_points(std::uint64_t seed) const {
    Random random(seed);
    return random_column<double>(grid.points(Staggering::centre), random); // a periodic box has as many on faces
  }

  template <class K>
  std::vector<std::vector<double>> read(const K& kernel, const std::vector<FieldView<const double>>& fields, Offset offset = Offset::half,
                                        Method method = Method::bricks) const {
    CellOrder<double> order(grid, {offset, offset, offset});
    run_sort(order, particles.positions());
    std::vector<std::vector<double>> results(fields.size(), std::vector<double>(particles.x.size(), untouched));
    std::vector<Interpolate<double>> terms;
    for (std::size_t f = 0; f < fields.size(); ++f) terms.push_back({fields[f], {results[f].data(), particles.size()}});
    run_interpolate(order, kernel, std::span<const Interpolate<double>>(terms), method);
    return results;
  }
  template <class K> std::vector<double> read(const K& kernel, const std::vector<double>& points, Staggering staggering, Offset offset = Offset::half) const {
    return read(kernel, {view(points, staggering)}, offset)[0];
  }
  FieldView<const double> view(const std::vector<double>& points, Staggering staggering) const {
    return field_view<const double>(grid, points.data(), staggering);
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
  return a.size() >= n && b.size() >= n && std::memcmp(a.data(), b.data(), n * sizeof(double)) == 0;
}

/// As `box`, but that all lies further by some cells.
Box shifted(const Box& box, const std::array<std::int64_t, 3>& by) {
  Box other(0);
  other.particles = box.particles;
  std::vector<double>* const coordinates[3] = {&other.particles.x, &other.particles.y, &other.particles.z};
  for (std::size_t d = 0; d < 3; ++d)
    for (double& x : *coordinates[d]) x = std::fmod(x + static_cast<double>(by[d]), static_cast<double>(cells[d]));
  return other;
}
std::vector<double> shifted(const std::vector<double>& points, const std::array<std::int64_t, 3>& by) {
  std::vector<double> other(points.size());
  std::size_t n = 0;
  for (std::int64_t k = 0; k < cells[2]; ++k)
    for (std::int64_t j = 0; j < cells[1]; ++j)
      for (std::int64_t i = 0; i < cells[0]; ++i)
        other[static_cast<std::size_t>(((k + by[2]) % cells[2] * cells[1] + (j + by[1]) % cells[1]) * cells[0] + (i + by[0]) % cells[0])] = points[n++];
  return other;
}

template <class K> void require_same_wherever_it_lies(const K& kernel, std::int64_t n) {
  const Box few(n), others(20 * n, 32);
  Box many = few; // other columns, bricks and groups
  many.particles.x.insert(many.particles.x.end(), others.particles.x.begin(), others.particles.x.end());
  many.particles.y.insert(many.particles.y.end(), others.particles.y.begin(), others.particles.y.end());
  many.particles.z.insert(many.particles.z.end(), others.particles.z.begin(), others.particles.z.end());
  const std::vector<double> points = few.random_points(33);
  for (const Staggering staggering : {Staggering::centre, Staggering::face_x, Staggering::node}) {
    INFO(K::name << ", " << name(staggering));
    const auto count = static_cast<std::size_t>(n);
    const std::vector<double> alone = few.read(kernel, points, staggering);
    CHECK(same_bits(many.read(kernel, points, staggering), alone, count));
    for (const std::array<std::int64_t, 3>& by : {std::array<std::int64_t, 3>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 3, 5}})
      CHECK(same_bits(shifted(few, by).read(kernel, shifted(points, by), staggering), alone, count));
  }
}

} // namespace

TEST_CASE("by bricks a particle gets the same bits wherever it lies in them, and whoever is beside it") {
  require_same_wherever_it_lies(kernels::Peskin4{}, 40);
  require_same_wherever_it_lies(kernels::KaiserBessel<7>{}, 15);
  if (!sanitized) require_same_wherever_it_lies(kernels::KaiserBessel<12>{}, 4);
}

TEST_CASE("by bricks a field has the bits that it has alone, whatever fields are in the call and however they lie") {
  const Box box(100);
  const auto require_as_alone = [&](const auto& kernel, std::initializer_list<std::size_t> counts, Offset offset) {
    const std::vector<double> points = box.random_points(34);
    const std::vector<double> alone = box.read(kernel, points, Staggering::face_y, offset);
    for (const std::size_t n : counts)
      for (const std::size_t first : {0, 1}) { // fields alternate in memory, with real parts at multiples of 16 bytes or not
        INFO(std::decay_t<decltype(kernel)>::name << ", " << n << " fields, the first at value " << first);
        std::vector<double> all(points.size() * n + first);
        std::vector<FieldView<const double>> fields;
        for (std::size_t f = 0; f < n; ++f) {
          for (std::size_t i = 0; i < points.size(); ++i) all[first + i * n + f] = f % 2 == 0 ? points[i] : -points[i];
          FieldView<const double> view = box.view(all, f == 2 ? Staggering::centre : Staggering::face_y);
          view.data += first + f;
          for (auto& s : view.stride) s *= static_cast<std::int64_t>(n);
          fields.push_back(view);
        }
        const auto together = box.read(kernel, fields, offset);
        for (std::size_t f = 0; f < n; ++f) {
          if (f == 2) continue;
          std::vector<double> found = together[f];
          if (f % 2 == 1)
            for (double& v : found) v = -v;
          CHECK(same_bits(found, alone, alone.size()));
        }
      }
  };
  require_as_alone(kernels::Peskin4{}, {2, 3, 5, 14}, Offset::half);
  require_as_alone(kernels::Peskin4{}, {2}, Offset::zero);
  require_as_alone(kernels::KaiserBessel<8>{}, {4, 7}, Offset::half);
  if (!sanitized) require_as_alone(kernels::KaiserBessel<14>{}, {3}, Offset::half);
}

TEST_CASE("by bricks crowds of many thousands in a cell equal the reference") {
  Random random(35);
  const Grid grid({Axis{19, 0.0, 1.0}, Axis{11, 0.0, 1.0, Boundary::wall, Boundary::wall}, Axis{17, 0.0, 1.0}});
  Particles<double> crowd;
  const auto put = [&](std::int64_t n, double x, double y, double z, double size) {
    for (std::int64_t i = 0; i < n; ++i) {
      crowd.x.push_back(x + size * random.uniform(0, 1));
      crowd.y.push_back(y + size * random.uniform(0, 1));
      crowd.z.push_back(z + size * random.uniform(0, 1));
    }
  };
  put(sanitized ? 1'100 : 10'000, 18.1, 10.1, 16.1, 0.8);
  put(sanitized ? 1'100 : 2'000, 3.5, 4.5, 5.5, 1);
  put(200, 0, 0, 0, 11);
  MapCase<double> c{grid, crowd, Staggering::face_y, {Sign::plus, Sign::minus, Sign::plus}, {Offset::half, Offset::half, Offset::half}};
  c.method = Method::bricks;
  compare_with_reference(kernels::Peskin4{}, c, random);
}

TEST_CASE("a value that is not finite spoils results around it, of its own field") {
  const Box box(2'000);
  const std::vector<double> points = box.random_points(36);
  std::vector<double> spoilt = points;
  constexpr std::array<std::int64_t, 3> at{6, 4, 5};
  spoilt[static_cast<std::size_t>((at[2] * cells[1] + at[1]) * cells[0] + at[0])] = std::numeric_limits<double>::quiet_NaN();
  const auto whole = box.read(kernels::Peskin4{}, {box.view(points, Staggering::centre), box.view(points, Staggering::centre)}),
             found = box.read(kernels::Peskin4{}, {box.view(points, Staggering::centre), box.view(spoilt, Staggering::centre)});
  CHECK(same_bits(found[0], whole[0], whole[0].size()));
  std::size_t reached = 0, wrong = 0;
  for (std::size_t i = 0; i < found[1].size(); ++i) {
    const double apart[3] = {std::abs(box.particles.x[i] - 6.5), std::abs(box.particles.y[i] - 4.5), std::abs(box.particles.z[i] - 5.5)};
    const bool reaches = apart[0] < 2 && apart[1] < 2 && apart[2] < 2;
    reached += reaches;
    // A group's window is a column of cells wide and has as many layers as the group.
    if (reaches) wrong += !std::isnan(found[1][i]);
    else if (apart[1] >= 2) wrong += std::memcmp(&found[1][i], &whole[1][i], sizeof(double)) != 0;
  }
  CHECK(reached > 10);
  CHECK(wrong == 0);
}

TEST_CASE("automatic reads by bricks where cells hold enough particles, and by stencils elsewhere") {
  const auto require_as = [](const auto& kernel, std::int64_t particles, Method method) {
    INFO(std::decay_t<decltype(kernel)>::name << ", " << particles << " particles");
    const Box box(particles);
    const std::vector<double> points = box.random_points(38);
    const std::vector<FieldView<const double>> field{box.view(points, Staggering::centre)};
    const auto chosen = box.read(kernel, field, Offset::half, Method::automatic)[0];
    const Method other = method == Method::bricks ? Method::stencils : Method::bricks;
    CHECK(same_bits(chosen, box.read(kernel, field, Offset::half, method)[0], chosen.size()));
    CHECK_FALSE(same_bits(chosen, box.read(kernel, field, Offset::half, other)[0], chosen.size()));
  };
  require_as(kernels::Peskin4{}, 60, Method::bricks); // on 1287 cells
  require_as(kernels::Peskin4{}, 40, Method::stencils);
  require_as(kernels::Linear{}, 2'000, Method::stencils);
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("by bricks a device without their copies goes by stencils") {
  const Box box(100);
  const std::vector<double> points = box.random_points(37), there = box.read(kernels::KaiserBessel<6>{}, points, Staggering::node);
  cuda_on_host::Configuration device = cuda_on_host::configuration();
  device.compute_capability = 80;
  const cuda_on_host::ScopedConfiguration scope(device);
  const std::vector<double> here = box.read(kernels::KaiserBessel<6>{}, points, Staggering::node);
  double worst = 0;
  for (std::size_t i = 0; i < here.size(); ++i) worst = std::max(worst, std::abs(here[i] - there[i]));
  CHECK(worst < 1e-13);
  CHECK(worst > 0); // another order of additions
}
#endif

} // namespace corral::test
