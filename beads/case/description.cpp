#include "beads/case/beads_case.hpp"
#include "beads/case/setup_checks.hpp"
#include "beads/step/step.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::beads {

using run::formatted;

namespace {

constexpr double program = 26.5e6, without_grid = 24e6, per_bead = 640, per_shaken = 170, per_mode = 64; // [bytes], fitted to runs

const char* word(Scheme scheme) { return scheme == Scheme::euler ? "Euler" : scheme == Scheme::midpoint ? "midpoint" : "Adams-Bashforth"; }

std::string word(const BeadGroup& group, double bead_radius, std::size_t count) {
  if (group.shape == GroupShape::sphere) return formatted("%zu spheres", count);
  if (group.rigid())
    return formatted("%zu spheres of radius %g m, shells of %lld beads %.3g bead radii inside", count, group.shell.radius,
                     static_cast<long long>(group.beads()), (group.shell.radius - geometry::length(group.shell.beads[0])) / bead_radius) +
           (group.shell.swims() ? formatted("; they swim at %g m/s alone", group.shell.speed) : "");
  const std::string swims = group.swim.thrust > 0 ? formatted(", %s of %g N", group.swim.ahead ? "pullers" : "pushers", group.swim.thrust) : "";
  return formatted("%zu fibres of %lld beads, %g m long", count, static_cast<long long>(group.fibre.beads),
                   static_cast<double>(group.fibre.beads - 1) * group.fibre.spacing) + swims;
}

/// Whether anything is found by products with the mobility, until it is as good as the tolerance has it.
bool has_tolerance(const BeadsSetup& setup) { return setup.temperature > 0 || setup.lubrication || setup.shells() > 0; }

/// Of shells: each group has the factors of its beads' mobility, and the largest is there twice while it is made.
double memory_of_factors(const BeadsSetup& setup) {
  double all = 0, largest = 0;
  for (const BeadGroup& group : setup.groups) {
    if (!group.rigid()) continue;
    const double bytes = 8 * std::pow(3 * static_cast<double>(group.beads()), 2);
    all += bytes;
    largest = std::max(largest, bytes);
  }
  return all + largest;
}

} // namespace

double memory_of_beads(double beads) { return program + per_bead * beads; }

double memory_needed(const BeadsSetup& setup) {
  const auto grid = mobility_grid(setup);
  const auto modes_along = [&](std::size_t d) { return grid ? static_cast<double>(grid->modes[d]) : 0; };
  const double modes = modes_along(0) * modes_along(1) * modes_along(2);
  const auto beads = static_cast<double>(setup.beads() + setup.swimmers());
  return memory_of_beads(beads) - (grid ? 0 : program - without_grid) + (setup.temperature > 0 ? per_shaken * beads : 0) + per_mode * modes + memory_of_factors(setup);
}

std::vector<std::string> describe(const BeadsSetup& setup) {
  std::vector<std::string> lines;
  std::string images;
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.periodic(d)) images += "xyz"[d];
  lines.push_back(formatted("box       %g x %g x %g m, %s", setup.size[0], setup.size[1], setup.size[2],
                            images.empty() ? "without images" : ("with images along " + images).c_str()));
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    lines.push_back(formatted("beads     %.100s: %s", setup.groups[g].placed.name.c_str(), word(setup.groups[g], setup.radius, setup.places[g].size()).c_str()));
  double volume = 0;
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    volume += static_cast<double>(setup.places[g].size()) * setup.groups[g].volume(setup.radius);
  lines.push_back(formatted("          %lld beads of radius %g m; %.3g of the box's volume", static_cast<long long>(setup.beads()), setup.radius,
                            volume / (setup.size[0] * setup.size[1] * setup.size[2])));
  if (setup.falls())
    lines.push_back(formatted("force     %.3g N on a bead in the mean; alone they move at %.3g m/s, a bead's radius in %.3g s", geometry::length(setup.mean_force()),
                              geometry::length(setup.mean_velocity_alone()), setup.radius / geometry::length(setup.mean_velocity_alone())));
  if (setup.temperature > 0)
    lines.push_back(formatted("diffusion %.3g m2/s of a bead alone: a radius in %.3g s", setup.energy() * setup.mobility(),
                              setup.radius * setup.radius / (6 * setup.energy() * setup.mobility())));
  if (setup.contact.range > 0)
    lines.push_back(formatted("repulsion within %g m, %g N where surfaces touch", setup.contact.range, setup.contact.strength));
  if (const auto p = mobility_grid(setup))
    lines.push_back(formatted("mobility  to %g: near field within %.3g radii, grid of %lld x %lld x %lld, %d points of the window", setup.tolerance,
                              p->cut_off / setup.radius, static_cast<long long>(p->modes[0]), static_cast<long long>(p->modes[1]),
                              static_cast<long long>(p->modes[2]), p->support));
  else
    lines.push_back(has_tolerance(setup) ? formatted("mobility  pair by pair, to round-off; what is found by its products to %g", setup.tolerance)
                                         : "mobility  pair by pair, to round-off");
  if (setup.lubrication)
    lines.push_back(formatted("          lubrication of gaps from %g to %g radii", setup.lubrication->least_gap, setup.lubrication->range));
  lines.push_back(formatted("memory    about %.0f MB", memory_needed(setup) / 1e6));
  lines.push_back(formatted("step      %s, %s %g s", word(setup.time.scheme), setup.time.adaptive ? "at most" : "of", setup.time.dt));
  if (const double stiff = setup.time.adaptive ? stiff_step(setup) : stable_step(setup); stiff < setup.time.dt)
    lines.push_back(formatted("          springs and repulsion allow %.3g s", stiff));
  if (const double diffusive = diffusive_step(setup); setup.time.adaptive && diffusive < setup.time.dt)
    lines.push_back(formatted("          diffusion allows %.3g s", diffusive));
  for (const std::string& warning : setup.warnings) lines.push_back("warning   " + warning);
  return lines;
}

} // namespace corral::beads
