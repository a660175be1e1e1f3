#include "tests/engine/map_properties.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/engine/spline_kernels.hpp"

#include <string>

/// The calls that take positions and no order, on the CPU; methods.cpp has what holds on both processors.
namespace corral::test {
namespace {

/// Five staggerings, with up to five fields on one of them, in a box with sides of every kind.
template <class T> struct Scene {
  static constexpr std::int64_t n = sanitized ? 5'000 : 30'000;
  Grid grid{{Axis{7, 0.0, 1.0}, Axis{6, 0.0, 1.0, Boundary::wall, Boundary::open},
             Axis{21, 0.0, 1.0, Boundary::open, Boundary::wall}}};
  Particles<T> particles;
  std::vector<T> value;

  Scene() {
    Random random(72);
    for (std::int64_t i = 0; i < n; ++i) {
      particles.x.push_back(static_cast<T>(random.uniform(0, 7)));
      particles.y.push_back(static_cast<T>(random.uniform(0, 6)));
      particles.z.push_back(static_cast<T>(random.uniform(-1, 21)));
    }
    value = random_column<T>(n, random);
  }

  template <class Kernel> std::vector<T> mapped(Method method) const {
    std::vector<std::vector<T>> field, read;
    std::vector<Spread<T>> spreads;
    std::vector<Interpolate<T>> reads;
    for (const Staggering s : {Staggering::centre, Staggering::node, Staggering::face_x, Staggering::face_y,
                               Staggering::face_z, Staggering::centre, Staggering::face_x, Staggering::face_x,
                               Staggering::face_y, Staggering::face_y, Staggering::face_y, Staggering::face_y}) {
      field.emplace_back(static_cast<std::size_t>(grid.points(s)), T(0));
      read.emplace_back(static_cast<std::size_t>(n), T(0));
      spreads.push_back({{value.data(), n}, field_view(grid, field.back().data(), s)});
      reads.push_back({spreads.back().field, {read.back().data(), n}});
    }
    spread(Cpu{}, grid, particles.positions(), Kernel{}, std::span<const Spread<T>>(spreads), method);
    interpolate(Cpu{}, grid, particles.positions(), Kernel{}, std::span<const Interpolate<T>>(reads), method);
    std::vector<T> all;
    for (const auto& f : field) all.insert(all.end(), f.begin(), f.end());
    for (const auto& r : read) all.insert(all.end(), r.begin(), r.end());
    return all;
  }
};

template <class T, class Kernel> void require_bits_of_serial() {
  const Scene<T> scene;
  const std::vector<T> expected = scene.template mapped<Kernel>(Method::serial);
  CHECK(std::count(expected.begin(), expected.end(), T(0)) < static_cast<std::int64_t>(expected.size() / 4));
  for (const int threads : {1, 2, 3, 4})
    run_with_threads(threads, [&] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const bool same = scene.template mapped<Kernel>(Method::automatic) == expected;
        CHECK(same);
      }
    });
}

/// Many particles and one to four fields in a call, each with values of its own: what maps over an order make of them.
template <class T> void require_fields_of_an_order(int fields) {
  const Scene<T> scene;
  const auto n = Scene<T>::n;
  const auto points = static_cast<std::size_t>(scene.grid.points(Staggering::face_y));
  CellOrder<T> order(scene.grid);
  order.sort(Cpu{}, scene.particles.positions());
  Random random(76);
  for (int f = 0; f < fields; ++f) {
    std::vector<std::vector<T>> value, field(static_cast<std::size_t>(fields), std::vector<T>(points));
    std::vector<std::vector<T>> read(static_cast<std::size_t>(fields), std::vector<T>(static_cast<std::size_t>(n)));
    std::vector<Spread<T>> spreads;
    std::vector<Interpolate<T>> reads;
    for (std::size_t g = 0; g < field.size(); ++g) value.push_back(random_column<T>(n, random));
    for (std::size_t g = 0; g < field.size(); ++g) {
      spreads.push_back({{value[g].data(), n}, field_view(scene.grid, field[g].data(), Staggering::face_y)});
      reads.push_back({spreads[g].field, {read[g].data(), n}});
    }
    std::vector<T> expected(points), expected_read(static_cast<std::size_t>(n));
    const FieldView<T> view = field_view(scene.grid, expected.data(), Staggering::face_y);
    spread(Cpu{}, order, kernels::Linear{}, {Spread<T>{{value[f].data(), n}, view}}, Method::serial);
    interpolate(Cpu{}, order, kernels::Linear{}, {Interpolate<T>{view, {expected_read.data(), n}}}, Method::serial);
    spread(Cpu{}, scene.grid, scene.particles.positions(), kernels::Linear{}, std::span<const Spread<T>>(spreads));
    interpolate(Cpu{}, scene.grid, scene.particles.positions(), kernels::Linear{},
                std::span<const Interpolate<T>>(reads));
    T largest = 0, difference = 0;
    for (std::size_t p = 0; p < points; ++p) {
      largest = std::max(largest, std::abs(expected[p]));
      difference = std::max(difference, std::abs(field[f][p] - expected[p]));
    }
    for (std::size_t i = 0; i < expected_read.size(); ++i)
      difference = std::max(difference, std::abs(read[f][i] - expected_read[i]));
    CHECK(difference <= round_off<T>(n) * largest);
  }
}

} // namespace

TEST_CASE("without an order any number of threads gives the bits of the serial loop") {
  require_bits_of_serial<double, kernels::Linear>();
  require_bits_of_serial<float, kernels::Linear>();
  require_bits_of_serial<double, Cubic>();
}

TEST_CASE("without an order each field of a call gets its own values") {
  for (const int fields : {1, 2, 3, 4}) {
    require_fields_of_an_order<double>(fields);
    require_fields_of_an_order<float>(fields);
  }
}

TEST_CASE("without an order and without terms the particles are counted") {
  const Scene<double> scene;
  const std::span<const Spread<double>> nothing;
  const SortCounts counts = spread(Cpu{}, scene.grid, scene.particles.positions(), kernels::Linear{}, nothing);
  CHECK(counts.outside > Scene<double>::n / 30);
  CHECK(counts.inside + counts.outside == Scene<double>::n);
}

TEST_CASE("methods say where they do not apply") {
  const Scene<double> scene;
  const auto at = scene.particles.positions();
  std::vector<double> field(static_cast<std::size_t>(scene.grid.points(Staggering::centre))), read(Scene<double>::n);
  const FieldView<double> view = field_view(scene.grid, field.data(), Staggering::centre);
  const Column<double> column{read.data(), Scene<double>::n};
  const auto spread_error = [&](Method m, const Column<const double>& c) {
    return message_of([&] { spread(Cpu{}, scene.grid, at, kernels::Linear{}, {Spread<double>{c, view}}, m); });
  };
  CHECK(spread_error(Method::columns, column) ==
        "method columns without an order (it maps sorted particles) take serial, atomic, or automatic, or sort the "
        "particles into a CellOrder");
  CHECK(spread_error(Method::serial, {read.data(), 5}) ==
        "a column of 5 values cannot be mapped (the positions hold " + std::to_string(Scene<double>::n) +
            " particles) hand over columns as long as the positions");
  CHECK(message_of([&] {
          interpolate(Cpu{}, scene.grid, at, kernels::Linear{}, {Interpolate<double>{view, column}}, Method::atomic);
        }) == "method atomic without an order (it maps sorted particles) take serial, or automatic, or sort the "
              "particles into a CellOrder");

  CellOrder<double> order(scene.grid);
  order.sort(Cpu{}, at);
  CHECK(message_of([&] {
          interpolate(Cpu{}, order, kernels::Linear{}, {Interpolate<double>{view, column}}, Method::columns);
        }) == "method columns for an interpolation (it is a way to spread; a gather has no conflicts to avoid) take "
              "serial, cells, stencils, tiles, or automatic");
  CHECK(message_of([&] { spread(Cpu{}, order, Cubic{}, {Spread<double>{column, view}}, Method::cells); }) ==
        "method cells with a kernel that is not linear (it keeps the 8 to 27 points of a trilinear cell in registers) "
        "take stencils, or automatic");
}

} // namespace corral::test
