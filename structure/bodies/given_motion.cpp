#include "structure/bodies/given_motion.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

bool finite(const Vector& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

Vector along(const Vector& axis, double size, const char* whose) {
  if (size == 0) return {};
  if (!finite(axis) || !(length(axis) > 0) || !std::isfinite(size))
    throw Error(std::string(whose) + " about or along an axis of length " + run::brief(length(axis)) +
                " (it points somewhere, and numbers are finite)");
  return size * direction(axis);
}

void require_path(const std::vector<ImmersedGroup::PathPoint>& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!std::isfinite(path[i].time) || !finite(path[i].shift))
      throw Error("point " + std::to_string(i) + " of a body's path is not finite");
    if (i > 0 && !(path[i].time > path[i - 1].time))
      throw Error("a body's path goes back from " + run::brief(path[i - 1].time) + " s to " + run::brief(path[i].time) +
                  " s (its times ascend)");
  }
}

/// Derivative of the parabola through three points, at one of them; of the line through two where there are no more.
std::vector<Vector> slopes_of(const std::vector<ImmersedGroup::PathPoint>& path) {
  const std::size_t n = path.size();
  const auto chord = [&](std::size_t i) {
    return (1 / (path[i + 1].time - path[i].time)) * (Vector(path[i + 1].shift) - Vector(path[i].shift));
  };
  if (n == 2) return {chord(0), chord(0)};
  std::vector<Vector> slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, n - 2);
    const double before = path[middle].time - path[middle - 1].time, after = path[middle + 1].time - path[middle].time;
    const Vector low = chord(middle - 1), high = chord(middle), bend = (1 / (before + after)) * (high - low);
    slopes[i] = low + (before + 2 * (path[i].time - path[middle].time)) * bend;
  }
  return slopes;
}

} // namespace

GivenPath::GivenPath(const GivenMotion& motion)
    : velocity_(motion.velocity), rotation_(along(motion.rotation_axis, motion.rotation_rate, "a rotation")),
      amplitude_(along(motion.oscillation.axis, motion.oscillation.amplitude, "an oscillation")),
      angular_frequency_(2 * std::numbers::pi * motion.oscillation.frequency), phase_(motion.oscillation.phase) {
  if (!finite(velocity_) || !std::isfinite(angular_frequency_) || !std::isfinite(phase_))
    throw Error("a given motion with a number that is not finite");
  const std::vector<ImmersedGroup::PathPoint>& path = motion.path;
  require_path(path);
  if (path.empty()) return;
  first_ = path.front().shift, last_ = path.back().shift;
  if (path.size() == 1) return;
  const std::vector<Vector> slopes = slopes_of(path);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) { // Hermite's
    const double wide = path[i + 1].time - path[i].time;
    const Vector from = path[i].shift, by = Vector(path[i + 1].shift) - from, a = wide * slopes[i], b = wide * slopes[i + 1];
    pieces_.push_back({path[i].time, wide, {from, a, 3.0 * by - 2.0 * a - b, a + b - 2.0 * by}});
  }
}

const GivenPath::Piece* GivenPath::piece_at(double time) const {
  if (pieces_.empty() || time < pieces_.front().begin || time >= pieces_.back().begin + pieces_.back().length) return nullptr;
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), time, [](double t, const Piece& p) { return t < p.begin; });
  return &*(after - 1);
}

Vector GivenPath::shift(double time) const {
  const Vector formula = time * velocity_ + std::sin(angular_frequency_ * time + phase_) * amplitude_;
  if (const Piece* piece = piece_at(time)) {
    const double t = (time - piece->begin) / piece->length;
    const auto& c = piece->coefficients;
    return formula + c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  }
  return formula + (pieces_.empty() || time < pieces_.front().begin ? first_ : last_);
}

Vector GivenPath::velocity(double time) const {
  const Vector formula = velocity_ + (angular_frequency_ * std::cos(angular_frequency_ * time + phase_)) * amplitude_;
  const Piece* piece = piece_at(time);
  if (!piece) return formula;
  const double t = (time - piece->begin) / piece->length;
  const auto& c = piece->coefficients;
  return formula + (1 / piece->length) * (c[1] + t * (2.0 * c[2] + (3 * t) * c[3]));
}

Vector GivenPath::mean_velocity(double from, double to) const {
  return from == to ? velocity(from) : (1 / (to - from)) * (shift(to) - shift(from));
}

void GivenPath::set(const Placement& start, double time, RigidState& state) const {
  state.position = start.position + shift(time);
  state.orientation = product(turn_by(time * rotation_), quaternion_of(start.rotation));
  state.velocity = velocity(time);
  state.angular_velocity = rotation_;
}

double GivenPath::fastest() const {
  double on_path = 0;
  for (const Piece& piece : pieces_) { // a cubic's speed is no more than that of its Bezier points
    const auto& c = piece.coefficients;
    for (const Vector& v : {c[1], c[1] + c[2], c[1] + 2.0 * c[2] + 3.0 * c[3]})
      on_path = std::max(on_path, length(v) / piece.length);
  }
  return length(velocity_) + std::abs(angular_frequency_) * length(amplitude_) + on_path;
}

} // namespace corral::structure
