#pragma once

#include "engine/gpu/methods/gather/shape.cuh"
#include "engine/gpu/order/order.cuh"

#include <corral/kernel_weights.hpp>
#include <corral/views.hpp>

#include <cstdint>

/// What the entries of the method bricks are handed.
namespace corral::gpu::gather {

inline constexpr int most_fields = 12; ///< of a pass

/// A field that is read, and where the results go. Points beyond it are in a padded field.
struct Source {
  const double* field; ///< its point (0, 0, 0)
  std::int64_t stride[3];
  const double* beyond;
  Column<double> column;
};

/// The points of a pass, whose fields have the same staggering. Padded point p along an axis is the field's point first + p.
struct Points {
  int first[3], of_field[3];
  std::int64_t stride[3]; ///< of padded fields
};

inline constexpr int thin_formula = 2; ///< behind those of the kernels: that of a thin axis, whose one weight is 1

/// Stencils of all particles along one axis.
struct StencilsOfAxis {
  int width;             ///< points that the stencils of a cell reach
  int points;            ///< of a particle's own stencil
  bool straddled;        ///< the own one begins one point later from fraction 1/2 on
  const double* weights; ///< [point][place]; null: they follow from a formula
  int formula, terms;    ///< which one, and how many coefficients of even powers it has
  bool rooted;           ///< whether it has a root
};

/// How cells are shared among blocks and, within a brick, among columns. The last bricks and columns are cut.
struct Division {
  int brick[3];    ///< cells of a brick
  int bricks[3];   ///< along each axis
  int column[2];   ///< cells of a column along x and y; it has all layers of its brick
  int columns_x, columns; ///< of a brick
  int rows, planes;       ///< of points in shared memory
  unsigned per_layer;     ///< 2^16 / column[1], rounded up: dividing is dear

  CORRAL_HOST_DEVICE int runs() const { return column[1] * brick[2]; } ///< rows of cells of a column: below 1024
  /// The layer of a run.
  CORRAL_HOST_DEVICE int layer(int run) const { return static_cast<int>(static_cast<unsigned>(run) * per_layer >> 16); }
};

/// Of the groups of a brick those from groups * number / of on, up to groups * (number + 1) / of.
struct Part {
  std::uint32_t brick, number, of;
};

/// What blocks do: a part each, in no particular order. Bricks without a particle have none.
struct Parts {
  std::uint32_t* count;
  Part* part;
  unsigned most;           ///< that there can be
  std::uint32_t particles; ///< a part takes about so many at most
};

/// One pass: all particles, some fields.
struct Job {
  Places<double> places;
  StencilsOfAxis axis[3];
  bool alike; ///< all axes have as many points, and weights from the same formula
  Points points;
  Division division;
  Parts parts;
  int fields;
  unsigned paired; ///< bit s: fields 2 s and 2 s + 1 alternate in memory, in words of 16 bytes
  kernels::WeightFormula formula[2]; ///< across and along, as DeviceKernelWeights has them
  int buffer[2];   ///< points of the buffers of weights: of x and z, of y
  Source source[most_fields];
};

static_assert(sizeof(Job) <= 4096, "what any entry may be handed");

/// A block's brick: its first cell, and its cells along each axis.
struct Brick {
  int origin[3], cells[3];

  __device__ Brick(const Job& job, std::uint32_t number) {
    const Division& division = job.division;
    const auto nx = static_cast<std::uint32_t>(division.bricks[0]), ny = static_cast<std::uint32_t>(division.bricks[1]);
    const std::uint32_t along[3] = {number % nx, number / nx % ny, number / nx / ny};
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      origin[d] = static_cast<int>(along[d]) * division.brick[d];
      const int left = static_cast<int>(job.places.per_axis[d]) - origin[d];
      cells[d] = left < division.brick[d] ? left : division.brick[d];
    }
  }
  /// The number of the brick's cell (x, y, z).
  __device__ std::uint32_t cell(const Job& job, int x, int y, int z) const {
    return (static_cast<std::uint32_t>(origin[2] + z) * job.places.per_axis[1] + static_cast<std::uint32_t>(origin[1] + y)) *
               job.places.per_axis[0] +
           static_cast<std::uint32_t>(origin[0] + x);
  }
};

} // namespace corral::gpu::gather
