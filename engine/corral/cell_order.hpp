#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/export.h>
#include <corral/grid.hpp>
#include <corral/host_device.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace corral {

/// What loops see of a cell order, on the processor that sorted it: a value, good until the order's next call that
/// changes it. Collisions, near fields and maps of your own go through groups with it. T is float or double.
template <class T> struct OrderView {
  std::array<std::int64_t, 3> groups; ///< along each axis; numbered x fastest
  std::int64_t size;                  ///< particles, the skipped ones included: places are [0, size)
  std::array<const T*, 3> fraction;   ///< of each place inside: the position within its group, in [0, 1]

  // Indices have 32 bits on a device and, while counts allow, on the CPU: one pointer of each pair is null.
  const std::int64_t* begin64;
  const std::uint32_t* begin32;
  const std::uint64_t* source64;
  const std::uint32_t* source32; ///< both null: particles lie in cell order

  CORRAL_HOST_DEVICE std::int64_t group_count() const { return groups[0] * groups[1] * groups[2]; }
  /// Particles of group g stand at places [group_begin(g), group_begin(g + 1)), g in [0, group_count()).
  CORRAL_HOST_DEVICE std::int64_t group_begin(std::int64_t g) const {
    return begin64 != nullptr ? begin64[g] : static_cast<std::int64_t>(begin32[g]);
  }
  /// The caller's index of the particle at place i.
  CORRAL_HOST_DEVICE std::int64_t source(std::int64_t i) const {
    if (source32 != nullptr) return static_cast<std::int64_t>(source32[i]);
    return source64 != nullptr ? static_cast<std::int64_t>(source64[i]) : i;
  }
};

namespace detail {
/// A column whose values may be of any type.
struct ColumnMemory {
  const void* data;
  std::int64_t size;
  std::int64_t stride; ///< [values]
  std::int64_t bytes;  ///< of a value; a reorder takes those of 4 and 8
};
} // namespace detail

/// Where the groups of an order begin along an axis, in cells.
enum class Offset : std::uint8_t { zero, half };

struct SortCounts {
  std::int64_t inside = 0;
  std::int64_t outside = 0;    ///< beyond an axis that isn't periodic, or too far off to wrap; mapped nowhere
  std::int64_t not_finite = 0; ///< a coordinate is NaN or infinite; mapped nowhere
};

/// The particles of one set of positions, sorted by cell: a permutation, an offset per group of particles, and the
/// positions packed as fractions within their group. Any number of maps of any kernel and staggering run over it.
///
/// Groups are numbered x fastest. With Offset::half a group holds the particles between the centres of neighbouring
/// cells: the order in which linear maps of centred fields touch fewest points. Thin axes always have offset zero.
///
/// One order serves one call at a time: it keeps large scratch memory of sorts and maps between calls. A sort, a map or
/// a reorder that finds another one at work on the same order throws Error; give each thread an order of its own. An
/// order that was moved from can be assigned to; all else throws Error. T is float or double.
template <class T> class CORRAL_PUBLIC CellOrder {
public:
  /// Throws Error where T cannot tell places within a cell apart: a float grid far from the origin.
  explicit CellOrder(const Grid& grid, std::array<Offset, 3> offset = {Offset::zero, Offset::zero, Offset::zero});
  ~CellOrder();
  CellOrder(CellOrder&&) noexcept;
  CellOrder& operator=(CellOrder&&) noexcept;

  /// Stable sort of the particles by group; those outside, then those not finite, come last.
  /// The order copies what it needs: it doesn't refer to the positions afterwards.
  /// Throws Error for columns of unequal length, and then keeps what it held; std::bad_alloc where memory does not
  /// suffice, and is then empty, as of no particles.
  SortCounts sort(Cpu, const Positions<T>& positions);
  /// The same on the GPU, of positions in device memory; returns before it is done. The order then serves maps on the
  /// GPU, one call after the other on whatever streams, and keeps its device memory for the next sort. At most 2^32 - 4
  /// particles and groups. Throws Error for positions in host memory as well; after a sort that failed otherwise the
  /// order serves no map.
  void sort(Gpu, const Positions<T>& positions);

  /// Puts the values of each column into cell order, in place, and makes the permutation the identity: maps then
  /// stream. All columns of the particles, positions included, belong into one call; sizes must match the sort. Values
  /// have 4 or 8 bytes.
  /// Throws Error for a column of another size, without memory, in memory of the other processor, with stride 0 or that
  /// shares values with another one, and has then changed nothing.
  template <Execution E, class... U> void reorder(E execution, const Column<U>&... columns) {
    reorder(execution, std::array<detail::ColumnMemory, sizeof...(U)>{{memory_of(columns)...}});
  }
  /// The same for columns known only at run time.
  void reorder(Cpu, std::span<const detail::ColumnMemory> columns);
  void reorder(Gpu, std::span<const detail::ColumnMemory> columns);
  /// The same, but the permutation stays as it is: for values that are not of these particles as they lie now.
  template <Execution E, class... U> void permute(E execution, const Column<U>&... columns) {
    permute(execution, std::array<detail::ColumnMemory, sizeof...(U)>{{memory_of(columns)...}});
  }
  void permute(Cpu, std::span<const detail::ColumnMemory> columns);
  void permute(Gpu, std::span<const detail::ColumnMemory> columns);
  /// Says that the caller has put all columns into cell order: by `gather`, or because they lay in it.
  void forget_permutation();
  /// Writes the values of a contiguous column into `to` in cell order; both hold size() values and don't overlap.
  /// Codes that can swap the two arrays reorder with half the traffic of `permute`.
  void gather(Cpu, const double* from, double* to) const;
  void gather(Cpu, const std::uint64_t* from, std::uint64_t* to) const;
  void gather(Gpu, const double* from, double* to) const;
  void gather(Gpu, const std::uint64_t* from, std::uint64_t* to) const;

  const Grid& grid() const;
  /// What is said from here on is of the last call that ended: ask while no other is at work.
  const SortCounts& counts() const; ///< waits for a sort on the GPU
  std::int64_t size() const; ///< particles of the last sort, the skipped ones included
  std::array<std::int64_t, 3> groups() const;
  bool identity() const; ///< the particles already lie in cell order
  /// The caller's index of the particle at place i of the order, i in [0, size()). Of orders sorted on the CPU, as
  /// group_begin: throws Error else.
  std::int64_t source(std::int64_t i) const;
  /// Particles of group g stand at places [group_begin(g), group_begin(g + 1)).
  std::int64_t group_begin(std::int64_t g) const;
  /// Groups, sources and fractions for loops of your own, on the processor that sorted: with Gpu for work behind the
  /// sort's on its stream. Throws Error where the particles were sorted on the other one.
  OrderView<T> view(Cpu) const;
  OrderView<T> view(Gpu) const;
  std::int64_t bytes() const; ///< memory held, scratch included, that of the device too

  /// For the maps themselves.
  struct CORRAL_PRIVATE Data;
  Data& data() const; ///< throws Error for an order that was moved from

private:
  template <class U> static detail::ColumnMemory memory_of(const Column<U>& column) {
    static_assert(!std::is_const_v<U> && std::is_trivially_copyable_v<U> && (sizeof(U) == 4 || sizeof(U) == 8));
    return {column.data, column.size, column.stride, sizeof(U)};
  }
  void fetch_counts() const;
  std::int64_t device_bytes() const;

  std::unique_ptr<Data> data_;
};

extern template class CellOrder<float>;
extern template class CellOrder<double>;

} // namespace corral
