#include "distributed/maps/ghosts.hpp"

#include "distributed/mpi.hpp"
#include "distributed/particles/exchange.hpp"
#include "distributed/particles/owner.hpp"

#include <cstring>
#include <vector>

namespace corral::distributed {
namespace {

/// For each of this rank's cells along an axis, who needs its particles: places of ranks.
std::vector<std::vector<int>> needed_along(const Domain& domain, int d, std::int64_t reach) {
  const std::int64_t n = domain.whole().axis(d).cells;
  std::vector<std::vector<int>> needed(static_cast<std::size_t>(domain.end(d) - domain.begin(d)));
  for (int place = 0; place < domain.ranks_along(d); ++place) {
    const Around a = around(domain.begin(d, place), domain.end(d, place), reach);
    for (std::int64_t cell = domain.begin(d); cell < domain.end(d); ++cell) {
      // The first image of the cell that is not below; without images the cell itself.
      const std::int64_t image = domain.wraps(d) ? a.begin + ((cell - a.begin) % n + n) % n : cell;
      if (image >= a.begin && image < a.end) needed[static_cast<std::size_t>(cell - domain.begin(d))].push_back(place);
    }
  }
  return needed;
}

/// A particle on its way to those who need it.
template <class T> struct Ghost {
  T x, y, z;
  std::int32_t rank; ///< where it lies
  std::int64_t place;
  std::uint64_t id;
};

template <class T> struct Sent {
  Records ghosts{sizeof(Ghost<T>)};
  Array<int> to;
};

template <class T> Sent<T> copies_for_others(const Domain& domain, std::int64_t reach, const Positions<T>& positions,
                                             const Column<const std::uint64_t>& ids,
                                             const Array<std::array<std::int64_t, 3>>& cell) {
  std::array<std::vector<std::vector<int>>, 3> needed;
  for (int d = 0; d < 3; ++d) needed[static_cast<std::size_t>(d)] = needed_along(domain, d, reach);
  const auto needing = [&](std::int64_t i, std::size_t d) -> const std::vector<int>& {
    return needed[d][static_cast<std::size_t>(cell[i][d] - domain.begin(static_cast<int>(d)))];
  };
  const int mine = domain.ranks().rank();
  std::vector<Ghost<T>> ghosts;
  std::vector<int> to;
  for (std::int64_t i = 0; i < positions.size(); ++i) {
    if (cell[i][0] < 0) continue;
    const auto &along_x = needing(i, 0), &along_y = needing(i, 1), &along_z = needing(i, 2);
    if (along_x.size() * along_y.size() * along_z.size() == 1) continue; // this rank alone
    for (const int z : along_z)
      for (const int y : along_y)
        for (const int x : along_x)
          if (const int rank = domain.rank_at({x, y, z}); rank != mine) {
            ghosts.push_back({positions.axis[0][i], positions.axis[1][i], positions.axis[2][i], mine, i, ids[i]});
            to.push_back(rank);
          }
  }
  Sent<T> sent;
  sent.ghosts.bytes.assign(std::as_bytes(std::span(ghosts)));
  sent.to.assign(to);
  return sent;
}

/// From each particle to its ghosts, which stand in this order.
template <class T> OwnedSF forest_of(const Ranks& ranks, std::int64_t own, const Records& ghosts) {
  std::vector<PetscSFNode> lies;
  for (std::int64_t g = 0; g < ghosts.size(); ++g) {
    Ghost<T> ghost;
    std::memcpy(&ghost, ghosts[g], sizeof ghost);
    lies.push_back({ghost.rank, static_cast<PetscInt>(ghost.place)});
  }
  PetscSF made = nullptr;
  check(PetscSFCreate(communicator_of(ranks), &made), "making a star forest");
  OwnedSF forest(made);
  check(PetscSFSetGraph(made, static_cast<PetscInt>(own), static_cast<PetscInt>(lies.size()), nullptr,
                        PETSC_COPY_VALUES, lies.data(), PETSC_COPY_VALUES),
        "making a star forest");
  check(PetscSFSetUp(made), "making a star forest");
  return forest;
}

} // namespace

template <class T>
ParticlesAround<T> particles_around(const Domain& domain, std::int64_t reach, const Positions<T>& positions,
                                    const Column<const std::uint64_t>& ids, Array<std::array<std::int64_t, 3>> cell) {
  const std::int64_t own = positions.size();
  const Sent<T> sent = copies_for_others(domain, reach, positions, ids, cell);
  const Records got = exchange(domain.ranks(), sent.ghosts, sent.to);
  ParticlesAround<T> all;
  all.own = own;
  all.cell = std::move(cell);
  const std::int64_t n = own + got.size();
  all.x.resize(n), all.y.resize(n), all.z.resize(n), all.id.resize(n), all.cell.resize(n);
  for_each(Cpu{}, own, [&](std::int64_t i) {
    all.x[i] = positions.axis[0][i], all.y[i] = positions.axis[1][i], all.z[i] = positions.axis[2][i];
    all.id[i] = ids[i];
  });
  const CellFinder<T> find(domain.whole());
  for (std::int64_t g = 0; g < got.size(); ++g) {
    Ghost<T> ghost;
    std::memcpy(&ghost, got[g], sizeof ghost);
    const std::int64_t i = own + g;
    all.x[i] = ghost.x, all.y[i] = ghost.y, all.z[i] = ghost.z, all.id[i] = ghost.id;
    all.cell[i] = find(ghost.x, ghost.y, ghost.z);
  }
  all.forest = forest_of<T>(domain.ranks(), own, got);
  return all;
}

template <class T> void ParticlesAround<T>::extend(std::span<Array<T>> columns) const {
  for (Array<T>& column : columns) column.resize(size());
  const auto each = [&](auto call) {
    for (Array<T>& column : columns)
      check(call(forest.get(), datatype<T>(), column.data(), column.data() + own, MPI_REPLACE),
            "sending ghosts' values");
  };
  each(PetscSFBcastBegin);
  each(PetscSFBcastEnd);
}

template struct ParticlesAround<float>;
template struct ParticlesAround<double>;
template ParticlesAround<float> particles_around(const Domain&, std::int64_t, const Positions<float>&,
                                                 const Column<const std::uint64_t>&,
                                                 Array<std::array<std::int64_t, 3>>);
template ParticlesAround<double> particles_around(const Domain&, std::int64_t, const Positions<double>&,
                                                  const Column<const std::uint64_t>&,
                                                  Array<std::array<std::int64_t, 3>>);

} // namespace corral::distributed
