#pragma once

/// What a grid's coefficients come from and what its values become, cell by cell, for either processor.

#include <corral/vector_loops.hpp>

#include <cstdint>

namespace corral::fluid::multigrid {

/// Conductance between the centres of two coarse cells along one line of fine cells, and how much of the other
/// coarse cell's value the fine cells beside the interface take.
struct Joint {
  float conductance, weight_low, weight_high;
};

/// Half the resistance of a coarse cell's inner face. An inner face that is closed parts the cell in two: the fine
/// cell at the interface then speaks for the coarse one, which also keeps connected what is connected.
CORRAL_INLINED float half_resistance(float inner) { return inner > 0 ? 0.5f / inner : 0.0f; }

/// `face` lies between two coarse cells, whose own inner faces are `low` and `high` (0: none).
CORRAL_INLINED Joint join(float face, float low, float high) {
  const float r_low = half_resistance(low), r_high = half_resistance(high);
  const float conductance = face / (1.0f + face * (r_low + r_high));
  return {conductance, r_low * conductance, r_high * conductance};
}

/// The fine faces and cells around coarse face J of an axis that is coarsened. What does not exist is a ghost, which
/// holds zeros; each cell is named by one interface only, so that interfaces can be worked on at once.
struct Interface {
  std::int64_t face;
  std::int64_t low_cell, high_cell;
  std::int64_t low_inner, high_inner; ///< inner faces of the coarse cells below and above; -1: none
};

/// n fine cells and m coarse ones.
CORRAL_INLINED Interface interface_at(std::int64_t n, std::int64_t m, bool periodic, std::int64_t J) {
  const auto inner = [n, m, periodic](std::int64_t cell) __attribute__((always_inline)) -> std::int64_t {
    if (periodic) cell = cell < 0 ? cell + m : cell < m ? cell : cell - m;
    return cell >= 0 && cell < m && 2 * cell + 1 < n ? 2 * cell + 1 : -1;
  };
  const std::int64_t at = 2 * J < n ? 2 * J : n, low_inner = inner(J - 1);
  return {at, low_inner >= 0 ? low_inner : J == 0 ? -1 : n, at, low_inner, inner(J)};
}

/// The six b_f and the diagonal: lower and upper x, y, z.
CORRAL_INLINED float inverse_of(float x_low, float x_high, float y_low, float y_high, float z_low, float z_high,
                                float reaction) {
  const float sum = ((x_low + x_high) + (y_low + y_high)) + ((z_low + z_high) + reaction);
  return sum > 0 ? 1.0f / sum : 1.0f;
}

/// b + sum over the faces of b_f x_neighbour, of which `pulls` are the products.
CORRAL_INLINED float add_pulls(float b, float x_low, float x_high, float y_low, float y_high, float z_low,
                               float z_high) {
  return ((b + x_low) + (x_high + y_low)) + ((y_high + z_low) + z_high);
}

// Interpolation is the product of one interpolation per axis: a fine cell takes `weight` of the coarse cell beyond
// its outer face and the rest of its own coarse cell. Restriction is the transpose.

CORRAL_INLINED std::int64_t parent(std::int64_t factor, std::int64_t i) { return i / factor; }

/// The even fine cell of a pair lies below. Where the axis is not coarsened, weights are 0 and any ghost will do.
CORRAL_INLINED std::int64_t beyond(std::int64_t factor, std::int64_t i) {
  return parent(factor, i) + (factor == 2 && i % 2 == 1 ? 1 : -1);
}

CORRAL_INLINED float between(float own, float over, float weight) { return own + weight * (over - own); }

} // namespace corral::fluid::multigrid
