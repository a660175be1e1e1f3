#include "engine/cpu/literature/stencil_walk.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

namespace corral::cpu {
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

} // namespace corral::cpu
