#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace corral::test {
TEST_CASE("in free space sums are those over pairs", "[physics]") {
  const Box boxes[]{{{-.5, 2, 0}, {1, 1, 1}, {}}, {{0, 0, 0}, {1.5, .6, 1}, {}}};
  Numbers next(11);
  for (const Box& box : boxes)
    for (const Sum sum : all_sums) {
      auto sources = uniform(150, box, next);
      for (std::size_t d = 0; d < 3; ++d) sources[1][d] = box.origin[d]; // a corner, and as near to the other as may be
      for (std::size_t d = 0; d < 3; ++d) sources[2][d] = box.origin[d] + box.edge[d] * (1 - 1e-12);
      const auto s = strengths(sources.size(), next);
      const auto right = stokes::DirectSum{.sum = sum, .all_results = true, .box = box}(sources, s, sources);
      const auto size = errors(task_of(sum, 1, box, 1), s, std::vector<double>(right.size(), 0), right);
      for (const double tolerance : {1e-3, 1e-6, 1e-11}) {
        if (tolerance != 1e-6 && (box.edge[0] != 1 || (tolerance < 1e-6 && sum != Sum::stokeslet)))
          continue; // seconds each
        SumPlan plan(task_of(sum, sources.size(), box, tolerance));
        const auto off = errors(plan.task(), s, by_plan(plan, sources, s, sources), right);
        CAPTURE(name(sum), tolerance, off, size, stokes::report(plan.task(), plan.parameters()));
        for (std::size_t r = 0; r < off.size(); ++r)
          CHECK(off[r] < tolerance * std::max(1.0, size[r]) + 2000 * std::numeric_limits<double>::epsilon());
      }
    }
}

TEST_CASE("layers have what a periodic box has that is tall", "[physics]") {
  // Modes with a wave number along the layer don't reach the next one; the others, flow along the layer as a function
  // of the height alone, differ by what a periodic box has of them: 4 pi z^2/H + 2 pi H/3 over the area, of charges
  // half of it.
  const double H = 8;
  Numbers next(12);
  for (std::size_t up = 0; up < 3; ++up) {
    Box flat{{0, 0, 0}, {1, 1.2, .9}}, tall = flat;
    flat.edge[up] = .7;
    flat.periodic[up] = false;
    tall.edge[up] = H;
    const double area = flat.volume() / flat.edge[up];
    auto points = uniform(40, flat, next);
    const auto s = strengths(points.size(), next);
    for (const Sum sum : all_sums) {
      SumPlan layer(task_of(sum, points.size(), flat, 1e-10)), box(task_of(sum, points.size(), tall, 1e-10));
      const auto got = by_plan(layer, points, s, points);
      auto right = by_plan(box, points, s, points);
      const auto out = static_cast<std::size_t>(stokes::columns(sum, true));
      const auto gradient = static_cast<std::size_t>(stokes::first_column(sum, stokes::Result::gradient));
      const double pi = std::numbers::pi;
      for (std::size_t t = 0; t < points.size(); ++t)
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double z = points[t][up] - points[i][up], more = 4 * pi * z * z / H + 2 * pi * H / 3;
          double* const at = right.data() + t * out;
          const Strength& f = s[i];
          if (sum == Sum::laplace) {
            at[0] -= f[0] * more / 2 / area;
            at[gradient + up] -= f[0] * 4 * pi * z / H / area;
          } else if (sum == Sum::stokeslet) {
            for (std::size_t c = 0; c < 3; ++c)
              if (c != up) {
                at[c] -= f[c] * more / area;
                at[gradient + 3 * c + up] -= f[c] * 8 * pi * z / H / area;
              }
            at[3] += f[up] * 8 * pi * z / H / area;
          } else if (sum == Sum::rotlet) { // (grad of 1/r) x t: of 2 pi z^2/H
            const double slope = 4 * pi / H / area;
            const std::size_t a = (up + 1) % 3, b = (up + 2) % 3;
            at[a] += slope * z * f[b];
            at[b] -= slope * z * f[a];
            at[gradient + 3 * a + up] += slope * f[b];
            at[gradient + 3 * b + up] -= slope * f[a];
          }
        }
      CAPTURE(name(sum), up);
      if (sum == Sum::stresslet) continue; // compared by other boxes below
      const auto off = errors(layer.task(), s, got, {right.begin(), right.end()});
      const auto size = errors(layer.task(), s, std::vector<double>(got.size(), 0), {right.begin(), right.end()});
      for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < 1e-9 * std::max(1.0, size[r]));
    }
  }
}

TEST_CASE("along free axes, too, it makes no difference where near and far field part, nor how large the box is",
          "[physics]") {
  Numbers next(13);
  for (int free = 1; free < 7; ++free) {
    Box box{{0, 0, 0}, {1, 1.2, .9}, {(free & 1) == 0, (free & 2) == 0, (free & 4) == 0}};
    const auto points = uniform(40, box, next);
    const auto s = strengths(points.size(), next);
    Box larger = box;
    for (std::size_t d = 0; d < 3; ++d)
      if (!box.periodic[d]) larger.edge[d] *= 1.4, larger.origin[d] -= .1;
    for (const Sum sum : all_sums) {
      if (sum != Sum::stokeslet && !(sum == Sum::stresslet && (free == 1 || free == 6))) continue; // seconds each
      const Task task = task_of(sum, points.size(), box, 1e-7);
      SumPlan one(task, {.cut_off = .3}), other(task, {.cut_off = .7}),
          roomy(task_of(sum, points.size(), larger, 1e-7));
      const auto first = by_plan(one, points, s, points);
      for (SumPlan* plan : {&other, &roomy}) {
        const auto off = errors(task, s, by_plan(*plan, points, s, points), {first.begin(), first.end()});
        const auto size = errors(task, s, std::vector<double>(first.size(), 0), {first.begin(), first.end()});
        CAPTURE(name(sum), free, off, size);
        for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < 3e-7 * std::max(1.0, size[r]));
      }
    }
  }
}

TEST_CASE("a row of images has what its images have, one by one", "[physics]") {
  // Of pairs that cancel each other images fall off fast: the sum over 2 n + 1 of them errs as 1/n^2, twice as many
  // tell how.
  Numbers next(14);
  const Box row{{0, 0, 0}, {.8, .7, 1}, {false, false, true}};
  auto points = uniform(6, row, next);
  auto s = strengths(3, next);
  for (std::size_t i = 0; i < 3; ++i) {
    s.push_back(s[i]);
    for (std::size_t c = 0; c < 3; ++c) s.back()[c] = -s[i][c];
  }
  for (const Sum sum : all_sums) {
    const Box space{{0, 0, 0}, {1, 1, 1}, {}};
    const stokes::DirectSum direct{.sum = sum, .all_results = false, .box = space};
    const auto with_images = [&](int n) {
      std::vector<Point> all;
      std::vector<Strength> strength;
      for (int k = -n; k <= n; ++k)
        for (std::size_t i = 0; i < points.size(); ++i) {
          all.push_back({points[i][0], points[i][1], points[i][2] + k});
          strength.push_back(s[i]);
        }
      return direct(all, strength, points);
    };
    SumPlan plan(task_of(sum, points.size(), row, 1e-9, false));
    const auto got = by_plan(plan, points, s, points);
    const auto coarse = with_images(60), fine = with_images(120);
    for (std::size_t i = 0; i < got.size(); ++i) {
      CAPTURE(name(sum), i);
      CHECK(std::abs(got[i] - static_cast<double>(fine[i])) <
            2 * std::abs(static_cast<double>(fine[i] - coarse[i])) + 1e-7);
      CHECK(std::abs(static_cast<double>(fine[i] - coarse[i])) < 2e-2);
    }
  }
}

} // namespace corral::test
