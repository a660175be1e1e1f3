#include "beads/setup/setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace corral::beads {

using namespace geometry; // the vectors' operators

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The product of a step and a rate of decay up to which a scheme is stable.
double stable_product(Scheme scheme) { return scheme == Scheme::ab2 ? 1 : 2; }

/// 0 where what groups have cancels but for round-off.
template <class Of> Vector mean_over_beads(const BeadsSetup& setup, Of of) {
  Vector sum{};
  double sizes = 0;
  for (std::size_t g = 0; g < setup.places.size(); ++g) {
    const Vector all = static_cast<double>(setup.groups[g].beads() * std::ssize(setup.places[g])) * of(setup.groups[g]);
    sum = sum + all;
    sizes += length(all);
  }
  if (length(sum) <= 1e-12 * sizes) return {};
  return (1 / std::max(1.0, static_cast<double>(setup.beads()))) * sum;
}

std::int64_t beads_of_shells(const BeadsSetup& setup) {
  std::int64_t n = 0;
  for (std::size_t g = 0; g < setup.places.size(); ++g)
    if (setup.groups[g].rigid()) n += setup.groups[g].beads() * std::ssize(setup.places[g]);
  return n;
}

} // namespace

double BeadsSetup::mobility() const { return 1 / (6 * std::numbers::pi * viscosity * radius); }

std::int64_t BeadsSetup::beads() const {
  std::int64_t n = 0;
  for (std::size_t g = 0; g < places.size(); ++g) n += groups[g].beads() * static_cast<std::int64_t>(places[g].size());
  return n;
}

std::int64_t BeadGroup::beads() const {
  return shape == GroupShape::fibre ? fibre.beads : shape == GroupShape::shell ? std::ssize(shell.beads) : 1;
}

double BeadGroup::volume(double bead_radius, double gap) const {
  const double r = ball_radius(bead_radius) + 0.5 * gap;
  return static_cast<double>(balls()) * (4 * std::numbers::pi / 3) * r * r * r;
}

bool BeadsSetup::swims() const {
  return std::any_of(groups.begin(), groups.end(), [](const BeadGroup& g) { return g.swim.thrust > 0 || g.shell.swims(); });
}

std::int64_t BeadsSetup::shells() const {
  std::int64_t n = 0;
  for (std::size_t g = 0; g < places.size(); ++g)
    if (groups[g].rigid()) n += std::ssize(places[g]);
  return n;
}

Vector BeadsSetup::velocity_alone(const BeadGroup& group) const {
  const double of_shell = group.rigid() ? static_cast<double>(group.beads()) * radius / group.shell.radius : 1;
  return of_shell * mobility() * group.force;
}

Vector BeadsSetup::mean_velocity_alone() const {
  return mean_over_beads(*this, [&](const BeadGroup& g) { return velocity_alone(g); });
}

std::int64_t BeadsSetup::swimmers() const {
  std::int64_t n = 0;
  for (std::size_t g = 0; g < places.size(); ++g)
    if (groups[g].swim.thrust > 0) n += static_cast<std::int64_t>(places[g].size());
  return n;
}

Vector BeadsSetup::mean_force() const {
  return mean_over_beads(*this, [](const BeadGroup& g) { return g.force; });
}

bool BeadsSetup::falls() const { return length(mean_force()) > 0 && length(mean_velocity_alone()) > 0; }

double BeadsSetup::pair_range() const { return std::max(2 * radius + contact.range, 4 * radius); }

Vector bead_offset(const BeadGroup& group, std::int64_t k) {
  if (group.rigid()) return group.shell.beads[static_cast<std::size_t>(k)];
  return {0, 0, (0.5 * static_cast<double>(group.beads() - 1) - static_cast<double>(k)) * group.fibre.spacing};
}

double reach_of(const BeadGroup& group, double radius) { return group.beads() == 0 ? radius : length(bead_offset(group, 0)) + radius; }

double stable_step(const BeadsSetup& setup) {
  // The stiffest modes of a chain alternate from bead to bead: second differences are 4 times, fourth ones 16 times as
  // large as what alternates. Of contact as many pull at a bead as neighbours in a chain of such springs.
  double stiffest = 0;
  for (const BeadGroup& group : setup.groups)
    if (group.shape == GroupShape::fibre)
      stiffest = std::max({stiffest, 4 * group.fibre.stretching, 16 * group.fibre.bending / std::pow(group.fibre.spacing, 3)});
  // A shell moves less readily than a bead, and more of them may push it.
  double pushed = 0;
  const double loose = static_cast<double>(setup.beads() - beads_of_shells(setup));
  for (const BeadGroup& group : setup.groups) {
    const double size = group.ball_radius(setup.radius) / setup.radius;
    const double around = group.rigid() ? std::max(12.0, std::min(12 + loose, 3 * (1 + size) * (1 + size))) : 12;
    pushed = std::max(pushed, around / 3 / size); // of springs that point anywhere a third pulls along each axis
  }
  if (setup.contact.range > 0) stiffest += pushed * setup.contact.strength / setup.contact.range;
  return stiffest > 0 ? 0.5 * stable_product(setup.time.scheme) / (stiffest * setup.mobility()) : infinite;
}

double stiff_step(const BeadsSetup& setup) { return (setup.temperature > 0 ? 0.2 : 1) * stable_step(setup); }

double diffusive_step(const BeadsSetup& setup) {
  const double way = setup.time.displacement * setup.radius, diffusivity = setup.energy() * setup.mobility();
  return diffusivity > 0 ? way * way / (6 * diffusivity) : infinite;
}

} // namespace corral::beads
