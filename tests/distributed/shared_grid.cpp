#include "tests/catch.hpp"
#include "tests/distributed/scenes.hpp"
#include "tests/engine/message_of.hpp"

#include "distributed/cut.hpp"
#include "distributed/make_team.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

/// Fields of a grid that ranks share beside what the whole says of each point.
namespace corral::test {
namespace {

using distributed::FieldMemory;
using distributed::SharedGrid;
using distributed::Team;
using Three = std::array<std::int64_t, 3>;

/// Rows that begin with a multiple of 8, and planes with a gap: as populations of a lattice have them.
FieldMemory with_gaps(const Three& n) {
  const std::int64_t pitch = (n[0] + 7) / 8 * 8, plane = 3 * pitch * n[1] + 5;
  return {{1, pitch, plane}, plane * n[2]};
}

Three points_of(const Grid& grid, Staggering s) { return {grid.points(s, 0), grid.points(s, 1), grid.points(s, 2)}; }

template <class F> void each_of(const Three& n, const F& f) {
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) f(Three{i, j, k});
}
std::size_t at(const FieldMemory& m, const Three& i) {
  return static_cast<std::size_t>(i[0] * m.stride[0] + i[1] * m.stride[1] + i[2] * m.stride[2]);
}

/// The point of the whole that one of the box stands for.
Three in_whole(const SharedGrid& grid, Staggering s, const Three& point) {
  Three w{};
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    const std::int64_t n = grid.whole().points(s, d), p = grid.first(d) + point[e];
    w[e] = grid.whole().axis(d).periodic() ? (p + n) % n : p;
  }
  return w;
}
bool own(const SharedGrid& grid, const Three& cell) {
  for (int d = 0; d < 3; ++d)
    if (const std::int64_t i = cell[static_cast<std::size_t>(d)]; i < grid.own_begin(d) || i >= grid.own_end(d)) return false;
  return true;
}

template <class T> T value_of(const SharedGrid& grid, Staggering s, const Three& w) {
  return static_cast<T>(1 + w[0] + 40 * (w[1] + 40 * w[2]) + 7 * static_cast<int>(s)) + T(0) * static_cast<T>(grid.whole().cells());
}

/// Of one value to many, which end anywhere in rows, and of which some are empty.
distributed::PiecesOfRanks pieces(std::int64_t& next, std::int64_t end, int ranks) {
  distributed::PiecesOfRanks of_ranks(static_cast<std::size_t>(ranks));
  for (int r = ranks - 1; r >= 0; --r) // which rank has which does not matter
    for (int p = 0; p < r % 3 + 1; ++p) {
      const std::int64_t to = std::min(end, next + 37 * p + r);
      of_ranks[static_cast<std::size_t>(r)].push_back({next, to});
      next = to;
    }
  if (ranks == 1) of_ranks[0].push_back({next, std::min(end, next + 61)}), next = of_ranks[0].back().end;
  return of_ranks;
}

constexpr distributed::FieldBegin at_once{};

/// As if each rank had pieces of the whole alone.
template <class T>
void send_by_pieces(const SharedGrid& grid, const distributed::SharedFields& fields, const std::vector<T>& whole, std::vector<T>& mine) {
  const auto end = static_cast<std::int64_t>(whole.size());
  for (std::int64_t next = 0; next < end;) {
    const distributed::PiecesOfRanks given = pieces(next, end, grid.team().size());
    std::vector<T> have;
    for (const auto& piece : given[static_cast<std::size_t>(grid.team().rank())]) have.insert(have.end(), whole.begin() + piece.begin, whole.begin() + piece.end);
    fields.send(std::as_bytes(std::span(have)).data(), sizeof(T), {&at_once, 1}, given, std::as_writable_bytes(std::span(mine)).data());
  }
}

template <class T>
void check_brought(const SharedGrid& grid, const distributed::SharedFields& fields, const std::vector<T>& whole, const std::vector<T>& mine) {
  const auto end = static_cast<std::int64_t>(whole.size());
  bool same = true;
  for (std::int64_t next = 0; next < end;) {
    const distributed::PiecesOfRanks wanted = pieces(next, end, grid.team().size());
    std::vector<T> expected;
    for (const auto& piece : wanted[static_cast<std::size_t>(grid.team().rank())]) expected.insert(expected.end(), whole.begin() + piece.begin, whole.begin() + piece.end);
    std::vector<T> found(expected.size(), T(-1)); // as what lies between rows
    fields.bring(std::as_bytes(std::span(mine)).data(), sizeof(T), {&at_once, 1}, wanted, std::as_writable_bytes(std::span(found)).data());
    same = same && found == expected;
  }
  CHECK(same);
}

template <class T> void check_fields(const SharedGrid& grid, Staggering s, const distributed::FieldLayout& layout) {
  const auto fields = grid.fields(s, layout);
  const Three n = points_of(grid.box(), s), all = points_of(grid.whole(), s);
  const FieldMemory memory = layout(n), memory_of_whole = layout(all);
  std::vector<T> whole(static_cast<std::size_t>(memory_of_whole.size), T(-1));
  each_of(all, [&](const Three& w) { whole[at(memory_of_whole, w)] = value_of<T>(grid, s, w); });
  std::vector<T> mine(static_cast<std::size_t>(memory.size), T(-3));
  T* const one[] = {mine.data()};
  send_by_pieces(grid, *fields, whole, mine);
  fields->fill(std::span<T* const>(one));
  const auto wrong = [&] {
    std::int64_t count = 0;
    each_of(n, [&](const Three& i) { count += mine[at(memory, i)] != value_of<T>(grid, s, in_whole(grid, s, i)); });
    return count;
  };
  CHECK(wrong() == 0);

  // Ghosts of cells are refilled; the others stay.
  if (s == Staggering::centre) each_of(n, [&](const Three& i) { if (!own(grid, i)) mine[at(memory, i)] = T(-9); });
  fields->fill(std::span<T* const>(one));
  CHECK(wrong() == 0);
  check_brought(grid, *fields, whole, mine);
}

} // namespace

TEST_CASE("Fields of a shared grid come from pieces of the whole, make pieces again, and have ghosts, in any layout") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  constexpr Boundary p = Boundary::periodic, w = Boundary::wall;
  for (const Grid& whole : {grid_of({12, 9, 8}, {p, p, p}), grid_of({12, 10, 8}, {w, p, w}), grid_of({16, 9, 1}, {p, w, p})}) {
    for (const std::int64_t ghosts : {1, 2, 3}) {
      const auto grid = team->share(whole, ghosts);
      const std::vector<double> cells = team->sums(std::array{static_cast<double>(
          (grid->own_end(0) - grid->own_begin(0)) * (grid->own_end(1) - grid->own_begin(1)) * (grid->own_end(2) - grid->own_begin(2)))});
      CHECK(cells.front() == static_cast<double>(whole.cells()));
      for (const Staggering s : all_staggerings) check_fields<double>(*grid, s, distributed::in_order);
      check_fields<double>(*grid, Staggering::centre, with_gaps);
      check_fields<float>(*grid, Staggering::centre, with_gaps);
    }
  }
}

TEST_CASE("Boxes of a shared grid stand where the whole has them, and end where it does") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Grid whole = grid_of({12, 9, 8}, {Boundary::periodic, Boundary::wall, Boundary::periodic});
  const auto grid = team->share(whole, 2);
  for (int d = 0; d < 3; ++d) {
    const Axis &box = grid->box().axis(d), &all = whole.axis(d);
    CHECK(box.origin == Approx(all.origin + static_cast<double>(grid->first(d)) * all.spacing));
    const bool cut = grid->own_end(d) - grid->own_begin(d) < all.cells;
    CHECK(box.cells == grid->own_end(d) - grid->own_begin(d) + (cut && all.periodic() ? 4 : grid->own_begin(d) + box.cells - grid->own_end(d)));
    CHECK(box.periodic() == (all.periodic() && !cut));
  }
}

TEST_CASE("A grid is cut where that makes the smallest boxes, and not into what is thinner than ghosts") {
  constexpr Boundary p = Boundary::periodic, w = Boundary::wall;
  const auto cut = [](const Grid& grid, int ranks) { return distributed::best_cut(grid, ranks, 2).value().ranks; };
  CHECK(cut(grid_of({64, 64, 64}, {p, p, p}), 8) == std::array{1, 2, 4}); // 64 x 36 x 20, where 36 x 36 x 36 are more
  CHECK(cut(grid_of({64, 64, 64}, {p, p, p}), 64) == std::array{4, 4, 4});
  CHECK(cut(grid_of({64, 64, 64}, {p, p, p}), 2) == std::array{1, 1, 2});
  CHECK(cut(grid_of({200, 10, 10}, {p, p, p}), 4) == std::array{4, 1, 1});
  CHECK(cut(grid_of({64, 48, 1}, {p, p, p}), 4) == std::array{4, 1, 1});
  CHECK(cut(grid_of({64, 64, 1}, {p, p, p}), 16) == std::array{4, 4, 1});
  const distributed::BoxCut between_walls = *distributed::best_cut(grid_of({4, 4, 21}, {p, p, w}), 2, 3);
  CHECK(between_walls.own == std::array<std::int64_t, 3>{4, 4, 11});
  CHECK(between_walls.with_ghosts == std::array<std::int64_t, 3>{4, 4, 14});
  CHECK(between_walls.ghosts() == 4 * 4 * 3);
  CHECK(!distributed::best_cut(grid_of({5, 1, 4}, {p, p, w}), 3, 2));
  CHECK(distributed::most_ranks(grid_of({5, 1, 4}, {p, p, w}), 9, 2) == 4);
  const Grid long_along_y = grid_of({8, 64, 8}, {p, p, p});
  CHECK(distributed::best_cut(long_along_y, 4, 2, {false, true, false}).value().ranks == std::array{1, 1, 4});
  CHECK(distributed::too_many_ranks(long_along_y, 17, 2, {false, true, false}).ends_with("at least 2, and y is not) take 16"));
}

TEST_CASE("Values that one rank each has come to all, to the bit") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  std::vector<double> expected, mine;
  for (int i = 0; i < 7; ++i) {
    expected.push_back(i % 3 == 0 ? -0.0 : i % 3 == 1 ? 0.1 * i : std::numeric_limits<double>::quiet_NaN());
    mine.push_back(i % team->size() == team->rank() ? expected.back() : 0.0);
  }
  team->join(mine);
  CHECK(std::memcmp(mine.data(), expected.data(), sizeof(double) * mine.size()) == 0);
}

TEST_CASE("Ranks that are thinner than ghosts are refused, and what rank 0 has all get") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Grid whole = grid_of({4, 1, 1}, {Boundary::periodic, Boundary::periodic, Boundary::periodic});
  if (team->size() > 1) CHECK(message_of([&] { team->share(whole, 3); }).ends_with("take 1"));
  else CHECK(team->share(whole, 3)->box().cells() == 4);
  std::array<std::byte, 3> bytes{};
  if (team->rank() == 0) bytes = {std::byte{1}, std::byte{2}, std::byte{3}};
  team->broadcast(bytes);
  CHECK(bytes[2] == std::byte{3});
}

} // namespace corral::test
