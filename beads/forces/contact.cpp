#include "beads/forces/contact.hpp"

#include <corral/for_each.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <cmath>

namespace corral::beads {

using structure::ConstPoints, structure::Points;

Contact::Contact(const BeadsSetup& setup, const Grid& grid, std::span<const Assembly> assemblies,
                 const std::vector<std::int32_t>& assembly)
    : setup_(setup), assemblies_(assemblies), assembly_(assembly), order_(grid),
      nearest_(static_cast<std::int64_t>(assembly.size()), 0.0) {
  const double touching = 2 * setup.radius + setup.contact.range;
  for (const BeadGroup& group : setup.groups) {
    skin_.push_back(group.skin(setup.radius));
    apart_.push_back(group.rigid() ? group.beads() : group.beads() > 1 ? static_cast<std::int64_t>(touching / group.fibre.spacing * (1 + 1e-9)) + 1 : 0);
  }
}

Contact::Found Contact::add(Cpu cpu, const ConstPoints& x, const Points& force) {
  const std::int64_t n = nearest_.size();
  const double range = setup_.pair_range(), touch = 2 * setup_.radius;
  const ContactModel& model = setup_.contact;
  order_.sort(cpu, positions(x[0], x[1], x[2], n));
  nearest_.fill(range);
  const auto meets = [&](std::int64_t i, std::int64_t j) {
    const std::int32_t a = assembly_[static_cast<std::size_t>(i)];
    if (a != assembly_[static_cast<std::size_t>(j)]) return true;
    return std::abs(i - j) >= apart_[assemblies_[static_cast<std::size_t>(a)].group]; // a sphere meets its own images
  };
  const auto skin = [&](std::int64_t i) { return skin_[assemblies_[static_cast<std::size_t>(assembly_[static_cast<std::size_t>(i)])].group]; };
  const auto push = [&](std::int64_t i, std::int64_t j, const std::array<double, 3>& apart, double square) {
    if (i == j && square == 0) return 0.0;
    const double r = std::sqrt(square), gap = r - skin(i) - skin(j), lacking = model.range - gap;
    nearest_[i] = std::min(nearest_[i], touch + gap);
    if (!(model.range > 0 && lacking > 0)) return 0.0;
    const double f = model.strength * lacking / model.range;
    if (r > 0) // else, which way is away?
      for (std::size_t d = 0; d < 3; ++d) force[d][i] += f / r * apart[d];
    return 0.25 * f * lacking; // half of the pair's
  };
  Found found;
  const OrderView<double> view = order_.view(cpu);
  found.energy = sum_over_pairs(cpu, order_.grid(), view, view, range, push, meets);
  found.nearest = -maximum(cpu, n, -range, [&](std::int64_t i) { return -nearest_[i]; });
  return found;
}

} // namespace corral::beads
