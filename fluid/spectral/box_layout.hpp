#pragma once

#include "fluid/domain.hpp"
#include "fluid/spectral/spectrum_shape.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid::spectral {

/// How a box is seen by transforms: rows run along x; planes are those that transforms do whole. Where the box wraps,
/// planes stand along z and columns are transformed, too; between walls planes stand along y and columns are solved.
struct BoxLayout {
  /// Throws Error for a domain that Fourier solves don't serve.
  explicit BoxLayout(const Domain&);

  Grid grid;
  bool walled;
  SpectrumShape shape;

  int row_axis() const { return walled ? 2 : 1; }
  int plane_axis() const { return walled ? 1 : 2; }
  double spacing(int d) const { return grid.axis(d).spacing; }
  /// Modes of the whole transform, which multiplies by them.
  double transform_factor() const;
  /// The first plane on which component d is not given: faces on the low wall are.
  std::int64_t first_plane(int d) const { return walled && d == 1 ? 1 : 0; }
  std::int64_t j(std::int64_t plane, std::int64_t row) const { return walled ? plane : row; }
  std::int64_t k(std::int64_t plane, std::int64_t row) const { return walled ? row : plane; }
  /// Where the row of component d at (j, k) begins, and that of cells, which lie as component 0 does.
  std::int64_t begin(int d, std::int64_t j, std::int64_t k) const {
    return grid.axis(0).cells * (j + grid.points(face(d), 1) * k);
  }
  /// Calls f(where the row begins) for rows of component d that stand on walls.
  template <class F> void each_row_on_walls(int d, F f) const {
    if (!walled || d != 1) return;
    for (std::int64_t k = 0; k < grid.axis(2).cells; ++k)
      for (const std::int64_t j : {std::int64_t{0}, grid.axis(1).cells}) f(begin(d, j, k));
  }
};

} // namespace corral::fluid::spectral
