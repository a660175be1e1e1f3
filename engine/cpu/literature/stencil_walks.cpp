#include "engine/cpu/map_fields.hpp"
#include "engine/cpu/methods.hpp"
#include "engine/cpu/stencil_batch.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace corral::cpu {

namespace {

/// Walks along rows of groups (row = j + k groups_y) and hands over each particle with its stencil on the fields of
/// one block, for any kernel. One task's own: it holds the stencils of the particles at hand. Term is Spread<T> or
/// Interpolate<T>.
template <class T, class Term> class StencilWalk {
public:
  StencilWalk(const MapCall<T, Term>& call, const FieldBlock<T>& block)
      : call_(call), order_(call.order), block_(block), batch_(call.kernel, block.support, block.stride()),
        groups_x_(order_.groups[0].count), groups_y_(order_.groups[1].count) {}

  const StencilBatch<T>& stencils() const { return batch_; }
  std::int64_t groups_x() const { return groups_x_; }

  /// Calls f(place, i, point) for the particles in groups [begin, end) of the row, in order: place in the order,
  /// number within stencils(), and the padded index that the stencil's points are counted from.
  template <class F> void for_each_particle(std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) {
    const std::int64_t* first = order_.begin.data() + row * groups_x_;
    const std::int64_t row_point =
        (row % groups_y_) * block_.layout.stride(1) + (row / groups_y_) * block_.layout.stride(2);
    std::int64_t group = begin;
    for (std::int64_t place = first[begin]; place < first[end]; place += batch_.capacity) {
      const int n = static_cast<int>(std::min<std::int64_t>(batch_.capacity, first[end] - place));
      const auto u = [&](std::size_t d) { return order_.fraction[d].data() + place; };
      batch_.set({u(0), u(1), u(2)}, n);
      for (int i = 0; i < n; ++i) {
        while (place + i >= first[group + 1]) ++group;
        f(place + i, i, row_point + group);
      }
    }
  }

  /// Calls add(padded point, what it gains) for every point of the particles in groups [begin, end) of the row, field
  /// after field.
  template <class Add> void spread(std::int64_t row, std::int64_t begin, std::int64_t end, const Add& add) {
    for_each_particle(row, begin, end, [&](std::int64_t place, int i, std::int64_t point) {
      const std::int64_t source = order_.source(place);
      for (std::size_t f = 0; f < block_.terms.size(); ++f) {
        const T value = call_.terms[block_.terms[f]].column[source];
        T* const field = block_.padded[f] + point;
        batch_.for_each_point(i, [&](std::int64_t offset, T weight) { add(field[offset], weight * value); });
      }
    });
  }

private:
  const MapCall<T, Term>& call_;
  const typename CellOrder<T>::Data& order_;
  const FieldBlock<T>& block_;
  StencilBatch<T> batch_;
  std::int64_t groups_x_, groups_y_;
};

} // namespace

// Kassen's Algorithms 2 and 3: particle after particle on the calling thread, here in cell order.

template <class T> void spread_serial(const SpreadCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    StencilWalk rows(call, block);
    for (std::int64_t row = 0; row < call.rows(); ++row) rows.spread(row, 0, rows.groups_x(), PlainAdd{});
  }
}

template <class T> void interpolate_serial(const InterpolateCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    StencilWalk rows(call, block);
    for (std::int64_t row = 0; row < call.rows(); ++row)
      rows.for_each_particle(row, 0, rows.groups_x(), [&](std::int64_t place, int i, std::int64_t point) {
        const std::int64_t source = call.order.source(place);
        for (std::size_t f = 0; f < block.terms.size(); ++f) {
          const T* const field = block.padded[f] + point;
          T sum = 0;
          rows.stencils().for_each_point(i, [&](std::int64_t offset, T weight) { sum += weight * field[offset]; });
          call.terms[block.terms[f]].column[source] = sum;
        }
      });
  }
}

template void spread_serial(const SpreadCall<float>&);
template void spread_serial(const SpreadCall<double>&);
template void interpolate_serial(const InterpolateCall<float>&);
template void interpolate_serial(const InterpolateCall<double>&);

// ParkiPy's Algorithm 3 over sorted sources: every thread takes rows of cells and adds atomically. Sums have no fixed
// order, and so their last bits change from run to run.
template <class T> void spread_atomic(const SpreadCall<T>& call) {
  constexpr std::int64_t rows_per_task = 8;
  for (const FieldBlock<T>& block : call.blocks)
    for_each_chunk(call.cpu, call.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
      StencilWalk rows(call, block);
      for (std::int64_t row = begin; row < end; ++row)
        rows.spread(row, 0, rows.groups_x(), [](T& point, T gain) {
          std::atomic_ref<T>(point).fetch_add(gain, std::memory_order_relaxed);
        });
    });
}

template void spread_atomic(const SpreadCall<float>&);
template void spread_atomic(const SpreadCall<double>&);

namespace {

// McQueen and Peskin's columns, here along x: one thread has a whole column of cells, and columns that are a stencil's
// width apart along y or z touch no common point. So s^(d-1) sweeps do, each with all its columns at once.
//
// Around a periodic axis whose extent is no multiple of s the first and the last column of a sweep would conflict if
// stencils wrapped. They don't: fields are padded, what reaches beyond the last point stays there until it is folded.

/// The columns (j + k groups_y) of the sweep (b, c), in ascending order; with `pruned` only those with particles.
template <class T>
std::vector<std::int64_t> columns_of_sweep(const typename CellOrder<T>::Data& order,
                                           const shared::FieldSupport& support, int b, int c, bool pruned) {
  const std::int64_t gx = order.groups[0].count, gy = order.groups[1].count, gz = order.groups[2].count;
  std::vector<std::int64_t> columns;
  for (std::int64_t k = c; k < gz; k += support.axis[2].width)
    for (std::int64_t j = b; j < gy; j += support.axis[1].width) {
      const std::int64_t column = j + k * gy;
      if (!pruned || order.begin[column * gx] < order.begin[(column + 1) * gx]) columns.push_back(column);
    }
  return columns;
}

template <class T> void spread(const SpreadCall<T>& call, bool pruned) {
  for (const FieldBlock<T>& block : call.blocks)
    for (int c = 0; c < block.support.axis[2].width; ++c)
      for (int b = 0; b < block.support.axis[1].width; ++b) {
        const auto columns = columns_of_sweep<T>(call.order, block.support, b, c, pruned);
        for_each_chunk(call.cpu, static_cast<std::int64_t>(columns.size()), 1, [&](std::int64_t i, std::int64_t) {
          StencilWalk rows(call, block);
          rows.spread(columns[i], 0, rows.groups_x(), PlainAdd{});
        });
      }
}

} // namespace

template <class T> void spread_columns(const SpreadCall<T>& call) { spread(call, false); }
template <class T> void spread_columns_pruned(const SpreadCall<T>& call) { spread(call, true); }

template void spread_columns(const SpreadCall<float>&);
template void spread_columns(const SpreadCall<double>&);
template void spread_columns_pruned(const SpreadCall<float>&);
template void spread_columns_pruned(const SpreadCall<double>&);

namespace {

std::int64_t of_colour(std::int64_t groups, std::int64_t colour, std::int64_t width) {
  return (groups - colour + width - 1) / width;
}

} // namespace

// Kassen's colouring of cells: cells that are a stencil's width apart along some axis touch no common point, so the
// cells of one of the s^d colours run at once. Fields are padded: a stencil that wraps around a periodic axis writes
// beyond the last point, not to the first, so colours may be counted from 0 to the end of the axis whether or not
// its extent is a multiple of the width.
template <class T> void spread_coloured_cells(const SpreadCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    const auto& axis = block.support.axis;
    const std::int64_t gy = axis[1].groups, gz = axis[2].groups;
    for (int c = 0; c < axis[2].width; ++c)
      for (int b = 0; b < axis[1].width; ++b)
        for (int a = 0; a < axis[0].width; ++a) {
          const std::int64_t ny = of_colour(gy, b, axis[1].width), nz = of_colour(gz, c, axis[2].width);
          for_each_chunk(call.cpu, ny * nz, 1, [&](std::int64_t index, std::int64_t) {
            const std::int64_t j = b + index % ny * axis[1].width, k = c + index / ny * axis[2].width;
            StencilWalk rows(call, block);
            for (std::int64_t i = a; i < axis[0].groups; i += axis[0].width)
              rows.spread(j + k * gy, i, i + 1, PlainAdd{});
          });
        }
  }
}

template void spread_coloured_cells(const SpreadCall<float>&);
template void spread_coloured_cells(const SpreadCall<double>&);

namespace {

/// Adds to the points of padded row (y, z) what comes from the particles of group row (j, k) = (y - b, z - c).
template <class T>
void gather_row(const SpreadCall<T>& call, const FieldBlock<T>& block, StencilWalk<T, Spread<T>>& rows,
                std::array<std::int64_t, 2> group, std::array<int, 2> behind) {
  const StencilBatch<T>& stencils = rows.stencils();
  rows.for_each_particle(group[0] + group[1] * block.support.axis[1].groups, 0, rows.groups_x(),
                         [&](std::int64_t place, int i, std::int64_t point) {
    std::array<int, 2> j{}; // which of the particle's points lies in this row, along y and z
    T weight = 1;
    for (std::size_t d = 0; d < 2; ++d) {
      const shared::AxisSupport& s = block.support.axis[d + 1];
      const int lead = s.thin ? 0 : shared::stencil_position(s, call.order.fraction[d + 1][place]).lead;
      j[d] = behind[d] - lead;
      if (j[d] < 0 || j[d] >= stencils.points(d + 1)) return; // a straddled stencil that doesn't reach it
      weight *= stencils.weights(d + 1, i)[j[d]];
    }
    const std::int64_t first =
        point + stencils.first(i) + j[0] * block.layout.stride(1) + j[1] * block.layout.stride(2);
    const std::int64_t source = call.order.source(place);
    for (std::size_t f = 0; f < block.terms.size(); ++f) {
      const T value = weight * call.terms[block.terms[f]].column[source];
      for (int a = 0; a < stencils.points(0); ++a) block.padded[f][first + a] += stencils.weights(0, i)[a] * value;
    }
  });
}

} // namespace

// ParkiPy's Algorithm 4: the grid collects. A row of points along x has one owner, who visits the s^(d-1) rows of cells
// around it; nothing is written by two. A whole row rather than a point, so that particles are read s^(d-1) times and
// not s^d times.
template <class T> void spread_grid_gather(const SpreadCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    const shared::AxisSupport &y_axis = block.support.axis[1], &z_axis = block.support.axis[2];
    const std::int64_t rows_y = y_axis.padded_points();
    for_each_chunk(call.cpu, rows_y * z_axis.padded_points(), 1, [&](std::int64_t row, std::int64_t) {
      StencilWalk rows(call, block);
      const std::int64_t y = row % rows_y, z = row / rows_y;
      for (int c = 0; c < z_axis.width; ++c)
        for (int b = 0; b < y_axis.width; ++b) {
          const std::int64_t j = y - b, k = z - c;
          if (j >= 0 && j < y_axis.groups && k >= 0 && k < z_axis.groups)
            gather_row(call, block, rows, {j, k}, {b, c});
        }
    });
  }
}

template void spread_grid_gather(const SpreadCall<float>&);
template void spread_grid_gather(const SpreadCall<double>&);

} // namespace corral::cpu
