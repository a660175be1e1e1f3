#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/distributed/scenes.hpp"

#include "distributed/domain.hpp"

/// Which cuts there are, and what is refused: on all ranks alike.
namespace corral::test {
namespace {

using distributed::Cut;
using distributed::Domain;
using distributed::Ranks;

constexpr Boundary p = Boundary::periodic, w = Boundary::wall;

std::string refused(const Ranks& ranks, const Grid& whole, const Cut& cut) {
  return message_of([&] { Domain(ranks, whole, cut); });
}

} // namespace

TEST_CASE("parts are pieces of the whole with halo sides where it goes on") {
  const Ranks ranks = Ranks::world();
  const int n = ranks.size();
  const Grid whole = grid_of({5, 3 * n, 1}, {p, w, p});
  const Domain domain(ranks, whole, {{1, n, 1}, {}});
  const Axis &x = domain.part().axis(0), &y = domain.part().axis(1), &z = domain.part().axis(2);
  CHECK((x.low == Boundary::halo && x.high == Boundary::halo && x.global_periodic && x.cells == 5 && x.offset == 0));
  CHECK((y.low == (ranks.rank() == 0 ? w : Boundary::halo)));
  CHECK((y.high == (ranks.rank() == n - 1 ? w : Boundary::halo)));
  CHECK((y.cells == 3 && y.offset == 3 * ranks.rank() && y.global_cells == 3 * n && !y.global_periodic));
  CHECK((z.low == p && z.high == p && z.cells == 1)); // of one cell: as it is
  CHECK(domain.place(ranks.rank()) == std::array<int, 3>{0, ranks.rank(), 0});
  CHECK(domain.rank_at({0, n - 1, 0}) == n - 1);
  CHECK((domain.place_of(1, 0) == 0 && domain.place_of(1, 3 * n - 1) == n - 1));
}

TEST_CASE("ranks stand where the host's cut has them") {
  const Ranks ranks = Ranks::world();
  if (ranks.size() != 4) return;
  const Domain domain(ranks, grid_of({10, 9, 6}, {p, w, p}), {{0, 0, 0}, {{{7, 3}, {8, 1}, {6}}}});
  const int rank = ranks.rank();
  CHECK((domain.begin(0) == (rank % 2 == 0 ? 0 : 7) && domain.end(0) == (rank % 2 == 0 ? 7 : 10)));
  CHECK((domain.begin(1) == (rank < 2 ? 0 : 8) && domain.end(1) == (rank < 2 ? 8 : 9)));
  CHECK(domain.owner({6, 8, 5}) == 2);
}

TEST_CASE("cuts that cannot be are refused with both numbers") {
  const Ranks alone = Ranks::alone();
  const Grid whole = grid_of({4, 5, 6}, {p, w, w});
  CHECK(refused(alone, whole, {{2, 1, 1}, {}}) == "a cut into 2 for 1 ranks (one box of cells for each)");
  CHECK(refused(alone, whole, {{2, 0, 1}, {}}) ==
        "a cut into 2 or a multiple of it for 1 ranks (one box of cells for each)");
  CHECK(refused(alone, whole, {{1, 6, 1}, {}}) ==
        "a cut into 6 ranks along axis y (there are 5 cells, and each rank needs one)");
  CHECK(refused(alone, whole, {{0, 0, 0}, {{{}, {}, {5}}}}) == "a cut of 5 cells along axis z (the domain has 6)");
  CHECK(refused(alone, whole, {{0, 0, 0}, {{{}, {}, {6, 0}}}}) ==
        "a rank of 0 cells along axis z (each needs one at least)");
  CHECK(refused(alone, whole, {{0, 0, 2}, {{{}, {}, {6}}}}) ==
        "a cut into 2 ranks with cells for 1 along axis z (one number for each rank)");
  const Grid huge = grid_of({2000, 2000, 2000}, {p, p, p});
  CHECK(refused(alone, huge, {}) ==
        "a domain of 2000 x 2000 x 2000 cells (this PETSc counts to 2147483647) take one with 64-bit indices");
  const Grid beyond({Axis{4, 0, 1, Boundary::halo, Boundary::halo}, Axis{}, Axis{}});
  CHECK(refused(alone, beyond, {}) ==
        "axis x of a domain has a halo side (nothing is beyond the whole) make it periodic, wall or open");
  const Grid part({Axis{4, 0, 1, Boundary::wall, Boundary::halo, false, 0, 9}, Axis{}, Axis{}});
  CHECK(refused(alone, part, {}) ==
        "axis x of a domain is a part (the domain is what gets cut) hand over the whole grid");
}

TEST_CASE("ranks that are more than cells are refused on all of them") {
  const Ranks ranks = Ranks::world();
  if (ranks.size() < 3) return;
  const std::string n = std::to_string(ranks.size());
  const std::string rank_0 = "rank 0: ";
  CHECK(refused(ranks, grid_of({2, 1, 1}, {p, p, p}), {}) ==
        rank_0 + n + " ranks for 2 x 1 x 1 cells (each rank needs one at least)");
  if (ranks.size() == 3)
    CHECK(refused(ranks, grid_of({2, 2, 1}, {p, p, p}), {}) ==
          "3 ranks for 2 x 2 x 1 cells (PETSc finds no cut in which each has one) take other ranks, or say how many "
          "along each axis");
}

} // namespace corral::test
