#include "distributed/domain.hpp"

#include "distributed/mpi.hpp"
#include "distributed/petsc.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace corral::distributed {
namespace {

std::string text(const Grid& grid) {
  return std::to_string(grid.axis(0).cells) + " x " + std::to_string(grid.axis(1).cells) + " x " +
         std::to_string(grid.axis(2).cells) + " cells";
}

void require_whole(const Grid& grid) {
  for (int d = 0; d < 3; ++d) {
    const Axis& a = grid.axis(d);
    const std::string where = std::string("axis ") + "xyz"[d];
    if (a.cells != a.whole_cells() || a.global_periodic)
      throw Error(where + " of a domain is a part (the domain is what gets cut) hand over the whole grid");
    if (a.low == Boundary::halo || a.high == Boundary::halo)
      throw Error(where + " of a domain has a halo side (nothing is beyond the whole) make it periodic, wall or open");
  }
  constexpr auto most = static_cast<double>(std::numeric_limits<PetscInt>::max());
  if (static_cast<double>(grid.cells()) > most)
    throw Error("a domain of " + text(grid) + " (this PETSc counts to " +
                std::to_string(std::numeric_limits<PetscInt>::max()) + ") take one with 64-bit indices");
}

/// Ranks along each axis as the caller has them, 0 where that is left to PETSc.
std::array<int, 3> asked_ranks(const Ranks& ranks, const Grid& whole, const Cut& cut) {
  std::array<int, 3> asked = cut.ranks;
  std::int64_t product = 1;
  bool all = true;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string axis = std::string(" along axis ") + "xyz"[d];
    const std::vector<std::int64_t>& cells = cut.cells[d];
    const std::int64_t there = whole.axis(static_cast<int>(d)).cells;
    const auto parts = static_cast<int>(cells.size());
    if (!cells.empty() && asked[d] != 0 && asked[d] != parts)
      throw Error("a cut into " + std::to_string(asked[d]) + " ranks with cells for " + std::to_string(parts) + axis +
                  " (one number for each rank)");
    if (!cells.empty()) asked[d] = parts;
    if (there == 1 && asked[d] == 0) asked[d] = 1;
    if (asked[d] < 0 || asked[d] > there)
      throw Error("a cut into " + std::to_string(asked[d]) + " ranks" + axis + " (there are " + std::to_string(there) +
                  " cells, and each rank needs one)");
    for (const std::int64_t n : cells)
      if (n < 1) throw Error("a rank of " + std::to_string(n) + " cells" + axis + " (each needs one at least)");
    const std::int64_t sum = std::accumulate(cells.begin(), cells.end(), std::int64_t{0});
    if (!cells.empty() && sum != there)
      throw Error("a cut of " + std::to_string(sum) + " cells" + axis + " (the domain has " + std::to_string(there) +
                  ")");
    product *= std::max(asked[d], 1);
    all = all && asked[d] != 0;
  }
  if (all ? product != ranks.size() : ranks.size() % product != 0)
    throw Error("a cut into " + std::to_string(product) + (all ? "" : " or a multiple of it") + " for " +
                std::to_string(ranks.size()) + " ranks (one box of cells for each)");
  return asked;
}

/// The cut as PETSc makes it.
OwnedDM made_by_petsc(const Ranks& ranks, const Grid& whole, const Cut& cut, const std::array<int, 3>& asked) {
  std::array<PetscInt, 3> cells, along;
  std::array<std::vector<PetscInt>, 3> owned;
  std::array<DMBoundaryType, 3> side;
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& a = whole.axis(static_cast<int>(d));
    cells[d] = static_cast<PetscInt>(a.cells);
    along[d] = asked[d] == 0 ? PETSC_DECIDE : asked[d];
    for (const std::int64_t n : cut.cells[d]) owned[d].push_back(static_cast<PetscInt>(n));
    side[d] = a.periodic() ? DM_BOUNDARY_PERIODIC : DM_BOUNDARY_NONE;
  }
  const auto ranges = [&](std::size_t d) { return owned[d].empty() ? nullptr : owned[d].data(); };
  DM made = nullptr;
  // No points around the parts: halos are those of each staggering, of any width (halo.cpp).
  check(DMDACreate3d(communicator_of(ranks), side[0], side[1], side[2], DMDA_STENCIL_BOX, cells[0], cells[1], cells[2],
                     along[0], along[1], along[2], 1, 0, ranges(0), ranges(1), ranges(2), &made),
        "making a DMDA");
  OwnedDM dm(made);
  if (DMSetUp(made) != 0)
    throw Error(std::to_string(ranks.size()) + " ranks for " + text(whole) +
                " (PETSc finds no cut in which each has one) take other ranks, or say how many along each axis");
  return dm;
}

} // namespace

Domain::Domain(const Ranks& ranks, const Grid& whole, const Cut& cut) : ranks_(ranks), whole_(whole), part_(whole) {
  std::array<int, 3> asked{};
  ranks.together([&] {
    require_whole(whole);
    if (whole.cells() < ranks.size())
      throw Error(std::to_string(ranks.size()) + " ranks for " + text(whole) + " (each rank needs one at least)");
    asked = asked_ranks(ranks, whole, cut);
  });
  const OwnedDM dm = made_by_petsc(ranks, whole, cut, asked);
  std::array<const PetscInt*, 3> owned{};
  std::array<PetscInt, 3> along{};
  check(DMDAGetInfo(dm.get(), nullptr, nullptr, nullptr, nullptr, &along[0], &along[1], &along[2], nullptr, nullptr,
                    nullptr, nullptr, nullptr, nullptr),
        "asking a DMDA");
  check(DMDAGetOwnershipRanges(dm.get(), &owned[0], &owned[1], &owned[2]), "asking a DMDA");
  for (std::size_t d = 0; d < 3; ++d) {
    begins_[d] = {0};
    for (PetscInt i = 0; i < along[d]; ++i) begins_[d].push_back(begins_[d].back() + owned[d][i]);
  }
  place_ = place(ranks.rank());
  part_ =
      Grid({part_of_axis(0, begin(0), end(0)), part_of_axis(1, begin(1), end(1)), part_of_axis(2, begin(2), end(2))});
}

std::array<int, 3> Domain::place(int rank) const {
  const int x = ranks_along(0), y = ranks_along(1);
  return {rank % x, rank / x % y, rank / x / y};
}

int Domain::rank_at(const std::array<int, 3>& place) const {
  return place[0] + ranks_along(0) * (place[1] + ranks_along(1) * place[2]);
}

int Domain::place_of(int d, std::int64_t cell) const {
  const std::vector<std::int64_t>& b = begins(d);
  return static_cast<int>(std::upper_bound(b.begin() + 1, b.end() - 1, cell) - b.begin()) - 1;
}

int Domain::owner(const std::array<std::int64_t, 3>& cell) const {
  return rank_at({place_of(0, cell[0]), place_of(1, cell[1]), place_of(2, cell[2])});
}

Axis Domain::part_of_axis(int d, std::int64_t begin, std::int64_t end) const {
  return distributed::part_of_axis(whole_.axis(d), begin, end);
}

std::int64_t Domain::owned_points(Staggering s, int d, int place) const {
  const bool last = place + 1 == ranks_along(d);
  return end(d, place) - begin(d, place) + (last && on_face(s, d) && !whole_.axis(d).periodic() ? 1 : 0);
}

} // namespace corral::distributed
