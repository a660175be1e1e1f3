#include "bench/scene/plain_loop.hpp"

#include "bench/scene/particles.hpp"
#include "bench/scene/scene.hpp"
#include "engine/reference/reference.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"

#include <corral/kernels/shipped.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

using namespace corral;
using namespace corral::bench;

namespace {

template <class T> FieldView<T> view(const Workload& w, Values<T>& fields, int f) {
  const std::int64_t s = fields.stride();
  return {fields.data(f), staggering(w.points, f), {s, s * w.cells[0], s * w.cells[0] * w.cells[1]}};
}

/// What a column is to give a field, and the other way.
template <class T> struct Expected {
  std::function<void(const Grid&, const Positions<T>&, Column<const T>, FieldView<T>)> spread;
  std::function<void(const Grid&, const Positions<T>&, FieldView<const T>, Column<T>)> interpolate;
};

/// By the reference where the plain loop is compiled for the kernel. Of others, and of those that differ by axis, which the reference does
/// not know, the engine's serial maps speak: these need no order, and compiling the reference for all kernels takes a minute.
template <class T> Expected<T> expected(std::string_view name) {
  Expected<T> maps;
  CHECK(kernels::with_kernel(name, [&]<class K>(const K& kernel) {
    if constexpr (kernels::is_one_of<K, InlinedKernels> && kernels::Kernel<K>) {
      maps.spread = [=](const Grid& grid, const Positions<T>& p, Column<const T> from, FieldView<T> to) { reference::spread(grid, kernel, p, from, to); };
      maps.interpolate = [=](const Grid& grid, const Positions<T>& p, FieldView<const T> from, Column<T> to) {
        reference::interpolate(grid, kernel, p, from, to);
      };
    } else {
      maps.spread = [=](const Grid& grid, const Positions<T>& p, Column<const T> from, FieldView<T> to) {
        corral::spread(Cpu{}, grid, p, kernel, {{from, to}}, Method::serial);
      };
      maps.interpolate = [=](const Grid& grid, const Positions<T>& p, FieldView<const T> from, Column<T> to) {
        corral::interpolate(Cpu{}, grid, p, kernel, {{from, to}}, Method::serial);
      };
    }
  }));
  return maps;
}

/// Spread and interpolate by the plain loop, in one call, and as expected, field by field.
template <class T> void compare(const Workload& w) {
  const Grid grid = periodic_grid(w.cells);
  Particles<T> p = draw_particles<T>(w, w.particles);
  Values<T> fields(grid.cells(), w.fields, w.layout), results(w.particles, w.fields, w.layout);
  fields.fill_with_numbers();
  Values<T> expected_fields = fields, expected_results = results;

  const Expected<T> maps = expected<T>(w.kernel);
  std::vector<Spread<T>> spreads;
  std::vector<Interpolate<T>> interpolations;
  for (int f = 0; f < w.fields; ++f) {
    spreads.push_back({p.value.column(f), view(w, fields, f)});
    interpolations.push_back({view(w, fields, f), results.column(f)});
    maps.spread(grid, p.positions(), spreads.back().column, view(w, expected_fields, f));
  }
  for (int f = 0; f < w.fields; ++f) // interpolation reads what was spread
    maps.interpolate(grid, p.positions(), view(w, expected_fields, f), expected_results.column(f));
  const PlainLoop<T> plain = plain_loop<T>(w.kernel);
  plain.spread(grid, p.positions(), spreads);
  plain.interpolate(grid, p.positions(), interpolations);

  Comparison of_fields, of_results;
  for (int f = 0; f < w.fields; ++f) {
    for (std::int64_t i = 0; i < grid.cells(); ++i) of_fields.add(fields.column(f)[i], expected_fields.column(f)[i]);
    for (std::int64_t i = 0; i < w.particles; ++i) of_results.add(results.column(f)[i], expected_results.column(f)[i]);
  }
  const double allowed = round_off<T>(9, w.particles);
  INFO(w.kernel << " " << word(w.points) << " " << w.fields << " " << word(w.layout) << " " << word(w.precision));
  CHECK(of_fields.relative() <= allowed);
  CHECK(of_results.relative() <= allowed);
}

} // namespace

TEST_CASE("the plain loop does what the reference and the engine do") {
  Workload w;
  w.cells = {9, 4, 5};
  w.particles = 25;
  for (const std::string_view name : kernels::shipped_names)
    for (const Points points : {Points::centre, Points::node, Points::face_x, Points::face_y, Points::face_z,
                                Points::faces})
      for (const int fields : {1, 2, 3, 4})
        for (const Layout layout : {Layout::separate, Layout::interleaved}) {
          if (points == Points::faces && fields != 3) continue;
          if (layout == Layout::interleaved && fields == 1) continue; // the same thing
          if (test::sanitized && !test::thorough() && (fields != 3 || points == Points::centre || points == Points::node)) continue;
          w.kernel = name;
          w.points = points;
          w.fields = fields;
          w.layout = layout;
          compare<float>(w);
          compare<double>(w);
        }
}

TEST_CASE("no kernel, no plain loop") {
  CHECK_THROWS_WITH(plain_loop<double>("lineal"), Catch::Matchers::ContainsSubstring("no kernel 'lineal'"));
}
