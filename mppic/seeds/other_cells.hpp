#pragma once

#include "fluid/faces.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// Takes vector fields on faces from the cells of one grid to those of another, by volume: along its normal a component is
/// linear between faces, and across it has the mean over the part of the face that the other box covers. So a field
/// without divergence has none on the other cells, where these lie within the box.
class OtherCells {
public:
  OtherCells(const Grid& from, const Grid& to);

  /// At least half of that face of the grid `to` lies in the box of `from`.
  bool covers(int d, const fluid::Face& face) const;
  /// Component d there, of values on the faces of `from`; only where it is covered.
  double operator()(int d, const fluid::Face& face, const Array<double>& values) const;

private:
  struct Share {
    std::int64_t at;
    double weight;
  };
  /// What one place along an axis takes; nothing where it is not covered.
  using Shares = std::vector<Share>;

  static std::vector<Shares> along(const Axis& from, const Axis& to);
  static std::vector<Shares> across(const Axis& from, const Axis& to);

  std::array<std::array<std::int64_t, 3>, 3> points_; ///< of the faces of each direction in `from`
  std::array<std::vector<Shares>, 3> along_, across_;
};

} // namespace corral::mppic
