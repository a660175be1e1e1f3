#include "structure/bodies/reached_rows.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

/// Which cells maps of points reach: all that a stencil has, one by one.
namespace corral::test {
namespace {

using Cells = std::set<std::array<std::int64_t, 3>>;

struct Points {
  std::array<std::vector<double>, 3> at;
  void add(double x, double y, double z) { at[0].push_back(x), at[1].push_back(y), at[2].push_back(z); }
  std::int64_t size() const { return static_cast<std::int64_t>(at[0].size()); }
};

/// Cell i holds [i, i + 1); its middle is reached by `support` cells' middles that are nearest to a point.
Cells reached_one_by_one(const Grid& grid, const Points& points, int support) {
  Cells cells;
  for (std::size_t p = 0; p < points.at[0].size(); ++p) {
    std::array<std::int64_t, 3> low{}, end{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double along = points.at[d][p] - 0.5; // a cell is 1 m long
      low[d] = static_cast<std::int64_t>(support % 2 == 0 ? std::floor(along) : std::floor(along + 0.5)) - (support - 1) / 2;
      end[d] = low[d] + support;
      if (grid.axis(static_cast<int>(d)).thin()) low[d] = 0, end[d] = 1;
    }
    for (std::int64_t k = low[2]; k < end[2]; ++k)
      for (std::int64_t j = low[1]; j < end[1]; ++j)
        for (std::int64_t i = low[0]; i < end[0]; ++i) {
          std::array<std::int64_t, 3> cell{i, j, k};
          bool inside = true;
          for (int d = 0; d < 3; ++d) {
            const Axis axis = grid.axis(d);
            auto& at = cell[static_cast<std::size_t>(d)];
            if (axis.periodic()) at = (at % axis.cells + axis.cells) % axis.cells;
            inside = inside && at >= 0 && at < axis.cells;
          }
          if (inside) cells.insert(cell);
        }
  }
  return cells;
}

/// Those that a box has, counted from its first.
Cells of_box(const Grid& grid, const fluid::CellBox& box, const Cells& cells) {
  Cells in_box;
  for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k)
    for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j)
      for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i) {
        std::array<std::int64_t, 3> cell{i, j, k};
        for (int d = 0; d < 3; ++d) {
          auto& at = cell[static_cast<std::size_t>(d)];
          at = (at + grid.axis(d).cells) % grid.axis(d).cells;
        }
        if (cells.contains(cell)) in_box.insert({i - box.begin[0], j - box.begin[1], k - box.begin[2]});
      }
  return in_box;
}

void require_reached(const Grid& grid, const fluid::CellBox& box, const Points& points, int support) {
  structure::ReachedRows rows(grid, box);
  const std::int64_t nx = box.end[0] - box.begin[0], ny = box.end[1] - box.begin[1];
  for (int again = 0; again < 2; ++again) {
    const fluid::RowParts parts = rows.find({points.at[0].data(), points.at[1].data(), points.at[2].data()}, points.size(), support);
    const Cells wanted = of_box(grid, box, reached_one_by_one(grid, points, support));
    Cells told;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const fluid::RowPart& part = parts[r];
      CHECK((0 <= part.begin && part.begin < part.end && part.end <= nx));
      if (r > 0) CHECK((parts[r - 1].row < part.row || (parts[r - 1].row == part.row && parts[r - 1].end + 8 <= part.begin)));
      for (std::int64_t x = part.begin; x < part.end; ++x) told.insert({x, part.row % ny, part.row / ny});
      for (const std::int64_t x : {part.begin, part.end - 1}) CHECK(wanted.contains({x, part.row % ny, part.row / ny}));
    }
    for (const auto& cell : wanted) CHECK(told.contains(cell));
  }
}

void require_reached(const Grid& grid, const Points& points, int support) {
  const std::array<std::int64_t, 3> n{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  require_reached(grid, {{0, 0, 0}, n}, points, support);
  for (int d = 0; d < 3; ++d) { // boxes of ranks, whose ghosts go on beyond periodic ends
    const auto e = static_cast<std::size_t>(d);
    const std::int64_t ghosts = grid.axis(d).periodic() ? 3 : 0;
    if (grid.axis(d).thin()) continue;
    for (const auto& [begin, end] : {std::array{-ghosts, n[e] / 2}, std::array{n[e] / 3, n[e] + ghosts}, std::array{-ghosts, n[e] + ghosts}}) {
      fluid::CellBox box{{0, 0, 0}, n};
      box.begin[e] = begin, box.end[e] = end;
      require_reached(grid, box, points, support);
    }
  }
}

TEST_CASE("rows that points reach have all cells of their stencils, and little beside") {
  const auto axis = [](std::int64_t cells, bool wraps) { return Axis{cells, 0.0, 1.0, wraps ? Boundary::periodic : Boundary::wall, wraps ? Boundary::periodic : Boundary::wall}; };
  for (const bool wraps : {false, true})
    for (const int support : {2, 3, 4}) {
      const Grid grid({axis(150, wraps), axis(20, wraps), axis(16, wraps)});
      Points ring; // two of its points in a row are far apart, but near its ends
      for (int n = 0; n < 60; ++n) ring.add(70 + 30 * std::cos(0.1 * n), 10 + 8 * std::sin(0.1 * n), 8.3);
      require_reached(grid, ring, support);
      Points ends; // and beyond them
      for (const double x : {0.2, 63.9, 64.1, 127.7, 149.8})
        for (const double y : {0.1, 19.7})
          for (const double z : {0.4, 15.9}) ends.add(x, y, z);
      if (wraps) ends.add(-3, 22, -1);
      require_reached(grid, ends, support);
    }
  const Grid flat({axis(70, true), axis(9, false), axis(1, true)});
  Points few;
  few.add(69.9, 4.2, 0.5);
  require_reached(flat, few, 3);
  require_reached(flat, {}, 3);
}

} // namespace
} // namespace corral::test
