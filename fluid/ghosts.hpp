#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace corral::fluid {

/// What stands around a rank's part of fields on faces and in cells: copies of what others have. Where one process has all there is
/// none. Calls are collective.
class Ghosts {
public:
  explicit Ghosts(const Domain& domain) {
    if (!domain.shared()) return;
    for (int d = 0; d < 3; ++d) faces_[static_cast<std::size_t>(d)] = domain.shared()->fields(face(d));
    cells_ = domain.shared()->fields(Staggering::centre);
  }

  void fill(const FacePointers& field) const {
    for (std::size_t d = 0; d < 3; ++d) fill(faces_[d].get(), field[d]);
  }
  void fill_cells(double* field) const { fill(cells_.get(), field); }

private:
  static void fill(const distributed::SharedFields* fields, double* field) {
    if (fields) fields->fill(std::span<double* const>(&field, 1));
  }

  std::array<std::unique_ptr<distributed::SharedFields>, 3> faces_;
  std::unique_ptr<distributed::SharedFields> cells_;
};

} // namespace corral::fluid
