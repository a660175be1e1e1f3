#include "run/state/file_values.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace corral::run {

namespace {

using distributed::Piece;
using Three = std::array<std::int64_t, 3>;

/// Rows of cells, counted with y fastest.
struct CellRows {
  std::int64_t begin, end;

  CellRows(const Piece& cells, std::int64_t nx) : begin(cells.begin / nx), end(cells.size() > 0 ? (cells.end - 1) / nx + 1 : begin) {}
};

/// The points of a field in such rows, each a row farther along y or a plane along z where that is asked for, beyond the end of a
/// periodic axis from its beginning on.
std::vector<Piece> rows_of_points(const CellRows& rows, const Three& points, std::int64_t ny, const std::array<int, 3>& farther) {
  std::vector<Piece> pieces;
  for (std::int64_t r = rows.begin, next = 0; r < rows.end; r = next) {
    const std::int64_t k = r / ny, plane = points[1] * ((k + farther[2]) % points[2]);
    next = std::min(rows.end, (k + 1) * ny);
    const std::int64_t begin = r - k * ny + farther[1], end = next - k * ny + farther[1], until = std::min(end, points[1]);
    if (begin < until) pieces.push_back({points[0] * (plane + begin), points[0] * (plane + until)});
    if (end > points[1]) pieces.push_back({points[0] * plane, points[0] * (plane + end - points[1])});
  }
  return pieces;
}

std::int64_t size_of(const std::vector<Piece>& pieces) {
  std::int64_t size = 0;
  for (const Piece& piece : pieces) size += piece.size();
  return size;
}

/// Over the points from axis d on, lower before upper; `at` has them by how far they are along each axis.
template <class At> double mean_over(Staggering s, std::array<int, 3> farther, int d, const At& at) {
  if (d == 3) return at(farther);
  const double low = mean_over(s, farther, d + 1, at);
  if (!on_face(s, d)) return low;
  farther[static_cast<std::size_t>(d)] = 1;
  return 0.5 * (low + mean_over(s, farther, d + 1, at));
}

} // namespace

FileValues::FileValues(const Registry& of, const Entry& entry, Form form) : grid_(of.grid()), form_(form), components_{&entry} {
  if (form == Form::values) {
    size_ = entry.size();
    each_ = entry.each();
    return;
  }
  size_ = form == Form::cell_means ? grid_.cells() : form == Form::words ? entry.size() : entry.set->size();
  if (form == Form::numbers || form == Form::words) return;
  for (int c = 1; c < entry.components; ++c)
    components_.push_back(entry.set ? entry.set->find(entry.name, c) : of.find(entry.name, c));
  each_ = 8 * static_cast<std::int64_t>(components_.size());
}

void FileValues::make(const Piece& piece, const Get& get, std::byte* to) const {
  if (form_ == Form::values) return get(*components_.front(), [](const Piece& made) { return std::vector{made}; }, to);
  if (form_ == Form::numbers) {
    for (std::int64_t i = piece.begin; i < piece.end; ++i, to += 8) std::memcpy(to, &i, 8);
    return;
  }
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (form_ == Form::cell_means) make_means(*components_[c], c, piece, get, to);
    else make_rows(*components_[c], c, piece, get, to);
}

void FileValues::make(const Piece& piece, std::byte* to) const {
  make(piece,
       [&](const Entry& entry, const PiecesOf& of, std::byte* into) {
         const std::int64_t each = entry.each();
         for (const Piece& there : of(piece)) {
           std::memcpy(into, entry.data() + there.begin * each, static_cast<std::size_t>(there.size() * each));
           into += there.size() * each;
         }
       },
       to);
}

void FileValues::make_rows(const Entry& component, std::size_t number, const Piece& rows, const Get& get, std::byte* to) const {
  std::vector<std::byte> values(static_cast<std::size_t>(rows.size() * component.each()));
  get(component, [](const Piece& made) { return std::vector{made}; }, values.data());
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    std::byte* const word = to + i * each_ + 8 * static_cast<std::int64_t>(number);
    if (component.each() == 8) {
      std::memcpy(word, values.data() + 8 * i, 8);
      continue;
    }
    std::int32_t narrow = 0;
    std::memcpy(&narrow, values.data() + 4 * i, 4);
    const std::int64_t wide = narrow;
    std::memcpy(word, &wide, 8);
  }
}

void FileValues::make_means(const Entry& component, std::size_t number, const Piece& cells, const Get& get, std::byte* to) const {
  const std::int64_t nx = grid_.axis(0).cells, ny = grid_.axis(1).cells;
  const Three& points = component.extents;
  const Staggering s = component.staggering;
  const CellRows mine(cells, nx);
  std::array<std::vector<double>, 4> rows; // by how far along y and z
  for (int z = 0; z <= (on_face(s, 2) ? 1 : 0); ++z)
    for (int y = 0; y <= (on_face(s, 1) ? 1 : 0); ++y) {
      const std::array<int, 3> farther{0, y, z};
      std::vector<double>& values = rows[static_cast<std::size_t>(y + 2 * z)];
      values.resize(static_cast<std::size_t>(size_of(rows_of_points(mine, points, ny, farther))));
      get(component, [&](const Piece& made) { return rows_of_points(CellRows(made, nx), points, ny, farther); },
          reinterpret_cast<std::byte*>(values.data()));
    }
  for (std::int64_t c = cells.begin; c < cells.end; ++c) {
    const std::int64_t i = c % nx, row = points[0] * (c / nx - mine.begin);
    const double mean = mean_over(s, {0, 0, 0}, 0, [&](const std::array<int, 3>& farther) {
      return rows[static_cast<std::size_t>(farther[1] + 2 * farther[2])][static_cast<std::size_t>(row + (i + farther[0]) % points[0])];
    });
    std::memcpy(to + (c - cells.begin) * each_ + 8 * static_cast<std::int64_t>(number), &mean, 8);
  }
}

} // namespace corral::run
