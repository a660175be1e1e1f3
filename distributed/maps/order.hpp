#pragma once

#include "distributed/domain.hpp"

#include <corral/cell_order.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/spread.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>

namespace corral::distributed {

/// How sums over particles come about at points that particles of several ranks reach.
enum class Sums : std::uint8_t {
  halo_add, ///< each rank spreads what it has by the engine's fastest method; ghosts are added to the points they stand
            ///< for. The same bits for a number of ranks and any number of threads, round-off apart for another number
            ///< of ranks.
  whole_order, ///< each rank spreads what reaches its points, ghost particles too, in the order of the whole: the same
               ///< bits on any number of ranks. Particle by particle on one thread a rank (Method::serial), and ghosts
               ///< travel.
};

/// The cell order of a rank's particles and the maps over it, for kernels of so many points at most: `CellOrder`,
/// `spread` and `interpolate` of the engine for a grid over ranks. T is float or double.
///
/// Fields are of the domain's part, with at least ghosts() points around it, all of one call with the same number; a
/// Halo of the same staggering and number fills them.
template <class T> class RankOrder {
public:
  /// Collective. Throws Error for kernels of fewer than 1 point or more than 64. Offsets are those of the rank's own
  /// order.
  RankOrder(const Domain& domain, int widest_kernel, Sums sums = Sums::halo_add,
            std::array<Offset, 3> offset = {Offset::zero, Offset::zero, Offset::zero});
  ~RankOrder();
  RankOrder(RankOrder&&) noexcept;
  RankOrder& operator=(RankOrder&&) noexcept;

  /// Sorts this rank's particles. Ids, which only `whole_order` reads, differ among all particles of the whole; they
  /// give sums their order within a cell, whatever the order of the columns. Returns the counts of this rank.
  /// Collective. Throws Error on all ranks where one has a particle that lies in another's part (`migrate` comes
  /// first), and for two particles of one id in a cell.
  SortCounts sort(const Positions<T>& positions, const Column<const std::uint64_t>& ids);

  /// For each term, field += what all ranks' particles spread, at the points that this rank owns; what lies around them
  /// holds nothing of use until a Halo fills it, and is read by nothing. Collective, with as many terms on each rank.
  /// Throws Error for a kernel that is wider than the order's, for a field of other points or with too few ghosts, for
  /// columns of another length, and for what the engine refuses.
  template <class K> void spread(const K& kernel, std::span<const Spread<T>> terms) {
    spread_by(KernelWeights<T>::of(kernel), terms);
  }
  template <class K> void spread(const K& kernel, std::initializer_list<Spread<T>> terms) {
    spread(kernel, std::span<const Spread<T>>(terms.begin(), terms.size()));
  }

  /// Grid to this rank's particles; their fields' ghosts are filled before. Not collective. With `whole_order` the same
  /// bits on any number of ranks; with `halo_add` by the method that the engine chooses from a rank's particles per
  /// cell, round-off apart.
  template <class K> void interpolate(const K& kernel, std::span<const Interpolate<T>> terms) {
    interpolate_by(KernelWeights<T>::of(kernel), terms);
  }
  template <class K> void interpolate(const K& kernel, std::initializer_list<Interpolate<T>> terms) {
    interpolate(kernel, std::span<const Interpolate<T>>(terms.begin(), terms.size()));
  }

  /// The rank's own order, over the domain's part: to reorder columns by, after which `sort` is called again.
  CellOrder<T>& own();
  std::int64_t ghosts() const;          ///< points that kernels of the order's width reach beyond a part
  std::int64_t ghost_particles() const; ///< that other ranks sent at the last sort; 0 with `halo_add`

private:
  void spread_by(const KernelWeights<T>& kernel, std::span<const Spread<T>> terms);
  void interpolate_by(const KernelWeights<T>& kernel, std::span<const Interpolate<T>> terms);

  struct Data;
  std::unique_ptr<Data> data_;
};

extern template class RankOrder<float>;
extern template class RankOrder<double>;

} // namespace corral::distributed
