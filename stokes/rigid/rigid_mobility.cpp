#include "stokes/rigid/rigid_mobility.hpp"

#include "stokes/sums/long_vectors.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace corral::stokes {
namespace {

using geometry::Vector;

Six turned(const geometry::Rotation& by, const Six& s) {
  const Vector a = by({s[0], s[1], s[2]}), b = by({s[3], s[4], s[5]});
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}
void turn_all(const geometry::Rotation& by, std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const Vector v = by({x[i], x[i + 1], x[i + 2]});
    std::copy(v.begin(), v.end(), x.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

} // namespace

RigidMobility::RigidMobility(Mobility& mobility, std::vector<RigidShape> shapes, double error)
    : mobility_(mobility), shapes_(std::move(shapes)), error_(error) {
  if (!(error >= 1e-12 && error <= 0.1))
    throw Error("motions of rigid bodies to an error of " + std::to_string(error) + " (1e-12 to .1)");
}

std::int64_t RigidMobility::bytes() const {
  std::int64_t all = 0;
  for (const Array<double>* a : {&beads_, &bead_forces_, &residual_, &projected_, &direction_, &product_})
    all += a->bytes();
  for (const RigidShape& s : shapes_) all += 9 * 8 * s.size() * s.size();
  return all;
}

template <class F>
void RigidMobility::in_frames(Cpu cpu, std::span<const RigidPlace> places, Array<double>& x, const F& f) const {
  for_each_chunk(cpu, static_cast<std::int64_t>(places.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const auto i = static_cast<std::size_t>(b);
      const RigidShape& shape = shapes_[places[i].shape];
      const std::span<double> of_body(x.data() + 3 * first_[i], static_cast<std::size_t>(3 * shape.size()));
      turn_all(places[i].turned.inverse(), of_body);
      f(i, shape, of_body);
      turn_all(places[i].turned, of_body);
    }
  });
}

void RigidMobility::place(Cpu cpu, std::span<const RigidPlace> places) {
  first_.clear();
  std::int64_t n = 0;
  for (const RigidPlace& p : places) {
    if (p.shape >= shapes_.size())
      throw Error("a body of shape " + std::to_string(p.shape) + " (there are " + std::to_string(shapes_.size()) + ")");
    first_.push_back(n);
    n += shapes_[p.shape].size();
  }
  beads_.resize(3 * n);
  in_frames(cpu, places, beads_, [](std::size_t, const RigidShape& shape, std::span<double> x) {
    for (std::size_t b = 0; b < shape.beads().size(); ++b)
      std::ranges::copy(shape.beads()[b], x.begin() + static_cast<std::ptrdiff_t>(3 * b));
  });
  for_each(cpu, static_cast<std::int64_t>(places.size()), [&](std::int64_t b) {
    const auto i = static_cast<std::size_t>(b);
    const std::int64_t end = first_[i] + shapes_[places[i].shape].size();
    for (std::int64_t k = 3 * first_[i]; k < 3 * end; ++k)
      beads_[k] += places[i].centre[static_cast<std::size_t>(k % 3)];
  });
  if (bead_forces_.size() != 3 * n) {
    bead_forces_.resize(3 * n);
    bead_forces_.fill(0.0);
  }
  for (Array<double>* a : {&residual_, &projected_, &direction_, &product_}) a->resize(3 * n);
}

void RigidMobility::apply(Cpu cpu, const Array<double>& forces, Array<double>& velocities) {
  const std::int64_t n = forces.size() / 3;
  std::array<Column<const double>, 3> f;
  std::array<Column<double>, 3> u;
  for (std::size_t d = 0; d < 3; ++d) {
    f[d] = {forces.data() + d, n, 3};
    u[d] = {velocities.data() + d, n, 3};
  }
  mobility_(cpu, positions(std::as_const(beads_).data(), n), f, u);
}

void RigidMobility::operator()(Cpu cpu, std::span<const RigidPlace> places, std::span<const Six> loads,
                               std::span<Six> motions) {
  if (loads.size() != places.size() || motions.size() != places.size())
    throw Error(std::to_string(loads.size()) + " loads and " + std::to_string(motions.size()) + " motions of " +
                std::to_string(places.size()) + " rigid bodies (one each)");
  iterations_ = 0;
  if (places.empty()) return;
  place(cpu, places);
  const double factor = 8 * std::numbers::pi * mobility_.viscosity(); // of forces, where velocities have no factor
  // Of the forces that would give a body alone these velocities, those that add up to nothing: what a motion of it
  // takes is let go.
  const auto project = [factor](std::size_t, const RigidShape& shape, std::span<double> x) {
    shape.solve(x);
    shape.add_reaction(shape.motion(shape.load(x)), -1, x);
    for (double& v : x) v *= factor;
  };
  // Forces to begin with: the last ones, and beside them what a motion gives that mends their sums.
  in_frames(cpu, places, bead_forces_, [&](std::size_t b, const RigidShape& shape, std::span<double> x) {
    const Six wanted = turned(places[b].turned.inverse(), loads[b]), have = shape.load(x);
    Six lack;
    for (std::size_t k = 0; k < 6; ++k) lack[k] = wanted[k] - have[k];
    shape.add_reaction(shape.motion(lack), 1, x);
  });
  // The residual: velocities of the beads less their slip, which at the end are those of rigid motions.
  apply(cpu, bead_forces_, residual_);
  double scale = std::abs(dot(cpu, bead_forces_, residual_));
  product_.fill(0.0);
  in_frames(cpu, places, product_, [](std::size_t, const RigidShape& shape, std::span<double> x) {
    for (std::size_t b = 0; b < shape.slip().size(); ++b)
      std::ranges::copy(shape.slip()[b], x.begin() + static_cast<std::ptrdiff_t>(3 * b));
  });
  combine(cpu, 1, residual_, -1, product_);
  combine(cpu, 0, direction_, 1, product_);
  in_frames(cpu, places, direction_, project);
  scale += std::abs(dot(cpu, direction_, product_));
  const auto projected = [&] {
    combine(cpu, 0, projected_, 1, residual_);
    in_frames(cpu, places, projected_, project);
    return dot(cpu, projected_, residual_);
  };
  double square = projected(), before = 0;
  for (; square > error_ * error_ * scale; ++iterations_) {
    if (iterations_ == most_iterations)
      throw Error("motions of rigid bodies did not come to an error of " + std::to_string(error_) + " in " +
                  std::to_string(most_iterations) +
                  " iterations (the tolerance of their mobility may be too large for that)");
    combine(cpu, before > 0 ? square / before : 0, direction_, -1, projected_);
    apply(cpu, direction_, product_);
    const double length = square / dot(cpu, direction_, product_);
    combine(cpu, 1, bead_forces_, length, direction_);
    combine(cpu, 1, residual_, length, product_);
    before = square;
    square = projected();
  }
  in_frames(cpu, places, residual_, [&](std::size_t b, const RigidShape& shape, std::span<double> x) {
    shape.solve(x);
    motions[b] = turned(places[b].turned, shape.motion(shape.load(x)));
  });
}

} // namespace corral::stokes
