#include "mppic/seeds/other_cells.hpp"
#include "fluid/domain.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/mppic/seeds/seeds.hpp"

#include <cmath>
#include <vector>

/// Fields of another run on the cells of this one.
namespace corral::test {
namespace {

using fluid::Face;
using mppic::OtherCells;

/// On covered faces of `to`, the field of `from`; 0 elsewhere.
fluid::FaceArrays taken(const Grid& from, const Grid& to, const fluid::FaceArrays& u) {
  const OtherCells other(from, to);
  fluid::FaceArrays v = fluid::make_face_arrays(to);
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(to, d, [&](const Face& f) {
      if (other.covers(d, f)) v[d][f.index] = other(d, f, u[d]);
    });
  return v;
}

double divergence(const Grid& grid, const fluid::FaceArrays& u, const std::array<std::int64_t, 3>& at) {
  const fluid::Cell c = fluid::cell_at(grid, at);
  double sum = 0;
  for (int d = 0; d < 3; ++d) sum += (u[d][c.high[d]] - u[d][c.low[d]]) / grid.axis(d).spacing;
  return sum;
}

} // namespace

TEST_CASE("on other cells a field keeps what goes through the box, its divergence, and all that is linear", "[seeding]") {
  const Grid from = box_grid({6, 4, 5}, {0.6, 0.4, 1});
  fluid::FaceArrays u = fluid::make_face_arrays(from);
  // The curl of random values on edges: free of divergence on the cells there, whatever they are.
  fluid::FaceArrays edge = u;
  std::uint64_t n = 0;
  for (auto& component : edge)
    for (double& value : component) value = 2 * random_numbers.uniform(run::Purpose::velocity, 0, n++) - 1;
  const auto on_edge = [&](int d, std::int64_t i, std::int64_t j, std::int64_t k) {
    return edge[d][static_cast<std::int64_t>((i * 7 + j * 13 + k * 31) % edge[d].size())];
  };
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(from, d, [&](const Face& f) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      auto next = [&](int e) {
        auto p = f.place;
        ++p[static_cast<std::size_t>(e)];
        return p;
      };
      const auto at = [&](int e, const std::array<std::int64_t, 3>& p) { return on_edge(e, p[0], p[1], p[2]); };
      u[d][f.index] = (at(b, next(a)) - at(b, f.place)) / from.axis(a).spacing -
                      (at(a, next(b)) - at(a, f.place)) / from.axis(b).spacing;
    });
  for (const auto& cells : {std::array<std::int64_t, 3>{6, 4, 5}, {12, 8, 10}, {4, 3, 7}, {1, 1, 1}, {9, 2, 5}}) {
    const Grid to = box_grid(cells, {0.6, 0.4, 1});
    const fluid::FaceArrays v = taken(from, to, u);
    if (cells == std::array<std::int64_t, 3>{6, 4, 5})
      for (int d = 0; d < 3; ++d)
        for (std::int64_t f = 0; f < u[d].size(); ++f) CHECK(v[d][f] == Approx(u[d][f]).margin(1e-12));
    for (std::int64_t k = 0; k < cells[2]; ++k)
      for (std::int64_t j = 0; j < cells[1]; ++j)
        for (std::int64_t i = 0; i < cells[0]; ++i) CHECK(std::abs(divergence(to, v, {i, j, k})) < 1e-11);
  }
  fill(from, u, 0, [](const auto& x) { return 3 - 2 * x[0]; });
  fill(from, u, 2, [](const auto& x) { return 1 + 4 * x[2]; });
  const Grid to = box_grid({5, 3, 8}, {0.6, 0.4, 1});
  const fluid::FaceArrays v = taken(from, to, u);
  each_face_in_turn(to, 0, [&](const Face& f) { CHECK(v[0][f.index] == Approx(3 - 0.24 * static_cast<double>(f.place[0]))); });
  each_face_in_turn(to, 2, [&](const Face& f) { CHECK(v[2][f.index] == Approx(1 + 0.5 * static_cast<double>(f.place[2]))); });
}

TEST_CASE("faces of which less than half lies in the other box are not covered", "[seeding]") {
  const Grid from = box_grid({4, 4, 4}, {1, 1, 1}), to = box_grid({5, 1, 3}, {2, 1.6, 0.9}, {-0.3, 0, 0.2});
  const OtherCells other(from, to);
  each_face_in_turn(to, 0, [&](const Face& f) { // at -.3, .1, .5, .9, 1.3, 1.7 m, over y up to 1.6 m
    CHECK(other.covers(0, f) == (f.place[0] >= 1 && f.place[0] <= 3));
  });
  // From -.3, .1, .5, .9 and 1.3 m on, .4 m wide, of which the first and the fourth have .1 m within; at .2, .5, .8, 1.1 m.
  each_face_in_turn(to, 2, [&](const Face& f) {
    CHECK(other.covers(2, f) == (f.place[2] < 3 && (f.place[0] == 1 || f.place[0] == 2)));
  });
}

TEST_CASE("where the box wraps, other cells' faces behind the last lie between it and the first", "[seeding]") {
  const auto wrapped = [](std::int64_t cells) {
    const Axis along{.cells = cells, .origin = 0.0, .spacing = 1.0 / static_cast<double>(cells),
                     .low = Boundary::periodic, .high = Boundary::periodic};
    return Grid({along, Axis{}, Axis{}});
  };
  const Grid from = wrapped(4), to = wrapped(8);
  fluid::FaceArrays u = fluid::make_face_arrays(from);
  for (std::int64_t f = 0; f < 4; ++f) u[0][f] = static_cast<double>(2 + f * f); // 2, 3, 6, 11
  const fluid::FaceArrays v = taken(from, to, u);
  CHECK(std::vector<double>(v[0].begin(), v[0].end()) == std::vector<double>{2, 2.5, 3, 4.5, 6, 8.5, 11, 6.5});
}

} // namespace corral::test
