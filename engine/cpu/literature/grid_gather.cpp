#include "engine/cpu/literature/stencil_walk.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

#include <array>

namespace corral::cpu {
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
