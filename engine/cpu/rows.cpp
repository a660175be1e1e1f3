#include "engine/cpu/methods.hpp"
#include "engine/cpu/row_method.hpp"
#include "engine/cpu/row_plan.hpp"

#include <corral/for_each.hpp>

namespace corral::cpu {
namespace {

template <class T, class Term>
std::vector<std::unique_ptr<RowMethod<T>>> row_methods(const MapCall<T, Term>& call) {
  std::vector<std::unique_ptr<RowMethod<T>>> methods;
  for (const FieldBlock<T>& block : call.blocks)
    methods.push_back(linear_method<T>(block.support, block.stride()));
  return methods;
}

/// The parts of a task that don't depend on the columns.
template <class Task, class T>
Task task_of(const typename CellOrder<T>::Data& order, const RowPiece& piece, const FieldBlock<T>& block) {
  Task task{};
  task.cells = piece.cells;
  task.begin = piece.begin.data();
  for (std::size_t d = 0; d < 3; ++d) task.u[d] = order.fraction[d].data() + piece.first;
  task.fields = static_cast<int>(block.terms.size());
  const std::int64_t point = piece.i + piece.j * block.layout.stride(1) + piece.k * block.layout.stride(2);
  for (std::size_t f = 0; f < block.terms.size(); ++f) task.point[f] = block.padded[f] + point;
  return task;
}

} // namespace

template <class T> void spread_rows(const SpreadCall<T>& call) {
  const auto methods = row_methods(call);
  std::int64_t reach = 1;
  for (const auto& block : call.blocks)
    reach = std::max(reach, RowPlan::reach(block.support, call.order.groups[1].count));
  RowPlan::of<T>(call.order, reach).for_each_slab_apart(call.cpu, [&](std::int64_t begin, std::int64_t end) {
    PieceBuffer<T> buffer;
    for_each_piece<T>(call.order, begin, end, [&](const RowPiece& piece) {
      for (std::size_t b = 0; b < methods.size(); ++b) {
        auto task = task_of<SpreadTask<T>>(call.order, piece, call.blocks[b]);
        for (std::size_t f = 0; f < call.blocks[b].terms.size(); ++f) {
          const auto& column = call.terms[call.blocks[b].terms[f]].column;
          if (buffer.streams(call.order, column)) {
            task.value[f] = column.data + piece.first;
          } else {
            T* copy = buffer.copy(f);
            for (std::int64_t p = 0; p < piece.particles(); ++p) copy[p] = column[call.order.source(piece.first + p)];
            task.value[f] = copy;
          }
        }
        methods[b]->spread(task);
      }
    });
  });
}

template <class T> void interpolate_rows(const InterpolateCall<T>& call) {
  const auto methods = row_methods(call);
  RowPlan::of<T>(call.order, 1).for_each_slab(call.cpu, [&](std::int64_t begin, std::int64_t end) {
    PieceBuffer<T> buffer;
    for_each_piece<T>(call.order, begin, end, [&](const RowPiece& piece) {
      for (std::size_t b = 0; b < methods.size(); ++b) {
        const FieldBlock<T>& block = call.blocks[b];
        auto task = task_of<InterpolateTask<T>>(call.order, piece, block);
        for (std::size_t f = 0; f < block.terms.size(); ++f) {
          const auto& column = call.terms[block.terms[f]].column;
          task.value[f] = buffer.streams(call.order, column) ? column.data + piece.first : buffer.copy(f);
        }
        methods[b]->interpolate(task);
        for (std::size_t f = 0; f < block.terms.size(); ++f) {
          const auto& column = call.terms[block.terms[f]].column;
          if (!buffer.streams(call.order, column))
            for (std::int64_t p = 0; p < piece.particles(); ++p)
              column[call.order.source(piece.first + p)] = task.value[f][p];
        }
      }
    });
  });
}

template void spread_rows(const SpreadCall<float>&);
template void spread_rows(const SpreadCall<double>&);
template void interpolate_rows(const InterpolateCall<float>&);
template void interpolate_rows(const InterpolateCall<double>&);

} // namespace corral::cpu
