#pragma once

#include "distributed/cut.hpp"

#include <corral/grid.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Processes that run one case together, as drivers see them: interfaces alone, which a build without PETSc has, too.
/// `make_team` (make_team.hpp) has what stands behind them.
namespace corral::distributed {

/// Where a rank keeps the points of a field.
struct FieldMemory {
  std::array<std::int64_t, 3> stride{}; ///< from a point to the next along each axis, in values
  std::int64_t size = 0;                ///< values; point (0, 0, 0) is the first
};
/// That of the rank whose box has so many points along each axis: every rank knows that of all.
using FieldLayout = std::function<FieldMemory(const std::array<std::int64_t, 3>& points)>;

/// x fastest, without gaps.
inline FieldMemory in_order(const std::array<std::int64_t, 3>& points) {
  return {{1, points[0], points[0] * points[1]}, points[0] * points[1] * points[2]};
}

/// Values [begin, end) of the whole, by their number in its memory.
struct Piece {
  std::int64_t begin = 0, end = 0;

  std::int64_t size() const { return end - begin; }
};
/// Of each rank, one behind the other.
using PiecesOfRanks = std::vector<std::vector<Piece>>;

/// Where a field begins in a rank's memory, and where in that of the whole: tables hold several.
struct FieldBegin {
  std::int64_t mine = 0, whole = 0;
};

/// Fields of one staggering and layout over a shared grid. Calls are collective. T is double or float.
class SharedFields {
public:
  virtual ~SharedFields() = default;

  /// Ghosts get the values of the points that they stand for, of all these fields at once.
  virtual void fill(std::span<double* const> fields) const = 0;
  virtual void fill(std::span<float* const> fields) const = 0;

  // Between a rank's fields and pieces of the whole, which has the layout of a box with all points. Values have `each` bytes.
  /// Each rank gets the pieces that it wants, one behind the other; what lies between rows, where layouts leave room, stays as it is.
  virtual void bring(const std::byte* mine, std::int64_t each, std::span<const FieldBegin> begins, const PiecesOfRanks& wanted,
                     std::byte* to) const = 0;
  /// Each rank hands out the pieces that it has. Ghosts stay as they are: `fill` is for them.
  virtual void send(const std::byte* from, std::int64_t each, std::span<const FieldBegin> begins, const PiecesOfRanks& given,
                    std::byte* mine) const = 0;
  /// What rank 0 has of the whole, with ghosts; elsewhere `whole` is not looked at.
  void scatter(const double* whole, double* mine) const;

protected:
  virtual std::int64_t size_of_whole() const = 0; ///< values
  virtual int ranks() const = 0;
};

class Team;

/// A grid that ranks share: each has a box of its cells, and around it copies of others' cells, its ghosts. Along axes that
/// are not cut a box has all cells, and no ghosts.
class SharedGrid {
public:
  virtual ~SharedGrid() = default;

  virtual const Team& team() const = 0;
  virtual const Grid& whole() const = 0;
  /// This rank's cells with its ghosts, as an ordinary grid: sides that the whole does not have are walls.
  virtual const Grid& box() const = 0;
  /// Cells [begin, end) of the box along an axis are this rank's own.
  virtual std::int64_t own_begin(int d) const = 0;
  virtual std::int64_t own_end(int d) const = 0;
  /// Number in the whole of the box's first cell; below 0 where ghosts lie beyond a periodic side.
  virtual std::int64_t first(int d) const = 0;

  /// Throws Error for fields that are larger than PETSc counts.
  virtual std::unique_ptr<SharedFields> fields(Staggering, const FieldLayout& = in_order) const = 0;
};

/// A matrix whose entries are blocks of numbers, as ranks share it by rows: those of rank 0 come first, then those of rank 1.
struct SharedMatrix {
  std::int64_t rows = 0;       ///< this rank's
  std::int64_t columns = 0;    ///< of all
  std::int64_t block = 1;      ///< numbers of an entry
  std::int64_t row_stride = 0; ///< from row to row in memory, in entries
};

/// Brings such matrices, one behind the other in memory, from ranks that have all of some rows to ranks that have all of some columns,
/// and back. Calls are collective. Values move as they are.
class Transposition {
public:
  virtual ~Transposition() = default;

  /// This rank's columns: [first_column(), first_column() + columns()) of all.
  virtual std::int64_t first_column() const = 0;
  virtual std::int64_t columns() const = 0;
  virtual std::int64_t rows() const = 0; ///< of all ranks
  /// From row to row of what this rank has by columns, in entries: an odd number, so that those of a column fall on all sets of a cache.
  virtual std::int64_t row_stride() const = 0;

  virtual void by_columns(const double* by_rows, double* by_columns, int matrices) const = 0;
  virtual void by_rows(const double* by_columns, double* by_rows, int matrices) const = 0;
};

/// What two pieces have in common.
inline Piece common(const Piece& a, const Piece& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// Values of a field plane by plane across the last axis, so many in each.
struct FieldOfPlanes {
  std::span<double> values;
  std::int64_t of_plane;
};

/// Rows of bytes that came from ranks, one behind the other in the order of these.
struct ReceivedRows {
  std::vector<std::byte> bytes;
  std::vector<std::int64_t> from; ///< how many from each rank
};

/// What goes to the rank before this one and to that behind it, and what comes from them; the first and the last rank are
/// neighbours, too. Empty where nothing goes; both ranks know of it.
struct SwappedBytes {
  std::span<const std::byte> to_before, to_behind;
  std::span<std::byte> from_before, from_behind;
};

/// A communicator for libraries that speak MPI themselves.
struct LentCommunicator {
  std::int32_t number = 0; ///< that it has in Fortran
  std::string mpi;         ///< how its MPI calls itself: another one does not know the number
};

/// Some processes, numbered from 0. Calls are collective.
class Team {
public:
  virtual ~Team() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Throws Error on all ranks where one of them has a problem, that of the lowest such rank; an empty text is none.
  virtual void agree(const std::string& problem) const = 0;
  /// All ranks come here at the end of what they do together. As `agree`, but a rank that comes with a problem does not wait for
  /// the others without an end: they may be waiting for it elsewhere. Then it says its problem on standard error, and all
  /// processes end with status 1. What all have is thrown without a rank's number.
  virtual void meet(const std::string& problem) const = 0;
  /// Of each place, in the order of the ranks: all get the same bits.
  virtual std::vector<double> sums(std::span<const double> mine) const = 0;
  virtual double maximum(double mine) const = 0; ///< no number where a rank has none
  /// Each becomes the sum over ranks, exactly: the same number on all of them.
  virtual void add(std::span<std::uint64_t> counts) const = 0;
  /// Of each place that value which one of the ranks has, where all others have +0: all get its bits.
  void join(std::span<double> values) const { add(std::span(reinterpret_cast<std::uint64_t*>(values.data()), values.size())); }
  /// Each value of these fields, which are of one size on all ranks, becomes the sum over ranks, in their order: all get the same
  /// bits. Only what is not 0 is sent.
  virtual void add(std::span<const std::span<double>> fields) const = 0;
  /// The same of what this rank has in the planes `held`, and rank r gets the sums of the planes wanted[r] alone: what it has in others
  /// is lost. In planes that it wants and does not hold this rank has 0.
  virtual void add(std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks& wanted) const = 0;
  /// What all have, rank after rank; of one size on all of them.
  virtual std::vector<std::byte> all(std::span<const std::byte> mine) const = 0;
  /// Rows of `each` bytes, the first to[0] of them for rank 0, the next to[1] for rank 1, and so on; 2^31 - 1 rows of all
  /// ranks at most.
  virtual ReceivedRows exchange(std::span<const std::byte> rows, std::int64_t each, std::span<const std::int64_t> to) const = 0;
  virtual void swap(const SwappedBytes&) const = 0;
  /// Rows of `each` bytes, of which rank r has those from first[r] up to first[r + 1]: all get all.
  virtual void complete(std::byte* rows, std::int64_t each, std::span<const std::int64_t> first) const = 0;
  /// The same, but rank r gets the rows wanted[r] alone.
  virtual void deliver(std::byte* rows, std::int64_t each, std::span<const std::int64_t> first, const PiecesOfRanks& wanted) const = 0;
  /// What rank 0 has, to all.
  virtual void broadcast(std::span<std::byte> bytes) const = 0;
  template <class T> void broadcast(T* values, std::size_t count) const {
    broadcast(std::as_writable_bytes(std::span<T>(values, count)));
  }

  /// Of these processes, over which nobody else speaks; the same one in each call. It lives as long as the team.
  virtual LentCommunicator lend() const = 0;

  /// Throws Error on all ranks for more rows or columns than MPI counts.
  virtual std::unique_ptr<Transposition> transposition(const SharedMatrix&) const = 0;

  /// Cuts a grid into as many boxes as there are ranks, with so many ghosts, by `best_cut`. Throws Error where there is none, and
  /// says for how many there is one.
  virtual std::unique_ptr<SharedGrid> share(const Grid& whole, std::int64_t ghosts, const Uncut& uncut) const = 0;
  std::unique_ptr<SharedGrid> share(const Grid& whole, std::int64_t ghosts) const { return share(whole, ghosts, {}); }
};

inline void SharedFields::scatter(const double* whole, double* mine) const {
  constexpr std::int64_t at_once = std::int64_t{1} << 19; // 4 MiB
  const FieldBegin here;
  PiecesOfRanks given(static_cast<std::size_t>(ranks()));
  for (std::int64_t begin = 0, n = size_of_whole(); begin < n; begin += at_once) {
    given.front() = {{begin, std::min(begin + at_once, n)}};
    send(reinterpret_cast<const std::byte*>(whole + begin), sizeof(double), {&here, 1}, given, reinterpret_cast<std::byte*>(mine));
  }
  double* const one[] = {mine};
  fill(std::span<double* const>(one));
}

} // namespace corral::distributed
