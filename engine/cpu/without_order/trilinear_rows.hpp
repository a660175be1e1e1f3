#pragma once

#include <cstdint>

namespace corral::cpu {

/// Up to four fields side by side: field f at point p is values[p * width + f]. What trilinear stencils reach of them
/// are four rows of two points, each in one register.
template <class T> struct PointRows {
  T* values;
  int width;                 ///< 2 or 4, with fields of zeros where there are less
  std::int64_t pitch, plane; ///< from a point to the next along y and z [points]
};

/// A few particles among the points, and one value per field of each.
template <class T> struct TrilinearBatch {
  static constexpr int capacity = 256;
  static constexpr int value_width = 4;

  alignas(64) std::uint32_t point[capacity]; ///< the lowest of a stencil; what is no point: the particle is skipped
  alignas(64) T u[3][capacity];              ///< fraction of a cell from it on, in [0, 1]
  alignas(64) T value[capacity * value_width]; ///< [particle][4]; of width 2 the first two twice
};

/// The particles of a batch that a call maps, in ascending order.
struct ChosenParticles {
  int particle[TrilinearBatch<double>::capacity];
  int count = 0;
};

/// Points [begin, end), whole planes.
struct PointRange {
  std::int64_t begin, end;
};

/// Sets the values of the chosen particles to those of the fields.
template <class T> void read_rows(const PointRows<T>& rows, TrilinearBatch<T>& batch, const ChosenParticles& chosen);

/// Adds the values of the chosen particles to the fields, in their order, on the planes of the range.
template <class T>
void add_rows(const PointRows<T>& rows, const TrilinearBatch<T>& batch, const ChosenParticles& chosen,
              const PointRange& range);

} // namespace corral::cpu
