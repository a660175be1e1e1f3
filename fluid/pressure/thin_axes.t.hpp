#pragma once

#include "fluid/pressure/pressure.hpp"
#include "fluid/pressure/pressure_components.hpp"

namespace corral::fluid {

template <Execution E> FaceCoefficients ThinAxes::permuted(E where, const FaceCoefficients& given) {
  FaceCoefficients moved = given;
  for (int t = 0; t < removed_; ++t) {
    const double* faces = moved.b[0];
    moved.b = {moved.b[1], moved.b[2], zeros_.data()};
    // A cell that is its own neighbour across a periodic axis exchanges nothing with it.
    if (!removed_periodic_[t]) add_faces(where, faces, moved);
  }
  return moved;
}

} // namespace corral::fluid
