#include "structure/markers/population.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace corral::structure {

namespace {

using run::Use;

constexpr Use in_files = Use::saved | Use::shown;

Points pointers(std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }
ConstPoints const_pointers(const std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }

/// The points from number `first` on.
ConstPoints from(const ConstPoints& x, std::int64_t first) { return {x[0] + first, x[1] + first, x[2] + first}; }
Points from(const Points& x, std::int64_t first) { return {x[0] + first, x[1] + first, x[2] + first}; }

Positions<double> positions_of(const ConstPoints& x, std::int64_t n) { return positions(x[0], x[1], x[2], n); }

} // namespace

Population::Population(run::Registry& registry, const run::ParticleKind& kind, const Grid& grid)
    : set(registry.declare_set(kind)), position(set.declare_vector_column("position", "m", "place", in_files)),
      velocity_(set.declare_vector_column("velocity", "m/s", "of the fluid there, in the last step", Use::shown)),
      membrane_(set.declare_column("membrane", "", "number of the membrane", Use::shown)),
      id_(set.declare_ids("id", "permanent number", Use::shown)),
      triangles_(set.declare_connectivity("triangles", "of the surfaces", 3, Use::shown)), order_(grid), midway_order_(grid), point_order_(grid) {}

void Population::add(std::unique_ptr<Membranes> membranes, std::size_t surface, std::int64_t first_membrane,
                     std::span<const std::array<double, 3>> x, std::span<const std::array<std::int32_t, 3>> triangles) {
  const std::int64_t first = set.size(), n = membranes->count() * membranes->markers_per_membrane();
  if (n != static_cast<std::int64_t>(x.size()))
    throw Error(std::to_string(x.size()) + " places for " + std::to_string(n) + " " + set.name() + " (one each)");
  points_at_markers_ = points_at_markers_ && membranes->forces_at_markers();
  set.resize(first + n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < 3; ++d) (*position[d])[first + i] = x[i][d];
    membrane_[first + i] = static_cast<double>(first_membrane + i / membranes->markers_per_membrane());
    id_[first + i] = static_cast<std::uint64_t>(first + i);
  }
  const auto first_point = static_cast<std::int64_t>(membrane_of_.size());
  const std::int64_t points = membranes->force_points_per_membrane();
  for (std::int64_t c = 0; c < membranes->count(); ++c)
    membrane_of_.insert(membrane_of_.end(), static_cast<std::size_t>(points),
                        static_cast<std::int32_t>(first_membrane + c));
  const std::int64_t first_triangle = triangles_.size() / 3;
  for (std::int64_t c = 0; c < membranes->count(); ++c) {
    const auto base = static_cast<std::int32_t>(first + c * membranes->markers_per_membrane());
    std::int64_t at = triangles_.size();
    triangles_.resize(at + 3 * static_cast<std::int64_t>(triangles.size()));
    for (const auto& triangle : triangles)
      for (const std::int32_t corner : triangle) triangles_[at++] = base + corner;
  }
  kinds_.push_back({std::move(membranes), surface, first_membrane, first, first_point, first_triangle});
}

void Population::finish() {
  for (std::size_t d = 0; d < 3; ++d) {
    midway_[d].resize(markers(), 0.0);
    if (!points_at_markers_) point_[d].resize(points(), 0.0);
    point_force_[d].resize(points(), 0.0);
  }
}

void Population::sort(Cpu cpu, CellOrder<double>& order, const ConstPoints& x, std::int64_t n) const {
  const SortCounts counts = order.sort(cpu, positions_of(x, n));
  if (counts.inside == n) return;
  // Those that are not inside come last, and are named by their places among all.
  const std::int64_t first = order.source(counts.inside);
  const std::int64_t membrane = n == markers() ? static_cast<std::int64_t>(membrane_[first])
                                               : membrane_of_[first];
  throw Error("membrane " + std::to_string(membrane) + " has left the box (" + std::to_string(n - counts.inside) +
              " of its points or others' lie beyond a wall or are no numbers; the first at " + run::brief(x[0][first]) +
              ", " + run::brief(x[1][first]) + ", " + run::brief(x[2][first]) +
              " m) set time.dt to a shorter step, or refine the grid at the wall");
}

int Population::sort(Cpu cpu) {
  sort(cpu, order_, at(), markers());
  return 1;
}

int Population::sort_midway(Cpu cpu) {
  sort(cpu, midway_order_, midway(), markers());
  if (points_at_markers_) return 1;
  sort(cpu, point_order_, point_places(), points());
  return 2;
}

ConstPoints Population::point_places() const { return points_at_markers_ ? midway() : const_pointers(point_); }

OrderedPoints Population::ordered_points() const {
  return {(points_at_markers_ ? midway_order_ : point_order_).view(Cpu{}), point_places(), membrane_of_.data(),
          points()};
}

void Population::find_velocity(Cpu cpu, MarkerMaps& maps, const ConstVectorField& u) {
  maps.interpolate(cpu, order_, u, markers(), at(), run::pointers(velocity_));
}

void Population::find_velocity_midway(Cpu cpu, MarkerMaps& maps, const ConstVectorField& u) {
  maps.interpolate(cpu, midway_order_, u, markers(), midway(), run::pointers(velocity_));
}

void Population::move_midway(Cpu cpu, double dt) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double *x = position[d]->data(), *v = velocity_[d]->data();
    double* to = midway_[d].data();
    for_each(cpu, markers(), [=](std::int64_t i) { to[i] = x[i] + dt * v[i]; });
  }
}

void Population::place_midway(Cpu cpu, const ConstPoints& direction, double by) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double *x = position[d]->data(), *v = direction[d];
    double* to = midway_[d].data();
    for_each(cpu, markers(), [=](std::int64_t i) { to[i] = x[i] + by * v[i]; });
  }
}

void Population::move(Cpu cpu, double dt) {
  for (std::size_t d = 0; d < 3; ++d) {
    double* x = position[d]->data();
    const double* v = velocity_[d]->data();
    for_each(cpu, markers(), [=](std::int64_t i) { x[i] += dt * v[i]; });
  }
}

void Population::find_forces(Cpu cpu) {
  for (Kind& kind : kinds_) {
    const ConstPoints x = from(midway(), kind.first_marker);
    kind.membranes->forces(cpu, x, from(pointers(point_force_), kind.first_point));
    if (!points_at_markers_) kind.membranes->place_force_points(cpu, x, from(pointers(point_), kind.first_point));
  }
}

bool Population::viscous() const {
  return std::any_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.membranes->viscous(); });
}

void Population::find_viscous_forces(Cpu cpu, const ConstPoints& velocities, const Points& forces) {
  for (Kind& kind : kinds_) {
    const Points to = from(forces, kind.first_marker);
    if (kind.membranes->viscous()) {
      kind.membranes->viscous_forces(cpu, from(midway(), kind.first_marker), from(velocities, kind.first_marker), to);
      continue;
    }
    const std::int64_t n = kind.membranes->count() * kind.membranes->markers_per_membrane();
    for (double* const component : to) for_each(cpu, n, [=](std::int64_t i) { component[i] = 0; });
  }
}

Points Population::forces() { return pointers(point_force_); }
ConstPoints Population::forces() const { return const_pointers(point_force_); }
ConstPoints Population::forces_of(const Kind& kind) const {
  return from(const_pointers(point_force_), kind.first_point);
}

void Population::spread(Cpu cpu, MarkerMaps& maps, const VectorField& force) {
  maps.spread(cpu, points_at_markers_ ? midway_order_ : point_order_, points(), const_pointers(point_force_), force);
}

void Population::spread_midway(Cpu cpu, MarkerMaps& maps, const ConstPoints& values, const VectorField& field) const {
  maps.spread(cpu, midway_order_, markers(), values, field);
}

void Population::find_change(Cpu cpu, const MarkerMaps& maps, const ConstVectorField& u, const Points& to) const {
  maps.interpolate_change(cpu, midway_order_, u, markers(), to);
}

double Population::power_of_profile(Cpu cpu, const MarkerMaps& maps) const {
  return maps.power_on_points(cpu, points(), point_places(), const_pointers(point_force_));
}

void Population::measure(Cpu cpu, std::span<MembraneMeasures> all) {
  for (Kind& kind : kinds_)
    kind.membranes->measure(cpu, from(at(), kind.first_marker),
                            all.subspan(static_cast<std::size_t>(kind.first_membrane),
                                        static_cast<std::size_t>(kind.membranes->count())));
}

void Population::find_stresslets(Cpu cpu, std::span<const MembraneMeasures> all, std::span<Stresslet> stresslets) const {
  const ConstPoints x = point_places(), F = forces();
  for (const Kind& kind : kinds_) {
    const std::int64_t n = kind.membranes->force_points_per_membrane();
    for_each(cpu, kind.membranes->count(), [=, &kind](std::int64_t c) {
      const auto number = static_cast<std::size_t>(kind.first_membrane + c);
      const std::array<double, 3>& centre = all[number].centroid;
      Stresslet sum{};
      for (std::int64_t i = kind.first_point + c * n; i < kind.first_point + (c + 1) * n; ++i)
        add_moment(sum, std::array{F[0][i], F[1][i], F[2][i]},
                   std::array{x[0][i] - centre[0], x[1][i] - centre[1], x[2][i] - centre[2]});
      stresslets[number] = sum;
    });
  }
}

Population::Extent Population::extent(const Kind& kind, std::int64_t c) const {
  const std::int64_t n = kind.membranes->markers_per_membrane(), first = kind.first_marker + c * n;
  Extent e;
  for (std::size_t d = 0; d < 3; ++d) {
    const double* x = position[d]->data() + first;
    const auto [low, high] = std::minmax_element(x, x + n);
    e.length[d] = *high - *low;
    for (std::int64_t i = first; i < first + n; ++i) e.velocity[d] += (*velocity_[d])[i] / static_cast<double>(n);
  }
  return e;
}

void Population::shift(const Kind& kind, std::int64_t c, const std::array<double, 3>& by) {
  const std::int64_t n = kind.membranes->markers_per_membrane(), first = kind.first_marker + c * n;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = first; i < first + n; ++i) (*position[d])[i] += by[d];
}

} // namespace corral::structure
