#include "engine/gpu/map_call.cuh"

#include <array>

namespace corral::gpu {

template <class T, class Term>
MapCall<T, Term>::MapCall(cudaStream_t s, typename CellOrder<T>::Data& order, const Places<T>& p,
                          const DeviceKernelWeights<T>& k, std::span<const Term> terms)
    : stream(s), scratch(*order.device), work(scratch.work, s), places(p), kernel(k) {
  for (const Term& term : terms) {
    shared::check_term<T>(order, term.column, term.field, kernel);
    require_device_memory(term.column.data, "a column");
    require_device_memory(term.field.data, "a field");
  }
  shared::check_targets(order.grid, order.size, terms);
  for (const std::vector<std::size_t>& own : shared::field_blocks(terms)) {
    const auto& field = terms[own[0]].field;
    auto& block = blocks.emplace_back();
    block.support = shared::FieldSupport::of<T>(order, field.staggering, kernel);
    block.layout = PaddedField::of(order.grid, block.support, field.staggering, field.wall_sign);
    for (const std::size_t term : own) {
      block.fields.column[block.fields.count++] = terms[term].column;
      block.fields_of_caller.view[block.fields_of_caller.count++] = terms[term].field;
    }
    padded_size_ += block.layout.size * block.fields.count;
  }
}

template <class T, class Term> void MapCall<T, Term>::take_padded_fields() {
  T* memory = scratch.padded.renew(padded_size_, stream);
  for (auto& block : blocks) {
    block.memory = memory;
    for (int f = 0; f < block.fields.count; ++f, memory += block.layout.size) block.fields.padded[f] = memory;
  }
}

// A field needs a set of weights per axis; fields whose points lie on the faces of an axis share one, and those whose
// points don't another: six at most. They are evaluated once and kept in memory: reading 3 s numbers a particle costs
// little beside s^3 points, and one evaluator per kernel serves all methods.
template <class T, class Term> void MapCall<T, Term>::evaluate_weights() {
  std::array<std::array<const FieldBlock<T, Term>*, 2>, 3> first{}; // the block that asks for each set
  for (const auto& block : blocks)
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& axis = block.support.axis[d];
      if (!axis.thin && !kernel.linear && first[d][axis.on_faces] == nullptr) first[d][axis.on_faces] = &block;
    }
  std::int64_t rows = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (const auto* block : first[d]) rows += block == nullptr ? 0 : block->support.axis[d].support;
  const std::int64_t n = places.size;
  T* memory = rows * n == 0 ? nullptr : scratch.weights.renew(rows * n, stream);

  std::array<std::array<const T*, 2>, 3> weights{};
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t on_faces = 0; on_faces < 2; ++on_faces) {
      if (first[d][on_faces] == nullptr || n == 0) continue;
      const shared::AxisSupport& axis = first[d][on_faces]->support.axis[d];
      const DeviceAxisKernel<T>& k = kernel(axis.on_faces);
      k.evaluate(Gpu{stream}, k.kernel, {places.u[d], n, axis.straddled, memory, n});
      weights[d][on_faces] = memory;
      memory += axis.support * n;
    }
  for (auto& block : blocks) {
    block.stencils = {places, {}, {}, kernel.linear ? 0 : n};
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& axis = block.support.axis[d];
      block.stencils.axis[d] = {axis, weights[d][axis.on_faces]};
      block.stencils.stride[d] = block.layout.stride[d];
    }
  }
}

template struct MapCall<float, Spread<float>>;
template struct MapCall<double, Spread<double>>;
template struct MapCall<float, Interpolate<float>>;
template struct MapCall<double, Interpolate<double>>;

} // namespace corral::gpu
