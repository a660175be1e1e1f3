#include "stokes/accuracy/parameters.hpp"

#include "fluid/spectral/symbols.hpp"
#include "stokes/accuracy/errors.hpp"
#include "stokes/far/window.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <vector>

namespace corral::stokes {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double share = 0.55; ///< of the tolerance, for near field, far field and window each: together 1 by squares
constexpr double least_points = 8; ///< of a grid, along an axis
constexpr double most_points = 4294967296.0;
constexpr double least_radius = 1e-5; ///< of the cube root of the box's volume
constexpr double most_radii = 1000;   ///< to the cut-off, beyond which near fields of spheres lose digits

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", value);
  return buffer;
}

std::vector<ErrorScale> scales(const Task& task) {
  std::vector<ErrorScale> all;
  for (const Result r : each_result)
    if (result_columns(task.sum, r) > 0 && (r == Result::velocity || task.all_results))
      all.push_back({task.sum, r, task.box.volume(), std::max<std::int64_t>(task.sources, 1), task.radius});
  return all;
}
template <class F> double worst(const Task& task, const F& error) {
  double most = 0;
  for (const ErrorScale& e : scales(task)) most = std::max(most, error(e));
  return most;
}

/// The x in [low, high] where what falls has reached `limit`, by halving the interval on a scale of logarithms.
template <class F> double where_reached(double low, double high, double limit, const F& falls) {
  for (int i = 0; i < 24; ++i) {
    const double middle = std::sqrt(low * high);
    (falls(middle) > limit ? low : high) = middle;
  }
  return high;
}

/// Near fields of spheres don't decay before these are apart.
double least_cut_off(const Task& task) { return 2 * task.radius; }
double cut_off_for(const Task& task, double xi) {
  return where_reached(
      least_cut_off(task) + 0.1 / xi, least_cut_off(task) + 20 / xi, share * task.tolerance,
      [&](double r) { return worst(task, [&](const ErrorScale& e) { return near_error(e, xi, r); }); });
}
double xi_for(const Task& task, double cut_off) {
  return where_reached(0.1 / cut_off, 20 / cut_off, share * task.tolerance, [&](double xi) {
    return worst(task, [&](const ErrorScale& e) { return near_error(e, xi, cut_off); });
  });
}
/// Modes that are kept: those below half the points, which have no sign.
double highest_mode(const SpectralBox& box) {
  double least = 1e300;
  for (std::size_t d = 0; d < 3; ++d)
    least = std::min(least, 2 * pi / box.edge[d] * static_cast<double>((box.modes[d] - 1) / 2));
  return least;
}
std::int64_t even_length_above(double n) {
  return 2 * fluid::spectral::length_above(std::max<std::int64_t>(1, std::llround(std::ceil(n / 2))));
}
void require_points(const std::array<double, 3>& n) {
  if (n[0] * n[1] * n[2] > most_points)
    throw Error("a grid of " + text(n[0]) + " x " + text(n[1]) + " x " + text(n[2]) +
                " points (2^32 are the most): a larger cut-off or tolerance needs fewer");
}
/// The least grid that holds all modes that count, `finer` times as fine as it has to be.
std::array<std::int64_t, 3> modes_for(const Task& task, const Parameters& p, double finer) {
  const double xi = p.xi;
  const SpectralBox box = spectral_box(task, p);
  const double K = where_reached(0.1 * xi, 40 * xi, share * task.tolerance, [&](double k) {
    return worst(task, [&](const ErrorScale& e) { return far_error(e, xi, k); });
  });
  std::array<double, 3> n{};
  for (std::size_t d = 0; d < 3; ++d) n[d] = std::max(finer * (K * box.edge[d] / pi + 2), least_points);
  require_points(n);
  std::array<std::int64_t, 3> modes{};
  for (std::size_t d = 0; d < 3; ++d) modes[d] = even_length_above(n[d]);
  return modes;
}
double error_of_window(const Task& task, const Parameters& p) {
  const SpectralBox box = spectral_box(task, p);
  std::array<double, 3> spacing{};
  for (std::size_t d = 0; d < 3; ++d) spacing[d] = box.edge[d] / static_cast<double>(p.modes[d]);
  const double K = highest_mode(box);
  return worst(task, [&](const ErrorScale& e) { return window_error(e, p.xi, K, spacing, p.support, p.beta); });
}
/// The least window that serves with its best beta; the largest where none does.
void choose_window(const Task& task, Parameters& p) {
  const int first = p.support != 0 ? p.support : least_support, last = p.support != 0 ? p.support : most_support;
  const double fixed_beta = p.beta;
  for (p.support = first;; p.support += 2) {
    double least = 0, best = fixed_beta;
    for (double b = 1.8; fixed_beta == 0 && b < 2.6; b += 0.15) {
      p.beta = b * p.support;
      const double error = error_of_window(task, p);
      if (best == 0 || error < least) least = error, best = p.beta;
    }
    p.beta = best;
    if (p.support >= last || error_of_window(task, p) < share * task.tolerance) return;
  }
}

/// The rest of them, where cut-off or xi is known.
Parameters completed(const Task& task, Parameters p, double finer) {
  if (p.xi == 0) p.xi = xi_for(task, p.cut_off);
  if (p.cut_off == 0) p.cut_off = cut_off_for(task, p.xi);
  const auto fixed = p.modes;
  if (std::ranges::find(fixed, 0) != fixed.end()) p.modes = modes_for(task, p, finer);
  for (std::size_t d = 0; d < 3; ++d)
    if (fixed[d] != 0) p.modes[d] = fixed[d];
  require_points({static_cast<double>(p.modes[0]), static_cast<double>(p.modes[1]), static_cast<double>(p.modes[2])});
  choose_window(task, p);
  return p;
}

/// Seconds; of what misses the tolerance so many more that it is taken where nothing else serves.
double score(const Task& task, const Expected& e) {
  const double off = e.total / task.tolerance;
  return (e.near_seconds + e.far_seconds) * (off > 1 ? 100 * off : 1);
}

/// The cheapest of those on finer and finer grids, on which smaller windows serve; at first such as serve at all.
Parameters cheapest_grid(const Task& task, const Parameters& known, const CostModel& cost) {
  std::optional<Parameters> best;
  double least = 0;
  for (const double finer : {1.0, 1.12, 1.25, 1.4, 1.6, 2.0}) {
    const Parameters p = completed(task, known, finer);
    const Expected e = expect(task, p, cost);
    const double seconds = score(task, e);
    if (best && seconds >= least) continue;
    least = seconds;
    best = p;
  }
  return *best;
}

/// Parameters that miss the tolerance by more than what an estimate may be off are refused.
Parameters serving(const Task& task, const Parameters& p, const CostModel& cost) {
  if (task.radius > 0 && (p.cut_off > most_radii * task.radius || p.cut_off < least_cut_off(task)))
    throw Error("a cut-off of " + text(p.cut_off) + " m for spheres of the radius " + text(task.radius) +
                " m (2 to 1000 radii)");
  const Expected e = expect(task, p, cost);
  if (!(e.total < 3 * task.tolerance))
    throw Error("xi " + text(p.xi) + " 1/m, a cut-off of " + text(p.cut_off) + " m and " + std::to_string(p.modes[0]) +
                " x " + std::to_string(p.modes[1]) + " x " + std::to_string(p.modes[2]) + " modes err by " +
                text(e.total) + " (tolerance " + text(task.tolerance) +
                "): leave more of them to be chosen, or ask for a larger tolerance");
  return p;
}

void require(const Task& task, const Parameters& fixed) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (!(task.box.edge[d] > 0) || !std::isfinite(task.box.edge[d]) || !std::isfinite(task.box.origin[d]))
      throw Error("a box of " + text(task.box.edge[0]) + " x " + text(task.box.edge[1]) + " x " +
                  text(task.box.edge[2]) + " m (each edge must be positive and finite)");
    if (fixed.modes[d] != 0 && (fixed.modes[d] < 2 || !fluid::spectral::is_transformed(fixed.modes[d])))
      throw Error(std::to_string(fixed.modes[d]) +
                  " modes along an axis (a product of 2, 3, 5 and 7 is needed, 2 or more)");
  }
  require_tolerance(task.tolerance);
  if (task.sources < 0 || task.targets < 0) throw Error("fewer than no sources or targets");
  if (task.radius != 0 && (task.sum != Sum::stokeslet || task.all_results))
    throw Error("a radius beside " + std::string(task.all_results ? "pressures and gradients" : name(task.sum)) +
                (task.all_results ? "" : "s") + " (spheres have forces and velocities alone)");
  const double L = std::cbrt(task.box.volume());
  if (!(L > 1e-90 && L < 1e90))
    throw Error("a box of the volume " + text(task.box.volume()) + " m3 (choose other units)");
  if (!(task.radius == 0 || (task.radius > least_radius * L && task.radius < L)))
    throw Error("spheres of the radius " + text(task.radius) + " m (" + text(least_radius * L) + " to " + text(L) +
                " in this box)");
  const auto within = [](double value, double least, double most) {
    return value == 0 || (value >= least && value <= most);
  };
  if (!within(fixed.xi * L, 1e-3, 1e6))
    throw Error("xi " + text(fixed.xi) + " 1/m (" + text(1e-3 / L) + " to " + text(1e6 / L) + " in this box)");
  if (!within(fixed.cut_off / L, 1e-6, 100))
    throw Error("a cut-off of " + text(fixed.cut_off) + " m (" + text(1e-6 * L) + " to " + text(100 * L) +
                " in this box)");
}

/// Of a cell and all that is nearer to it than the cut-off.
double volume_within(const Box& box, const std::array<std::int64_t, 3>& cells, double r) {
  const double a = box.edge[0] / static_cast<double>(cells[0]), b = box.edge[1] / static_cast<double>(cells[1]),
               c = box.edge[2] / static_cast<double>(cells[2]);
  return a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4 * pi / 3 * r * r * r;
}

} // namespace

void require_tolerance(double tolerance) {
  if (!(tolerance >= 1e-14 && tolerance <= 0.1))
    throw Error("tolerance " + text(tolerance) + " (1e-14, which double precision reaches, to .1)");
}

std::array<std::int64_t, 3> near_cells(const Task& task, double cut_off) {
  const double in_cube = static_cast<double>(task.targets) * std::pow(cut_off, 3) / task.box.volume();
  constexpr double wanted = 8, finest = 4;
  const double parts = std::clamp(std::cbrt(in_cube / wanted), 0.5, finest);
  std::array<std::int64_t, 3> cells{};
  for (std::size_t d = 0; d < 3; ++d)
    cells[d] = std::max<std::int64_t>(1, static_cast<std::int64_t>(task.box.edge[d] * parts / cut_off));
  return cells;
}

SpectralBox spectral_box(const Task& task, const Parameters& p) {
  const Box& box = task.box;
  SpectralBox grid{.edge = box.edge, .modes = p.modes, .free = {}, .reach = 0};
  double square = 0; // of the farthest two points along free axes
  for (std::size_t d = 0; d < 3; ++d) {
    grid.free[d] = !box.periodic[d];
    if (grid.free[d]) square += box.edge[d] * box.edge[d];
  }
  if (square == 0) return grid;
  // The screening smooths over as much as near fields reach: at the farthest target, and at the nearest image.
  // So do spheres.
  grid.reach = std::sqrt(square) + p.cut_off + 2 * task.radius;
  for (std::size_t d = 0; d < 3; ++d)
    if (grid.free[d]) grid.edge[d] += grid.reach + p.cut_off + 2 * task.radius;
  return grid;
}

Parameters choose(const Task& task, const Parameters& fixed, const CostModel& cost) {
  require(task, fixed);
  if (fixed.support != 0) require_window(fixed.support, fixed.beta > 0 ? fixed.beta : 2 * fixed.support);
  if (fixed.xi > 0 || fixed.cut_off > 0) return serving(task, cheapest_grid(task, fixed, cost), cost);
  // First the cut-off, on grids a little finer than they have to be; then the grid.
  std::optional<Parameters> best;
  double least = 0;
  const double L = std::cbrt(task.box.volume());
  const double longest = task.radius > 0 ? std::clamp(0.6 * L, 4 * task.radius, most_radii * task.radius) : 0.6 * L;
  for (double cut_off = longest; cut_off > std::max(0.004 * L, least_cut_off(task)); cut_off *= 0.9) {
    Parameters p = fixed;
    p.cut_off = cut_off;
    try {
      p = completed(task, p, 1.12);
    } catch (const Error&) {
      if (!best) throw;
      break;
    }
    const Expected e = expect(task, p, cost);
    if (best && e.near_seconds + e.far_seconds > 1.5 * least) break; // the far field only grows from here
    const double seconds = score(task, e);
    if (best && seconds >= least) continue;
    best = p;
    least = seconds;
  }
  Parameters known = fixed;
  known.cut_off = best->cut_off;
  return serving(task, cheapest_grid(task, known, cost), cost);
}

double pair_error(const Task& task) {
  const int n = decay(task.sum, task.all_results ? Result::gradient : Result::velocity);
  return 0.1 * task.tolerance *
         std::min(1.0, std::pow(static_cast<double>(std::max<std::int64_t>(task.sources, 1)), 0.5 - n / 3.0));
}

CostModel amounts(const Task& task, const Parameters& p) {
  const auto sources = static_cast<double>(task.sources), targets = static_cast<double>(task.targets);
  const int in = far_columns(task.sum), out = columns(task.sum, task.all_results);
  const auto cells = near_cells(task, p.cut_off);
  const double groups = static_cast<double>(cells[0]) * static_cast<double>(cells[1]) * static_cast<double>(cells[2]);
  const double gathered = sources / task.box.volume() * volume_within(task.box, cells, p.cut_off);
  constexpr double in_vain = 7.5; // they come in whole vectors of 16
  double points = 1;
  int sevens = 0;
  for (const std::int64_t n : p.modes) {
    points *= static_cast<double>(n);
    for (std::int64_t rest = n; rest % 7 == 0; rest /= 7) ++sevens;
  }
  CostModel a;
  a.pair = targets * (gathered + in_vain);
  a.pair_decimal = -a.pair * std::log10(task.tolerance);
  a.pair_column = a.pair * (strength_columns(task.sum) + out);
  a.gather = groups * (1 - std::exp(-targets / groups)) * gathered * (3 + strength_columns(task.sum));
  a.near_particle = sources;
  a.map_particle = sources + targets;
  // Rows of the stencil are whole registers.
  const double stencil = p.support * p.support * 4 * std::ceil(p.support / 4.0);
  constexpr double few = 0.02; // a cell: from there on the maps work in bricks
  a.map_point = a.map_point_apart = 0;
  (sources < few * points ? a.map_point_apart : a.map_point) += stencil * sources * in;
  (targets < few * points ? a.map_point_apart : a.map_point) += stencil * targets * out;
  a.transform = points * std::log2(points) * (in + out);
  a.transform_seven = points * sevens * (in + out);
  return a;
}

Expected expect(const Task& task, const Parameters& p, const CostModel& cost) {
  Expected e;
  const double K = highest_mode(spectral_box(task, p));
  e.near = worst(task, [&](const ErrorScale& s) { return near_error(s, p.xi, p.cut_off); });
  e.far = worst(task, [&](const ErrorScale& s) { return far_error(s, p.xi, K); });
  e.window = error_of_window(task, p);
  e.total = std::sqrt(e.near * e.near + e.far * e.far + e.window * e.window);
  const CostModel a = amounts(task, p);
  for (const CostPart& part : cost_parts)
    (part.near ? e.near_seconds : e.far_seconds) += cost.*part.seconds * a.*part.seconds;
  return e;
}

std::string report(const Task& task, const Parameters& p, const CostModel& cost) {
  const Expected e = expect(task, p, cost);
  const char* const worst_part = e.near >= e.far && e.near >= e.window ? "the near field's cut-off"
                                 : e.far >= e.window                   ? "the far field's highest mode"
                                                                       : "the window";
  return "xi " + text(p.xi) + " 1/m, cut-off " + text(p.cut_off) + " m, " + std::to_string(p.modes[0]) + " x " +
         std::to_string(p.modes[1]) + " x " + std::to_string(p.modes[2]) + " modes, windows of " +
         std::to_string(p.support) + " points\nexpected error " + text(e.total) + " of " + text(task.tolerance) +
         " asked for: cut-off " + text(e.near) + ", modes " + text(e.far) + ", window " + text(e.window) + "; " +
         worst_part + " dominates\nexpected time on one core: near field " + text(e.near_seconds) + " s, far field " +
         text(e.far_seconds) + " s\n";
}

} // namespace corral::stokes
