#include "fluid/pressure/pressure_components.hpp"

#include "fluid/pressure/pressure.hpp"
#include "fluid/pressure/pressure_rows.hpp"
#include "fluid/pressure/thin_axes.t.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

namespace corral::fluid {

ThinAxes::ThinAxes(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory)
    : cells_(cells), periodic_(periodic), zeros_(memory), diagonal_(memory) {
  while (cells_[0] == 1 && (cells_[1] > 1 || cells_[2] > 1)) {
    removed_periodic_[removed_++] = periodic_[0];
    cells_ = {cells_[1], cells_[2], 1};
    periodic_ = {periodic_[1], periodic_[2], false};
  }
  const std::int64_t count = cells_[0] * cells_[1] * cells_[2];
  if (removed_ > 0) zeros_.resize(2 * count, 0.0); // the faces of an axis of one cell between walls
}

void ThinAxes::add_faces(Cpu cpu, const double* faces, FaceCoefficients& moved) {
  const std::int64_t count = cells_[0] * cells_[1] * cells_[2];
  // Whatever is not 0 counts, so that the solver's own checks still see what is wrong with it.
  const double open = sum(cpu, 2 * count, [faces](std::int64_t f) { return faces[f] == 0 ? 0.0 : 1.0; });
  if (open == 0) return;
  const double* before = moved.diagonal;
  diagonal_.resize(count);
  for_each(cpu, count, [&](std::int64_t c) {
    diagonal_[c] = (before ? before[c] : 0.0) + (faces[2 * c] + faces[2 * c + 1]);
  });
  moved.diagonal = diagonal_.data();
}

template FaceCoefficients ThinAxes::permuted(Cpu, const FaceCoefficients&);

namespace {

using Index = std::array<std::int64_t, 3>;

CORRAL_VECTOR_CLONES double total_of_row(const double* values, std::int64_t n) {
  double lane[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] += values[i + l];
  for (; i < n; ++i) lane[0] += values[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// The neighbours of a cell and the faces towards them.
class Neighbours {
public:
  Neighbours(const Index& cells, const std::array<bool, 3>& periodic) : cells_(cells), periodic_(periodic) {
    for (std::size_t d = 0; d < 3; ++d) {
      faces_[d] = cells;
      faces_[d][d] += periodic[d] ? 0 : 1;
    }
  }

  /// Calls f(axis, face, neighbour) six times; the neighbour is -1 beyond a boundary, the cell itself on a thin
  /// periodic axis.
  template <class F> void of(const Index& at, F&& f) const {
    for (std::size_t d = 0; d < 3; ++d) {
      Index face = at, low = at, high = at;
      --low[d];
      ++high[d];
      const bool first = at[d] == 0, last = at[d] == cells_[d] - 1;
      if (first && periodic_[d]) low[d] = cells_[d] - 1;
      if (last && periodic_[d]) high[d] = 0;
      f(d, index(face, faces_[d]), first && !periodic_[d] ? -1 : index(low, cells_));
      face[d] = last && periodic_[d] ? 0 : face[d] + 1;
      f(d, index(face, faces_[d]), last && !periodic_[d] ? -1 : index(high, cells_));
    }
  }

  static std::int64_t index(const Index& at, const Index& n) { return at[0] + n[0] * (at[1] + n[1] * at[2]); }

private:
  Index cells_;
  std::array<bool, 3> periodic_;
  std::array<Index, 3> faces_{};
};

} // namespace

/// Counts zeros per cell from its lower faces, and pins from all six.
PressurePattern PressureComponents::pattern(Cpu cpu, const FaceCoefficients& a, const Planes& planes) {
  const Neighbours neighbours(cells_, periodic_);
  positive_.resize(cells_[0] * cells_[1] * cells_[2]);
  return sum_rows(cpu, cells_, planes, patterns_, [&](std::int64_t j, std::int64_t k) {
    PressurePattern row;
    for (std::int64_t i = 0; i < cells_[0]; ++i) {
      const std::int64_t cell = i + cells_[0] * (j + cells_[1] * k);
      const bool diagonal = a.diagonal && a.diagonal[cell] > 0;
      FaceBits faces;
      unsigned bit = 1;
      neighbours.of({i, j, k}, [&](std::size_t d, std::int64_t face, std::int64_t neighbour) {
        if (a.b[d][face] > 0) faces.positive |= bit;
        if (neighbour < 0) faces.outside |= bit;
        if (neighbour == cell) faces.itself |= bit;
        bit *= 2;
      });
      positive_[cell] = static_cast<std::uint8_t>(faces.positive | (diagonal ? has_diagonal : 0));
      row.add(cell, diagonal, faces);
    }
    return row;
  });
}

void PressureComponents::update(Cpu cpu, const FaceCoefficients& a, const Planes& planes) {
  const PressurePattern now = pattern(cpu, a, planes);
  if (known_ && now == pattern_) return;
  pattern_ = now;
  known_ = true;
  label_.resize(0);
  sizes_.resize(0);
  whole_ = now.whole();
  if (now.has_parts()) find(planes);
}

/// Every rank finds all of them: a part may be anywhere.
void PressureComponents::find(const Planes& planes) {
  const std::int64_t cells = cells_[0] * cells_[1] * cells_[2];
  planes.complete(positive_.data(), cells_[0] * cells_[1]);
  label_.resize(cells);
  label_.fill(unknown);
  queue_.resize(cells);
  for (std::int64_t cell = 0; cell < cells; ++cell)
    if (label_[cell] == unknown) flood(cell);
}

/// Labels all that is connected with the seed.
void PressureComponents::flood(std::int64_t seed) {
  const Neighbours neighbours(cells_, periodic_);
  const auto part = static_cast<std::int32_t>(sizes_.size());
  std::int64_t found = 1;
  bool is_pinned = false;
  queue_[0] = seed;
  label_[seed] = part;
  for (std::int64_t next = 0; next < found; ++next) {
    const std::int64_t cell = queue_[next];
    const unsigned positive = positive_[cell];
    is_pinned = is_pinned || (positive & has_diagonal) != 0;
    const Index at{cell % cells_[0], cell / cells_[0] % cells_[1], cell / (cells_[0] * cells_[1])};
    unsigned bit = 1;
    neighbours.of(at, [&](std::size_t, std::int64_t, std::int64_t neighbour) {
      const bool open = (positive & bit) != 0;
      bit *= 2;
      if (!open) return;
      if (neighbour < 0) {
        is_pinned = true;
      } else if (label_[neighbour] == unknown) {
        label_[neighbour] = part;
        queue_[found++] = neighbour;
      }
    });
  }
  // A part of one cell that nothing pins has no equation: it is blocked.
  const std::int32_t label = is_pinned ? pinned : found == 1 ? blocked : part;
  for (std::int64_t i = 0; i < found; ++i) label_[queue_[i]] = label;
  if (label == part) {
    sizes_.resize(part + 1);
    sizes_[part] = found;
  }
}

void PressureComponents::remove_means(Cpu cpu, const Planes& planes, double* values) {
  const std::int64_t plane = cells_[0] * cells_[1], cells = plane * cells_[2];
  const std::int64_t first = plane * planes.begin(), own = plane * planes.end() - first;
  if (whole_) {
    const double mean = sum_rows(cpu, cells_, planes, sums_, [&](std::int64_t j, std::int64_t k) {
                          return total_of_row(values + cells_[0] * j + plane * k, cells_[0]);
                        }) / static_cast<double>(cells);
    for_each(cpu, own, [=](std::int64_t k) { values[first + k] -= mean; });
  }
  if (label_.empty()) return;
  set_means(planes, values);
  for_each(cpu, own, [&](std::int64_t k) {
    const std::int64_t c = first + k;
    if (label_[c] == blocked) values[c] = 0;
    if (label_[c] >= 0) values[c] -= means_[label_[c]];
  });
}

/// Parts may be many and of any shape: one thread of each rank sums them all in the order of cells.
void PressureComponents::set_means(const Planes& planes, double* values) {
  means_.resize(sizes_.size());
  means_.fill(0.0);
  if (sizes_.size() == 0) return;
  planes.complete(values, cells_[0] * cells_[1]);
  for (std::int64_t c = 0; c < label_.size(); ++c)
    if (label_[c] >= 0) means_[label_[c]] += values[c];
  for (std::int64_t part = 0; part < sizes_.size(); ++part) means_[part] /= static_cast<double>(sizes_[part]);
}

} // namespace corral::fluid
