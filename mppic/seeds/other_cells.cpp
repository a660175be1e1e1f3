#include "mppic/seeds/other_cells.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {

OtherCells::OtherCells(const Grid& from, const Grid& to) {
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    along_[axis] = along(from.axis(d), to.axis(d));
    across_[axis] = across(from.axis(d), to.axis(d));
    for (int e = 0; e < 3; ++e) points_[axis][static_cast<std::size_t>(e)] = from.points(face(d), e);
  }
}

/// Faces between faces.
std::vector<OtherCells::Shares> OtherCells::along(const Axis& from, const Axis& to) {
  const std::int64_t faces = to.cells + (to.periodic() ? 0 : 1);
  std::vector<Shares> shares(static_cast<std::size_t>(faces));
  constexpr double hair = 1e-9; // of a cell, by which rounding may put a side beyond the other
  for (std::int64_t i = 0; i < faces; ++i) {
    const double x = (to.origin + static_cast<double>(i) * to.spacing - from.origin) / from.spacing;
    const auto cells = static_cast<double>(from.cells);
    if (x < -hair || x > cells + hair) continue;
    const auto below = static_cast<std::int64_t>(std::clamp(std::floor(x), 0.0, cells - 1));
    const double above = std::clamp(x - static_cast<double>(below), 0.0, 1.0);
    const std::int64_t next = from.periodic() ? (below + 1) % from.cells : below + 1;
    shares[static_cast<std::size_t>(i)] = {{below, 1 - above}, {next, above}};
  }
  return shares;
}

/// Cells over cells.
std::vector<OtherCells::Shares> OtherCells::across(const Axis& from, const Axis& to) {
  std::vector<Shares> shares(static_cast<std::size_t>(to.cells));
  for (std::int64_t i = 0; i < to.cells; ++i) {
    const double low = (to.origin + static_cast<double>(i) * to.spacing - from.origin) / from.spacing;
    const double high = low + to.spacing / from.spacing;
    Shares& of = shares[static_cast<std::size_t>(i)];
    double covered = 0;
    const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor(low)));
    for (std::int64_t c = first; c < from.cells && static_cast<double>(c) < high; ++c) {
      const double part = std::min(high, static_cast<double>(c + 1)) - std::max(low, static_cast<double>(c));
      if (part > 0) of.push_back({c, part}), covered += part;
    }
    if (covered < 0.5 * (high - low)) of.clear();
    for (Share& s : of) s.weight /= covered;
  }
  return shares;
}

bool OtherCells::covers(int d, const fluid::Face& face) const {
  for (std::size_t e = 0; e < 3; ++e) {
    const std::vector<Shares>& shares = static_cast<int>(e) == d ? along_[e] : across_[e];
    if (shares[static_cast<std::size_t>(face.place[e])].empty()) return false;
  }
  return true;
}

double OtherCells::operator()(int d, const fluid::Face& face, const Array<double>& values) const {
  const auto shares = [&](std::size_t e) -> const Shares& {
    return (static_cast<int>(e) == d ? along_[e] : across_[e])[static_cast<std::size_t>(face.place[e])];
  };
  const auto& n = points_[static_cast<std::size_t>(d)];
  double sum = 0;
  for (const Share& z : shares(2))
    for (const Share& y : shares(1))
      for (const Share& x : shares(0)) sum += z.weight * y.weight * x.weight * values[(z.at * n[1] + y.at) * n[0] + x.at];
  return sum;
}

} // namespace corral::mppic
