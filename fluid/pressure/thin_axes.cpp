#include "fluid/pressure/thin_axes.hpp"

#include "fluid/pressure/pressure.hpp"

#include <corral/for_each.hpp>

namespace corral::fluid {

ThinAxes::ThinAxes(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic)
    : cells_(cells), periodic_(periodic) {
  while (cells_[0] == 1 && (cells_[1] > 1 || cells_[2] > 1)) {
    removed_periodic_[static_cast<std::size_t>(removed_++)] = periodic_[0];
    cells_ = {cells_[1], cells_[2], 1};
    periodic_ = {periodic_[1], periodic_[2], false};
  }
  const std::int64_t count = cells_[0] * cells_[1] * cells_[2];
  if (removed_ > 0) zeros_.resize(2 * count, 0.0); // the faces of an axis of one cell between walls
}

FaceCoefficients ThinAxes::permuted(Cpu cpu, const FaceCoefficients& given) {
  FaceCoefficients moved = given;
  for (int t = 0; t < removed_; ++t) {
    const double* faces = moved.b[0];
    moved.b = {moved.b[1], moved.b[2], zeros_.data()};
    // A cell that is its own neighbour across a periodic axis exchanges nothing with it.
    if (!removed_periodic_[static_cast<std::size_t>(t)]) add_faces(cpu, faces, moved);
  }
  return moved;
}

void ThinAxes::add_faces(Cpu cpu, const double* faces, FaceCoefficients& moved) {
  const std::int64_t count = cells_[0] * cells_[1] * cells_[2];
  // Whatever is not 0 counts, so that the solver's own checks still see what is wrong with it.
  const double open = sum(cpu, 2 * count, [faces](std::int64_t f) { return faces[f] == 0 ? 0.0 : 1.0; });
  if (open == 0) return;
  const double* before = moved.diagonal;
  diagonal_.resize(count);
  for_each(cpu, count, [&](std::int64_t c) {
    diagonal_[c] = (before ? before[c] : 0.0) + (faces[2 * c] + faces[2 * c + 1]);
  });
  moved.diagonal = diagonal_.data();
}

} // namespace corral::fluid
