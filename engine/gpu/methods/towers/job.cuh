#pragma once

#include "engine/gpu/methods/towers/shape.cuh"

#include <corral/device_code.cuh>
#include <corral/host_device.hpp>

#include <cstdint>

/// What the entries of the method towers are handed.
namespace corral::gpu::towers {

/// A field that is added to.
struct Target {
  void* field;   ///< its point (0, 0, 0)
  int stride[3]; ///< [values]; 64 bits would take registers that sums need
  void* beyond;  ///< padded field, of which points beyond the field are set
};

/// The points of the fields of a pass, which all have the same staggering. Padded point p along an axis is the field's
/// point first + p.
struct Points {
  int first[3], padded[3], of_field[3];
  unsigned stride[3]; ///< of padded fields
  int fields;
  bool single; ///< values are floats
  Target target[most_fields];

  __device__ bool beyond(int x, int y, int z) const {
    return unsigned(first[0] + x) >= unsigned(of_field[0]) || unsigned(first[1] + y) >= unsigned(of_field[1]) ||
           unsigned(first[2] + z) >= unsigned(of_field[2]);
  }
  __device__ std::int64_t place_in_field(int f, int x, int y, int z) const {
    const Target& t = target[f];
    return std::int64_t{first[0] + x} * t.stride[0] + std::int64_t{first[1] + y} * t.stride[1] +
           std::int64_t{first[2] + z} * t.stride[2];
  }
  __device__ std::int64_t place_beyond(int x, int y, int z) const {
    return x + unsigned(y) * stride[1] + unsigned(z) * stride[2];
  }
  /// Adds to a point of a field, or sets one beyond it.
  __device__ void put(int f, int x, int y, int z, double value) const {
    if (single)
      put_as<float>(f, x, y, z, value);
    else
      put_as<double>(f, x, y, z, value);
  }
  /// Adds to it, also where it lies beyond.
  __device__ void add(int f, int x, int y, int z, double value) const {
    if (single)
      add_as<float>(f, x, y, z, value);
    else
      add_as<double>(f, x, y, z, value);
  }

private:
  template <class T> __device__ void put_as(int f, int x, int y, int z, double value) const {
    if (beyond(x, y, z))
      static_cast<T*>(target[f].beyond)[place_beyond(x, y, z)] = static_cast<T>(value);
    else if (value != 0) // an addition that waits for nothing, where a load would
      atomicAdd(static_cast<T*>(target[f].field) + place_in_field(f, x, y, z), static_cast<T>(value));
  }
  template <class T> __device__ void add_as(int f, int x, int y, int z, double value) const {
    T* const to = beyond(x, y, z) ? static_cast<T*>(target[f].beyond) + place_beyond(x, y, z)
                                  : static_cast<T*>(target[f].field) + place_in_field(f, x, y, z);
    *to += static_cast<T>(value);
  }
};

/// Cells along each axis, and the points that the stencils of one reach.
struct Cells {
  const std::uint32_t* begin; ///< first record of each cell, and the end
  int count[3];
  int width[3];
};

/// One part of a brick that holds too many particles for the towers above it: of each of its rows of cells the
/// particles from length number / of on, up to length (number + 1) / of.
struct PartOfBrick {
  std::uint32_t brick, number, of;
};

/// Bricks of 8^3 cells that are crowded. Towers pass over them; their parts are spread one by one, each into memory of
/// its own, and those sums are added to the fields in the order of bricks and parts. How bricks are cut depends on
/// where particles lie and on the width of stencils alone.
struct Crowds {
  std::uint32_t* count = nullptr; ///< of parts; null: nothing can be crowded
  PartOfBrick* part = nullptr;
  std::uint32_t* first = nullptr; ///< of each brick, its first part and 1; 0: it is not crowded
  double* sums = nullptr;         ///< [part][field][point]
  unsigned most = 0;              ///< parts that there can be
  std::uint32_t particles = 0;    ///< of a part, about
  int bricks[3] = {};

  /// Points of a brick along an axis, with those that its stencils reach.
  CORRAL_HOST_DEVICE static int points(int width) { return brick_edge + width - 1; }
  /// Of a part's sums, those of a point, counted from the brick's first; null where the brick does not reach it.
  __device__ double* point(std::int64_t number, int f, int fields, const int (&width)[3], int x, int y, int z) const {
    const int nx = points(width[0]), ny = points(width[1]), nz = points(width[2]);
    if (x >= nx || y >= ny || z >= nz) return nullptr;
    return sums + (((number * fields + f) * nz + z) * ny + y) * nx + x;
  }
};

/// One pass: all particles, some fields.
struct Job {
  const double* record; ///< of place i, Shape::record doubles
  Cells cells;
  Points points;
  Crowds crowds;
  int towers[2];                      ///< along x and y
  const std::uint64_t* visits_before; ///< [tower][pair of planes], and all of them: what it costs to walk there
  int once;                           ///< 1, which the compiler is not to know
};

} // namespace corral::gpu::towers
