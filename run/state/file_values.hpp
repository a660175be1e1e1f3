#pragma once

#include "distributed/team.hpp"
#include "run/state/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace corral::run {

/// How values of entries stand in a file.
enum class Form : std::uint8_t {
  values,     ///< of one entry, as memory has them
  cell_means, ///< of a field at the cells' centres, in 64 bits: see FileValues
  rows,       ///< of a column, in 64 bits; integers are widened
  words,      ///< of one entry, likewise
  numbers     ///< 0, 1, 2, ... in 64 bits, as many as the column's set has particles
};

/// Where values of an entry stand in a file; with its further components, of which the number is the fastest index, where the form
/// is `cell_means` or `rows`.
struct FilePlace {
  const Entry* entry = nullptr; ///< of a registry; its first component
  Form form = Form::values;
  std::int64_t offset = 0; ///< [bytes] from the beginning of the file
};

/// What is to stand in such a place, piece by piece: whoever writes needs no room for all of it.
///
/// A field whose points do not lie at the cells' centres is shown there by means over the cell's lower and upper points, along each
/// axis on which they lie on faces. The upper face of a periodic axis' last cell is the first cell's lower one.
class FileValues {
public:
  using Piece = distributed::Piece;
  /// Values of an entry, those that a rank wants who makes such a piece, one piece behind the other.
  using PiecesOf = std::function<std::vector<Piece>(const Piece& made)>;
  using Get = std::function<void(const Entry&, const PiecesOf&, std::byte* to)>;

  /// The registry outlives this.
  FileValues(const Registry& of, const Entry& entry, Form form);

  std::int64_t size() const { return size_; }                         ///< values, cells or rows
  std::int64_t each() const { return each_; }                         ///< [bytes] of one
  std::int64_t bytes() const { return size_ * each_; }
  /// `get` is called as often for each piece, be it empty: ranks may make pieces together.
  void make(const Piece& piece, const Get& get, std::byte* to) const;
  /// Of entries that lie in this memory.
  void make(const Piece& piece, std::byte* to) const;

private:
  void make_means(const Entry& component, std::size_t number, const Piece& cells, const Get& get, std::byte* to) const;
  void make_rows(const Entry& component, std::size_t number, const Piece& rows, const Get& get, std::byte* to) const;

  const Grid& grid_;
  Form form_;
  std::vector<const Entry*> components_;
  std::int64_t size_ = 0, each_ = 8;
};

} // namespace corral::run
