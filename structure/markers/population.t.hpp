#pragma once

/// The calls of population.hpp, for either processor.

#include "run/case/values.hpp"
#include "structure/markers/population.hpp"
#include "structure/triangles/loops.hpp"
#include "structure/values.t.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace corral::structure {

namespace population {

inline constexpr run::Use in_files = run::Use::saved | run::Use::shown;

inline Points pointers(std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }
inline ConstPoints const_pointers(const std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }

/// The points from number `first` on.
inline ConstPoints from(const ConstPoints& x, std::int64_t first) { return {x[0] + first, x[1] + first, x[2] + first}; }
inline Points from(const Points& x, std::int64_t first) { return {x[0] + first, x[1] + first, x[2] + first}; }

inline std::span<double> numbers_of(std::span<MembraneMeasures> measures) {
  static_assert(std::is_trivially_copyable_v<MembraneMeasures> && sizeof(MembraneMeasures) % sizeof(double) == 0);
  return {reinterpret_cast<double*>(measures.data()), measures.size() * (sizeof(MembraneMeasures) / sizeof(double))};
}

/// found = the caller's number of what stands at a place of the order, and where that is.
template <Execution E>
void look_up(E execution, const OrderView<double>& order, std::int64_t place, const ConstPoints& x, double* found) {
  for_each(execution, 1, [=] CORRAL_BODY(std::int64_t) {
    const std::int64_t i = order.source(place);
    found[0] = static_cast<double>(i);
    for (std::size_t d = 0; d < 3; ++d) found[1 + d] = x[d][i];
  });
}

struct AddStresslets {
  CORRAL_HOST_DEVICE void operator()(Stresslet& a, const Stresslet& b) const {
    for (std::size_t k = 0; k < 6; ++k) a[k] += b[k];
  }
};

/// Of `membranes` membranes of n points each, of the first of them `x`, `F` and `measures`.
template <Execution E>
void set_stresslets(E execution, std::int64_t membranes, std::int64_t n, const ConstPoints& x, const ConstPoints& F,
                    const MembraneMeasures* measures, Array<Stresslet>& parts, Stresslet* stresslets) {
  const auto add = [=] CORRAL_BODY(std::int64_t c, std::int64_t j, Stresslet& sum) {
    const std::array<double, 3>& centre = measures[c].centroid;
    const std::int64_t i = c * n + j;
    const double force[3] = {F[0][i], F[1][i], F[2][i]};
    const double away[3] = {x[0][i] - centre[0], x[1][i] - centre[1], x[2][i] - centre[2]};
    add_moment(sum, force, away);
  };
  sum_of_each(execution, membranes, n, Stresslet{}, add, AddStresslets{}, parts, stresslets);
}

struct JoinSpans {
  CORRAL_HOST_DEVICE void operator()(Span& a, const Span& b) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (b.low[d] < a.low[d]) a.low[d] = b.low[d];
      if (b.high[d] > a.high[d]) a.high[d] = b.high[d];
      a.velocity[d] += b.velocity[d];
    }
  }
};

template <Execution E>
void set_spans(E execution, std::int64_t membranes, std::int64_t n, const ConstPoints& x, const ConstPoints& v,
               Array<Span>& parts, Span* spans) {
  const auto add = [=] CORRAL_BODY(std::int64_t c, std::int64_t j, Span& sum) {
    const std::int64_t i = c * n + j;
    for (std::size_t d = 0; d < 3; ++d) {
      if (x[d][i] < sum.low[d]) sum.low[d] = x[d][i];
      if (x[d][i] > sum.high[d]) sum.high[d] = x[d][i];
      sum.velocity[d] += v[d][i] / static_cast<double>(n);
    }
  };
  sum_of_each(execution, membranes, n, Span{}, add, JoinSpans{}, parts, spans);
}

template <Execution E>
void shift_centroid(E execution, MembraneMeasures* measures, std::int64_t membrane, const std::array<double, 3>& by) {
  for_each(execution, 1, [=] CORRAL_BODY(std::int64_t) {
    for (std::size_t d = 0; d < 3; ++d) measures[membrane].centroid[d] += by[d];
  });
}

} // namespace population

template <Execution E>
Population<E>::Population(run::Registry& registry, const run::ParticleKind& kind, const fluid::Domain& domain)
    : set(registry.declare_set(kind)),
      position(set.declare_vector_column("position", "m", "place", population::in_files)),
      velocity_(set.declare_vector_column("velocity", "m/s", "of the fluid there, in the last step", run::Use::shown)),
      membrane_(set.declare_column("membrane", "", "number of the membrane", run::Use::shown)),
      id_(set.declare_ids("id", "permanent number", run::Use::shown)),
      triangles_(set.declare_connectivity("triangles", "of the surfaces", 3, run::Use::shown)), order_(domain), midway_order_(domain),
      point_order_(domain), team_(domain.shared() ? &domain.shared()->team() : nullptr) {
  for (auto* points : {&midway_, &point_, &point_force_})
    for (auto& component : *points) component = Array<double>(memory);
}

template <Execution E>
void Population<E>::add(std::unique_ptr<Membranes<E>> membranes, std::size_t surface, std::int64_t first_membrane,
                        std::span<const std::array<double, 3>> x, std::span<const std::array<std::int32_t, 3>> triangles) {
  const auto first = static_cast<std::int64_t>(added_.id.size());
  const std::int64_t each = membranes->markers_per_membrane(), n = membranes->count() * each;
  if (n != static_cast<std::int64_t>(x.size()))
    throw Error(std::to_string(x.size()) + " places for " + std::to_string(n) + " " + set.name() + " (one each)");
  points_at_markers_ = points_at_markers_ && membranes->forces_at_markers();
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < 3; ++d) added_.x[d].push_back(x[static_cast<std::size_t>(i)][d]);
    added_.membrane.push_back(static_cast<double>(first_membrane + i / each));
    added_.id.push_back(static_cast<std::uint64_t>(first + i));
  }
  const auto first_point = static_cast<std::int64_t>(added_.membrane_of_point.size());
  const auto first_triangle = static_cast<std::int64_t>(added_.triangles.size() / 3);
  for (std::int64_t c = 0; c < membranes->count(); ++c) {
    added_.membrane_of_point.insert(added_.membrane_of_point.end(),
                                    static_cast<std::size_t>(membranes->force_points_per_membrane()),
                                    static_cast<std::int32_t>(first_membrane + c));
    const auto base = static_cast<std::int32_t>(first + c * each);
    for (const auto& triangle : triangles)
      for (const std::int32_t corner : triangle) added_.triangles.push_back(base + corner);
  }
  kinds_.push_back({std::move(membranes), surface, first_membrane, first, first_point, first_triangle});
}

template <Execution E> void Population<E>::finish() {
  set.resize(static_cast<std::int64_t>(added_.id.size()));
  for (std::size_t d = 0; d < 3; ++d) position[d]->assign(added_.x[d]);
  membrane_.assign(added_.membrane);
  id_.assign(added_.id);
  triangles_.assign(added_.triangles);
  membrane_of_.assign(added_.membrane_of_point);
  added_ = {};
  for (std::size_t d = 0; d < 3; ++d) {
    midway_[d].resize(markers(), 0.0);
    if (!points_at_markers_) point_[d].resize(points(), 0.0);
    point_force_[d].resize(points(), 0.0);
  }
  take_shares();
}

/// Kinds of few membranes begin with different ranks.
template <Execution E> void Population<E>::take_shares() {
  if (!team_) return;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    Membranes<E>& all = *kinds_[k].membranes;
    const std::int64_t ranks = team_->size(), mine = (team_->rank() + static_cast<std::int64_t>(k)) % ranks;
    const auto begin = [&](std::int64_t rank) { return all.count() * rank / ranks; };
    all.take_share({begin(mine), begin(mine + 1)});
  }
}

template <Execution E> template <class F> void Population<E>::by_shares(E execution, std::int64_t n, const Points& values, F find) {
  if (team_)
    for (double* const component : values) values::fill(execution, n, component, 0);
  find();
  if (team_)
    for (double* const component : values) team_->join({component, static_cast<std::size_t>(n)});
}

template <Execution E> std::int64_t Population<E>::membrane_of(std::int64_t i, bool marker) const {
  const Kind* of = &kinds_.front();
  for (const Kind& kind : kinds_)
    if ((marker ? kind.first_marker : kind.first_point) <= i) of = &kind;
  const std::int64_t each = marker ? of->membranes->markers_per_membrane() : of->membranes->force_points_per_membrane();
  return of->first_membrane + (i - (marker ? of->first_marker : of->first_point)) / each;
}

template <Execution E>
void Population<E>::sort(E execution, MarkerOrder& order, const ConstPoints& x, std::int64_t n) const {
  order.sort(execution, x, n);
  if (order.inside() == n) return;
  order.keep_whole(); // which all ranks do
  order.sort(execution, x, n);
  complain(execution, order.whole(), x, order.inside(), n);
}

/// Those that are not inside come last, and are named by their places among all.
template <Execution E>
void Population<E>::complain(E execution, const CellOrder<double>& order, const ConstPoints& x, std::int64_t inside,
                             std::int64_t n) const {
  Array<double> found(4, memory);
  population::look_up(execution, order.view(execution), inside, x, found.data());
  const std::vector<double> first = found.values();
  throw Error("membrane " + std::to_string(membrane_of(static_cast<std::int64_t>(first[0]), n == markers())) +
              " has left the box (" + std::to_string(n - inside) +
              " of its points or others' lie beyond a wall or are no numbers; the first at " + run::brief(first[1]) + ", " +
              run::brief(first[2]) + ", " + run::brief(first[3]) +
              " m) set time.dt to a shorter step, or refine the grid at the wall");
}

template <Execution E> int Population<E>::sort(E execution) {
  sort(execution, order_, at(), markers());
  return 1;
}

template <Execution E> int Population<E>::sort_midway(E execution) {
  sort(execution, midway_order_, midway(), markers());
  if (points_at_markers_) return 1;
  sort(execution, point_order_, point_places(), points());
  return 2;
}

template <Execution E> ConstPoints Population<E>::point_places() const {
  return points_at_markers_ ? midway() : population::const_pointers(point_);
}

template <Execution E> void Population<E>::keep_whole_orders() { (points_at_markers_ ? midway_order_ : point_order_).keep_whole(); }

template <Execution E> OrderedPoints Population<E>::ordered_points(E execution) const {
  return {(points_at_markers_ ? midway_order_ : point_order_).whole().view(execution), point_places(), membrane_of_.data(), points()};
}

template <Execution E> void Population<E>::find_velocity(E execution, MarkerMaps& maps, const ConstVectorField& u) {
  maps.interpolate(execution, order_, u, markers(), at(), run::pointers(velocity_));
}

template <Execution E> void Population<E>::find_velocity_midway(E execution, MarkerMaps& maps, const ConstVectorField& u) {
  maps.interpolate(execution, midway_order_, u, markers(), midway(), run::pointers(velocity_));
}

template <Execution E> void Population<E>::move_midway(E execution, double dt) { place_midway(execution, velocities(), dt); }

template <Execution E> void Population<E>::place_midway(E execution, const ConstPoints& direction, double by) {
  for (std::size_t d = 0; d < 3; ++d)
    values::set_moved(execution, markers(), position[d]->data(), direction[d], by, midway_[d].data());
}

template <Execution E> void Population<E>::move(E execution, double dt) {
  for (std::size_t d = 0; d < 3; ++d)
    values::set_moved(execution, markers(), position[d]->data(), velocity_[d]->data(), dt, position[d]->data());
}

template <Execution E> void Population<E>::find_forces(E execution) {
  const auto each = [&](const Points& values, auto find) {
    by_shares(execution, points(), values, [&] {
      for (Kind& kind : kinds_) find(*kind.membranes, population::from(midway(), kind.first_marker), population::from(values, kind.first_point));
    });
  };
  each(forces(), [&](Membranes<E>& of, const ConstPoints& x, const Points& F) { of.forces(execution, x, F); });
  if (points_at_markers_) return;
  each(population::pointers(point_), [&](Membranes<E>& of, const ConstPoints& x, const Points& at) { of.place_force_points(execution, x, at); });
}

template <Execution E> bool Population<E>::viscous() const {
  return std::any_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.membranes->viscous(); });
}

template <Execution E>
void Population<E>::find_viscous_forces(E execution, const ConstPoints& velocities, const Points& forces) {
  by_shares(execution, markers(), forces, [&] {
    for (Kind& kind : kinds_) {
      const Points to = population::from(forces, kind.first_marker);
      if (kind.membranes->viscous()) {
        kind.membranes->viscous_forces(execution, population::from(midway(), kind.first_marker),
                                       population::from(velocities, kind.first_marker), to);
        continue;
      }
      const std::int64_t n = kind.membranes->count() * kind.membranes->markers_per_membrane();
      for (double* const component : to) values::fill(execution, n, component, 0);
    }
  });
}

template <Execution E> Points Population<E>::forces() { return population::pointers(point_force_); }
template <Execution E> ConstPoints Population<E>::forces() const { return population::const_pointers(point_force_); }
template <Execution E> ConstPoints Population<E>::forces_of(const Kind& kind) const {
  return population::from(population::const_pointers(point_force_), kind.first_point);
}

template <Execution E> void Population<E>::spread(E execution, MarkerMaps& maps, const VectorField& force) {
  maps.spread(execution, points_at_markers_ ? midway_order_ : point_order_, points(), population::const_pointers(point_force_),
              force);
}

template <Execution E>
void Population<E>::spread_midway(E execution, MarkerMaps& maps, const ConstPoints& values, const VectorField& field) const {
  maps.spread(execution, midway_order_, markers(), values, field);
}

template <Execution E>
void Population<E>::find_change(E execution, const MarkerMaps& maps, const ConstVectorField& u, const Points& to) const {
  maps.interpolate_change(execution, midway_order_, u, markers(), to);
}

template <Execution E> double Population<E>::power_of_profile(E execution, const MarkerMaps& maps) const {
  return maps.power_on_points(execution, points(), point_places(), population::const_pointers(point_force_));
}

/// Of the own membranes: others are another population's.
template <Execution E> template <class T> void Population<E>::take(const Array<T>& of_all, std::span<T> to) const {
  const std::vector<T> found = of_all.values();
  for (const Kind& kind : kinds_)
    std::copy_n(found.begin() + kind.first_membrane, kind.membranes->count(), to.begin() + kind.first_membrane);
}

template <Execution E> void Population<E>::measure(E execution, std::span<MembraneMeasures> all) {
  MembraneMeasures* to = all.data();
  if constexpr (!std::same_as<E, Cpu>) {
    measures_.resize(static_cast<std::int64_t>(all.size()));
    to = measures_.data();
  }
  for (Kind& kind : kinds_) {
    const auto n = static_cast<std::size_t>(kind.membranes->count());
    const std::span<double> numbers = team_ ? population::numbers_of({to + kind.first_membrane, n}) : std::span<double>{};
    std::fill(numbers.begin(), numbers.end(), 0.0);
    kind.membranes->measure(execution, population::from(at(), kind.first_marker), to + kind.first_membrane);
    if (team_) team_->join(numbers);
  }
  if constexpr (!std::same_as<E, Cpu>) take(measures_, all);
}

template <Execution E>
void Population<E>::find_stresslets(E execution, std::span<const MembraneMeasures> all, std::span<Stresslet> stresslets) {
  const ConstPoints x = point_places(), F = std::as_const(*this).forces();
  const MembraneMeasures* measures = all.data();
  Stresslet* to = stresslets.data();
  if constexpr (!std::same_as<E, Cpu>) {
    stresslets_.resize(static_cast<std::int64_t>(all.size()));
    measures = measures_.data(), to = stresslets_.data();
  }
  for (const Kind& kind : kinds_)
    population::set_stresslets(execution, kind.membranes->count(), kind.membranes->force_points_per_membrane(),
                               population::from(x, kind.first_point), population::from(F, kind.first_point),
                               measures + kind.first_membrane, stresslet_parts_, to + kind.first_membrane);
  if constexpr (!std::same_as<E, Cpu>) take(stresslets_, stresslets);
}

template <Execution E>
SurfacesOnHost Population<E>::surfaces_on_host(const ConstPoints& x, const std::int32_t* corners) const {
  SurfacesOnHost all{.x = x, .markers = markers(), .corners = corners, .kinds = {}};
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const std::int64_t end = k + 1 < kinds_.size() ? kinds_[k + 1].first_triangle : triangles_.size() / 3;
    all.kinds.push_back({kinds_[k].surface, kinds_[k].first_triangle, end, kinds_[k].membranes->count()});
  }
  return all;
}

template <Execution E> std::vector<typename Population<E>::Extent> Population<E>::extents(E execution, const Kind& kind) {
  spans_.resize(kind.membranes->count());
  population::set_spans(execution, kind.membranes->count(), kind.membranes->markers_per_membrane(),
                        population::from(at(), kind.first_marker), population::from(velocities(), kind.first_marker), span_parts_,
                        spans_.data());
  std::vector<Extent> all;
  for (const Span& span : spans_.values()) {
    Extent e{.velocity = span.velocity};
    for (std::size_t d = 0; d < 3; ++d) e.length[d] = span.high[d] - span.low[d];
    all.push_back(e);
  }
  return all;
}

template <Execution E>
void Population<E>::shift(E execution, const Kind& kind, std::int64_t c, const std::array<double, 3>& by) {
  const std::int64_t n = kind.membranes->markers_per_membrane(), first = kind.first_marker + c * n;
  for (std::size_t d = 0; d < 3; ++d) values::shift(execution, n, position[d]->data() + first, by[d]);
  if constexpr (!std::same_as<E, Cpu>)
    population::shift_centroid(execution, measures_.data(), kind.first_membrane + c, by);
}

} // namespace corral::structure
