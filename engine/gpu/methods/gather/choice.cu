#include "engine/gpu/methods/gather/launch.hpp"

#include <algorithm>

namespace corral::gpu::gather {
namespace {

template <int KX, int KY, int F> constexpr Instance with = Instance::of<Shape<KX, KY, F>>();

constexpr Instance instances[] = {with<1, 2, 1>, with<2, 2, 1>, with<3, 4, 1>, with<4, 4, 1>, with<5, 4, 1>,  //
                                  with<1, 1, 2>, with<2, 1, 2>, with<2, 2, 2>, with<3, 2, 2>, with<3, 3, 2>,  //
                                  with<4, 4, 2>, with<5, 4, 2>, with<5, 5, 2>,                                //
                                  with<1, 1, 4>, with<2, 1, 4>, with<2, 2, 4>, with<3, 2, 4>, with<3, 3, 4>,  //
                                  with<2, 1, 12>};

/// Cells that a window serves beside each other, and whole columns of them.
Division divide(const Instance& shape, const int (&cells)[3], const int (&width)[3], int columns_y, int layers) {
  Division d{};
  d.column[0] = std::min(4 * shape.KX - width[0] + 1, cells[0]);
  d.column[1] = std::min(4 * shape.KY - width[1] + 1, cells[1]);
  const int columns_x = (shape.pitch - 4 * shape.KX) / d.column[0] + 1;
  d.brick[0] = std::min(columns_x * d.column[0], cells[0]);
  d.brick[1] = std::min(columns_y * d.column[1], cells[1]);
  d.brick[2] = std::min(layers, cells[2]);
  for (int a = 0; a < 3; ++a) d.bricks[a] = (cells[a] - 1) / d.brick[a] + 1;
  d.columns_x = (d.brick[0] - 1) / d.column[0] + 1;
  const int up = (d.brick[1] - 1) / d.column[1] + 1;
  d.columns = d.columns_x * up;
  d.rows = (up - 1) * d.column[1] + 4 * shape.KY;
  d.planes = d.brick[2] + width[2] - 1;
  d.per_layer = 65535u / static_cast<unsigned>(d.column[1]) + 1;
  return d;
}

/// Of a particle, in products of four points along x, 16 cycles of a quarter of a multiprocessor each. docs/gpu.md has these
/// counts beside what a prototype took.
double cost_of(const Instance& shape, const Division& d, const int (&width)[3], double density, int fields) {
  const double of_column = density * d.column[0] * d.column[1], particles = of_column * d.brick[2],
               planes = std::min(width[2] + (together - 1) / of_column, double(d.planes)),
               groups = std::min(1 + 0.5 * (together - 1) / particles, double(together)) / together; // the last ones of columns are not full
  const double factors = 1 + 0.4 * shape.KX, to_begin = 20 + 1.3 * width[2]; // of a plane; of a group, with its weights
  const double points = double(d.brick[0] + width[0] - 1) * (d.brick[1] + width[1] - 1) * d.planes /
                        (density * d.brick[0] * d.brick[1] * d.brick[2]);
  return groups * (planes * (shape.KX * shape.tiles * shape.sets + factors) + to_begin) + 0.083 * points * fields;
}

} // namespace

Choice choose(const int (&cells)[3], const int (&width)[3], const int (&buffer)[2], double density, int fields) {
  Choice best;
  for (const Instance& shape : instances) {
    if (4 * shape.KX < width[0] || 4 * shape.KY < width[1]) continue;
    const int served = std::min(shape.F, fields);
    for (int columns_y = 1; columns_y <= 8; ++columns_y)
      for (const int layers : {1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24}) {
        const Division division = divide(shape, cells, width, columns_y, layers);
        if (shape.layout(division, buffer).bytes > shape.most_bytes) break;
        const double cost = cost_of(shape, division, width, density, served) / served;
        if (best.instance == nullptr || cost < best.cost) best = {&shape, division, cost};
      }
  }
  return best;
}

} // namespace corral::gpu::gather
