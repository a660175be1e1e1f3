#include "beads/forces/contact.hpp"

#include <corral/for_each.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <cmath>

namespace corral::beads {

using structure::ConstPoints, structure::Points;

namespace {

std::int64_t in_bytes(const Array<double>& a) { return a.size() * static_cast<std::int64_t>(sizeof(double)); }

} // namespace

Contact::Contact(const BeadsSetup& setup, const Grid& grid, std::span<const Assembly> assemblies)
    : setup_(setup), beads_(grid), shells_(grid) {
  const double touching = 2 * setup.radius + setup.contact.range;
  for (const BeadGroup& group : setup.groups) {
    radius_.push_back(group.ball_radius(setup.radius));
    apart_.push_back(group.balls() > 1 ? static_cast<std::int64_t>(touching / group.fibre.spacing * (1 + 1e-9)) + 1 : 0);
  }
  for (const Assembly& a : assemblies) {
    Balls& balls = setup.groups[a.group].rigid() ? shells_ : beads_;
    balls.largest = std::max(balls.largest, radius_[a.group]);
    if (&balls == &shells_) balls.beads.push_back(a);
    else
      for (std::int64_t k = 0; k < a.beads; ++k) {
        balls.beads.push_back({a.group, a.first + k, 1});
        fibre_.push_back(a.first);
      }
  }
  beads_.resize();
  shells_.resize();
}

void Contact::Balls::resize() {
  for (std::size_t d = 0; d < 3; ++d) at[d].resize(size(), 0.0), force[d].resize(size(), 0.0);
  gap.resize(size(), 0.0);
}

void Contact::Balls::find(Cpu cpu, const ConstPoints& x) {
  for_each(cpu, size(), [&](std::int64_t i) {
    const Assembly& of = beads[static_cast<std::size_t>(i)];
    for (std::size_t d = 0; d < 3; ++d) {
      double sum = 0;
      for (std::int64_t k = of.first; k < of.first + of.beads; ++k) sum += x[d][k];
      at[d][i] = sum / static_cast<double>(of.beads);
    }
  });
  for (Array<double>& f : force) f.fill(0.0);
  order.sort(cpu, positions(at[0].data(), at[1].data(), at[2].data(), size()));
}

void Contact::Balls::give(Cpu cpu, const Points& to) const {
  for_each(cpu, size(), [&](std::int64_t i) {
    const Assembly& of = beads[static_cast<std::size_t>(i)];
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t k = of.first; k < of.first + of.beads; ++k) to[d][k] += force[d][i] / static_cast<double>(of.beads);
  });
}

/// Adds to the targets' forces, and returns their half of the energy [J].
double Contact::add_pairs(Cpu cpu, Balls& targets, const Balls& sources) const {
  const ContactModel& model = setup_.contact;
  const bool alike = &targets == &sources, fibres = alike && &targets == &beads_;
  const double reach = setup_.pair_range() - 2 * setup_.radius;
  const auto radius = [&](const Balls& balls, std::int64_t i) { return radius_[balls.beads[static_cast<std::size_t>(i)].group]; };
  const auto meets = [&](std::int64_t i, std::int64_t j) {
    const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
    return !fibres || fibre_[p] != fibre_[q] || std::abs(i - j) >= apart_[beads_.beads[p].group]; // a sphere meets its own images
  };
  const auto push = [&](std::int64_t i, std::int64_t j, const std::array<double, 3>& apart, double square) {
    if (alike && i == j && square == 0) return 0.0;
    const double r = std::sqrt(square), gap = r - radius(targets, i) - radius(sources, j), lacking = model.range - gap;
    targets.gap[i] = std::min(targets.gap[i], gap);
    if (!(model.range > 0 && lacking > 0)) return 0.0;
    const double f = model.strength * lacking / model.range;
    if (r > 0) // else, which way is away?
      for (std::size_t d = 0; d < 3; ++d) targets.force[d][i] += f / r * apart[d];
    return 0.25 * f * lacking; // half of the pair's
  };
  return sum_over_pairs(cpu, targets.order.grid(), targets.order.view(cpu), sources.order.view(cpu),
                        targets.largest + sources.largest + reach, push, meets);
}

Contact::Found Contact::add(Cpu cpu, const ConstPoints& x, const Points& force) {
  const double touch = 2 * setup_.radius, reach = setup_.pair_range() - touch;
  Found found{.energy = 0, .nearest = touch + reach};
  for (Balls* balls : {&beads_, &shells_}) {
    balls->find(cpu, x);
    balls->gap.fill(reach);
  }
  for (Balls* targets : {&beads_, &shells_}) {
    for (const Balls* sources : {&beads_, &shells_})
      if (targets->size() > 0 && sources->size() > 0) found.energy += add_pairs(cpu, *targets, *sources);
    targets->give(cpu, force);
    const Array<double>& gap = targets->gap;
    found.nearest = std::min(found.nearest, touch - maximum(cpu, targets->size(), -reach, [&](std::int64_t i) { return -gap[i]; }));
  }
  return found;
}

std::int64_t Contact::bytes() const {
  std::int64_t all = 0;
  for (const Balls* balls : {&beads_, &shells_}) {
    all += balls->order.bytes() + in_bytes(balls->gap);
    for (std::size_t d = 0; d < 3; ++d) all += in_bytes(balls->at[d]) + in_bytes(balls->force[d]);
  }
  return all;
}

} // namespace corral::beads
