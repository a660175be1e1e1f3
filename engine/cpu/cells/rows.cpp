#include "engine/cpu/cells/column_stream.hpp"
#include "engine/cpu/cells/row_method.hpp"
#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/methods.hpp"
#include "engine/cpu/slabs.hpp"

#include <corral/for_each.hpp>

#include <hwy/cache_control.h>

#include <algorithm>

namespace corral::cpu {
namespace {

/// Fields that one row method maps in one pass.
template <class T> struct RowPass {
  struct Field {
    std::size_t term;
    T* padded;
    std::int64_t stride_y, stride_z;
    std::int64_t next; ///< from the first point of a row's stencils to what only the next row's reach [values]
  };
  std::unique_ptr<RowMethod<T>> method;
  std::vector<Field> fields;

  void add(const FieldBlock<T>& block) {
    const std::int64_t y = block.layout.stride(1), z = block.layout.stride(2);
    const std::int64_t next = block.support.axis[1].width * y + (block.support.axis[2].width - 1) * z;
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      fields.push_back({block.terms[f], block.padded[f], y, z, next});
  }
};

/// True where the blocks are one field on each face grid, x, y, z, each straddled on its own axis alone.
template <class T> bool three_faces(const std::vector<FieldBlock<T>>& blocks) {
  if (blocks.size() != 3) return false;
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t d = 0; d < 3; ++d)
      if (blocks[b].terms.size() != 1 || blocks[b].support.axis[d].width != (d == b ? 3 : 2)) return false;
  return true;
}

template <class T, class Term> std::vector<RowPass<T>> row_passes(const MapCall<T, Term>& call) {
  std::vector<RowPass<T>> passes;
  const auto& blocks = call.blocks;
  if (three_faces(blocks)) {
    passes.push_back({linear_faces_method<T>({blocks[0].stride(), blocks[1].stride(), blocks[2].stride()}), {}});
    for (const FieldBlock<T>& block : blocks) passes.back().add(block);
    return passes;
  }
  for (const FieldBlock<T>& block : blocks) {
    passes.push_back({linear_method<T>(block.support, block.stride()), {}});
    passes.back().add(block);
  }
  return passes;
}

/// All of a task but its values. Asks for the points that the row behind it will be the first to reach: rows are too
/// short for the hardware to.
template <class Task, class T>
Task task_of(const typename CellOrder<T>::Data& order, const RowPiece& piece, const RowPass<T>& pass) {
  Task task{};
  task.cells = piece.cells;
  task.begin = piece.begin.data();
  for (std::size_t d = 0; d < 3; ++d) task.u[d] = order.fraction[d].data() + piece.first;
  task.fields = static_cast<int>(pass.fields.size());
  for (std::size_t f = 0; f < pass.fields.size(); ++f) {
    const auto& field = pass.fields[f];
    task.point[f] = field.padded + piece.i + piece.j * field.stride_y + piece.k * field.stride_z;
    constexpr std::int64_t line = 64 / sizeof(T);
    for (std::int64_t i = 0; i < piece.cells + line; i += line) hwy::Prefetch(task.point[f] + field.next + i);
  }
  return task;
}

/// The columns of every pass, ready to be reached.
template <class T, class V, class Term>
std::vector<UnsortedColumns<T, V>> columns_of(const MapCall<T, Term>& call, const std::vector<RowPass<T>>& passes) {
  std::vector<UnsortedColumns<T, V>> columns(passes.size());
  std::int64_t room = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    for (const auto& field : passes[i].fields) columns[i].add(call.terms[field.term].column);
    room += columns[i].room(call.order);
  }
  resize_on_huge_pages(call.order.side_by_side, room);
  T* memory = call.order.side_by_side.data();
  for (auto& c : columns) {
    c.begin(call.cpu, call.order, memory);
    memory += c.room(call.order);
  }
  return columns;
}

/// Whether a pass reads and writes the caller's columns as they lie.
template <class T, class Term> bool streams(const MapCall<T, Term>& call, const RowPass<T>& pass) {
  return call.order.identity && std::all_of(pass.fields.begin(), pass.fields.end(), [&](const auto& field) {
           return call.terms[field.term].column.stride == 1;
         });
}

/// The columns of a pass that interpolation writes past the caches; none where it writes them otherwise.
template <class T>
std::vector<ColumnStream<T>> column_streams(const InterpolateCall<T>& call, const RowPass<T>& pass, std::int64_t row) {
  std::vector<ColumnStream<T>> written;
  const std::int64_t particles = call.order.counts.inside;
  const std::int64_t bytes = particles * static_cast<std::int64_t>(call.terms.size() * sizeof(T));
  if (!streaming_repays(bytes, particles, call.order.group_count()) || !streams(call, pass)) return written;
  const std::int64_t first = call.order.begin[row * call.order.groups[0].count];
  for (const auto& field : pass.fields)
    written.emplace_back(call.terms[field.term].column.data + first, std::int64_t{row_particles});
  return written;
}

/// Memory for the columns of a piece that don't stream.
template <class T> struct PieceBuffer {
  static constexpr std::int64_t pitch = row_particles + 192 / sizeof(T); // so that columns don't share a cache's sets
  Array<T> values{field_block * pitch};
  std::array<T*, field_block> columns() {
    std::array<T*, field_block> c;
    for (std::size_t f = 0; f < c.size(); ++f) c[f] = values.data() + static_cast<std::int64_t>(f) * pitch;
    return c;
  }
};

} // namespace

template <class T> void spread_rows(const SpreadCall<T>& call) {
  const auto passes = row_passes(call);
  const auto columns = columns_of<T, const T>(call, passes);
  const std::int64_t reach = std::max<std::int64_t>(1, RowPlan::reach<T>(call.order, call.kernel.widest()));
  RowPlan::of<T>(call.order, reach).for_each_slab_apart(call.cpu, [&](std::int64_t begin, std::int64_t end) {
    PieceBuffer<T> buffer;
    for_each_piece<T>(call.order, begin, end, [&](const RowPiece& piece) {
      for (std::size_t i = 0; i < passes.size(); ++i) {
        auto task = task_of<SpreadTask<T>>(call.order, piece, passes[i]);
        if (streams(call, passes[i])) {
          for (std::size_t f = 0; f < passes[i].fields.size(); ++f)
            task.value[f] = call.terms[passes[i].fields[f].term].column.data + piece.first;
        } else {
          const auto copies = buffer.columns();
          columns[i].read(piece.first, piece.particles(), copies);
          std::copy(copies.begin(), copies.end(), task.value.begin());
        }
        passes[i].method->spread(task);
      }
    });
  });
}

template <class T> void interpolate_rows(const InterpolateCall<T>& call) {
  const auto passes = row_passes(call);
  const auto columns = columns_of<T, T>(call, passes);
  RowPlan::of<T>(call.order, 1).for_each_slab(call.cpu, [&](std::int64_t begin, std::int64_t end) {
    PieceBuffer<T> buffer;
    std::vector<std::vector<ColumnStream<T>>> written;
    for (const auto& pass : passes) written.push_back(column_streams(call, pass, begin));
    for_each_piece<T>(call.order, begin, end, [&](const RowPiece& piece) {
      for (std::size_t i = 0; i < passes.size(); ++i) {
        auto task = task_of<InterpolateTask<T>>(call.order, piece, passes[i]);
        if (!written[i].empty()) {
          for (std::size_t f = 0; f < written[i].size(); ++f) task.value[f] = written[i][f].piece();
          passes[i].method->interpolate(task);
          for (auto& column : written[i]) column.advance(piece.particles());
        } else if (streams(call, passes[i])) {
          for (std::size_t f = 0; f < passes[i].fields.size(); ++f)
            task.value[f] = call.terms[passes[i].fields[f].term].column.data + piece.first;
          passes[i].method->interpolate(task);
        } else {
          task.value = buffer.columns();
          passes[i].method->interpolate(task);
          columns[i].write(piece.first, piece.particles(), task.value);
        }
      }
    });
    for (auto& pass : written)
      for (auto& column : pass) column.end();
  });
  for (const auto& c : columns) c.end(call.cpu);
}

template void spread_rows(const SpreadCall<float>&);
template void spread_rows(const SpreadCall<double>&);
template void interpolate_rows(const InterpolateCall<float>&);
template void interpolate_rows(const InterpolateCall<double>&);

} // namespace corral::cpu
