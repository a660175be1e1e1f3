#pragma once

#include "fluid/domain.hpp"
#include "fluid/spectral/spectrum_shape.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// How a box is seen by transforms: rows run along x; planes are those that transforms do whole. Where the box wraps,
/// planes stand along z and columns are transformed, too; between walls planes stand along y and columns are solved.
struct FlowLayout {
  /// Throws Error for a domain that IncompressibleFlow doesn't serve.
  explicit FlowLayout(const Domain&);

  Grid grid;
  bool walled;
  spectral::SpectrumShape shape;

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
};

} // namespace corral::fluid
