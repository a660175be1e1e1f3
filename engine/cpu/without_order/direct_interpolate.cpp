#include "engine/cpu/without_order/direct_call.hpp"
#include "engine/cpu/without_order/direct_rows.hpp"

#include <corral/for_each.hpp>

#include <array>
#include <limits>

namespace corral {
namespace cpu {
namespace {

template <class T> using Block = DirectBlock<T, Interpolate<T>>;

/// Reads all fields of a block for a particle: any kernel.
template <class T> struct ReadParticle {
  static constexpr bool needs_weights = true;

  const Block<T>& block;

  bool wants(const DirectStencils<T>&, int) const { return true; }
  void expect(const DirectStencils<T>&, int) const {}

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    std::array<T, field_block> sum{};
    const std::size_t fields = block.terms.size();
    if (stencils.inner(i))
      for (std::size_t f = 0; f < fields; ++f)
        sum[f] = read_inner(stencils, i, block.terms[f].field.data + stencils.offset(i));
    else
      stencils.for_each_folded(i, -any, any, [&](std::int64_t offset, T weight) {
        for (std::size_t f = 0; f < fields; ++f) sum[f] += weight * block.terms[f].field.data[offset];
      });
    for (std::size_t f = 0; f < fields; ++f) block.terms[f].column[particle] = sum[f];
  }

  static T read_inner(const DirectStencils<T>& stencils, int i, const T* first) {
    const T *x = stencils.weights(0, i), *y = stencils.weights(1, i), *z = stencils.weights(2, i);
    T sum = 0;
    for (int c = 0; c < stencils.points(2); ++c)
      for (int b = 0; b < stencils.points(1); ++b) {
        const T* const row = first + c * stencils.stride(2) + b * stencils.stride(1);
        T along_x = 0;
        for (int a = 0; a < stencils.points(0); ++a) along_x += x[a] * row[a * stencils.stride(0)];
        sum += z[c] * y[b] * along_x;
      }
    return sum;
  }
};

/// The same for F trilinear fields.
template <class T, int F> struct ReadTrilinear : TrilinearTerms<T, const T, F> {
  ReadParticle<T> any;

  explicit ReadTrilinear(const Block<T>& block) : TrilinearTerms<T, const T, F>(block), any{block} {}

  bool wants(const DirectStencils<T>&, int) const { return true; }

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    if (!stencils.inner(i)) {
      any(stencils, i, particle);
      return;
    }
    const T right = stencils.u(0, i), left = T(1) - right;
    const std::array<T, 4> weight = this->across(stencils, i);
    for (std::size_t f = 0; f < F; ++f) {
      T sum = 0;
      for (std::size_t r = 0; r < 4; ++r) {
        const T* const point = this->field[f] + stencils.offset(i) + this->row[r];
        sum += weight[r] * (left * point[0] + right * point[1]);
      }
      this->column[f][particle] = sum;
    }
  }
};

/// Many particles and trilinear fields: from a copy with the fields side by side.
template <class T>
SortCounts read_side_by_side(Cpu cpu, const Positions<T>& positions, const Block<T>& block, SideBySide<T> fields,
                             std::int64_t particles_per_task) {
  const std::int64_t n = positions.size();
  fields.fill_from(cpu, block.terms);
  Array<SortCounts> counts((n + particles_per_task - 1) / particles_per_task);
  for_each_chunk(cpu, n, particles_per_task, [&](std::int64_t task_begin, std::int64_t task_end) {
    TrilinearBatch<T> batch;
    ChosenParticles chosen;
    SortCounts seen;
    for_each_slice(task_begin, task_end, batch.capacity, [&](std::int64_t begin, int m) {
      seen = seen + fields.place(positions, begin, m, batch);
      fields.choose(batch, m, {0, fields.points()}, chosen);
      read_rows(fields.rows(), batch, chosen);
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        const Column<T> column = block.terms[f].column;
        for (int c = 0; c < chosen.count; ++c) {
          const int i = chosen.particle[c];
          column[begin + i] = batch.value[i * batch.value_width + static_cast<int>(f)];
        }
      }
    });
    counts[task_begin / particles_per_task] = seen;
  });
  return total(counts);
}

template <class T>
SortCounts read_block(Cpu cpu, const Positions<T>& positions, const KernelWeights<T>& kernel, const Block<T>& block,
                      bool parallel) {
  const std::int64_t n = positions.size(), particles_per_task = parallel ? 8192 : std::max<std::int64_t>(n, 1);
  if (block.trilinear(kernel)) {
    const PaddedLayout layout = block.padded_layout();
    if (SideBySide<T>::repays(layout, n))
      return read_side_by_side(cpu, positions, block, SideBySide<T>(block.support, layout, block.terms.size()),
                               particles_per_task);
  }
  Array<SortCounts> counts((n + particles_per_task - 1) / particles_per_task);
  for_each_chunk(cpu, n, particles_per_task, [&](std::int64_t begin, std::int64_t end) {
    const auto read_with = [&](const auto& map) {
      return for_each_stencil(positions, kernel, block, begin, end, map);
    };
    counts[begin / particles_per_task] =
        block.trilinear(kernel)
            ? with_fields(block.terms.size(), [&](auto fields) { return read_with(ReadTrilinear<T, fields>(block)); })
            : read_with(ReadParticle<T>{block});
  });
  return total(counts);
}

} // namespace
} // namespace cpu

namespace detail {

template <class T>
SortCounts interpolate(Cpu cpu, const Grid& grid, const Positions<T>& positions, const KernelWeights<T>& kernel,
                       std::span<const Interpolate<T>> terms, Method method) {
  if (method != Method::automatic && method != Method::serial)
    cpu::refuse_without_order(method, "serial, or automatic");
  SortCounts counts = terms.empty() ? cpu::count_places(grid, positions, kernel) : SortCounts{};
  for (const auto& block : cpu::direct_blocks(grid, positions, kernel, terms))
    counts = cpu::read_block(cpu, positions, kernel, block, method == Method::automatic);
  return counts;
}

template SortCounts interpolate(Cpu, const Grid&, const Positions<float>&, const KernelWeights<float>&,
                                std::span<const Interpolate<float>>, Method);
template SortCounts interpolate(Cpu, const Grid&, const Positions<double>&, const KernelWeights<double>&,
                                std::span<const Interpolate<double>>, Method);

} // namespace detail
} // namespace corral
