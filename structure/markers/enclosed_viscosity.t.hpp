#pragma once

/// The field of enclosed_viscosity.hpp, for either processor.

#include "geometry/vector.hpp"
#include "structure/markers/enclosed_viscosity.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <cstddef>

namespace corral::structure {

namespace enclosed_viscosity {

CORRAL_HOST_DEVICE inline geometry::Vector place_of(const ConstPoints& x, std::int32_t m) { return {x[0][m], x[1][m], x[2][m]}; }

/// Of triangles [begin, end): their middles, and 3/4 of their area vectors times a weight.
template <Execution E>
void set_triangles(E execution, std::int64_t begin, std::int64_t end, const std::int32_t* corners, const ConstPoints& x, double weight,
                   const Points& middles, const Points& areas) {
  for_each(execution, end - begin, [=] CORRAL_BODY(std::int64_t i) {
    using namespace geometry;
    const std::int64_t t = begin + i;
    const std::int32_t* const c = corners + 3 * t;
    const Vector p = place_of(x, c[0]), q = place_of(x, c[1]), r = place_of(x, c[2]), twice = cross(q - p, r - p);
    for (std::size_t d = 0; d < 3; ++d) {
      middles[d][t] = (p[d] + q[d] + r[d]) / 3;
      areas[d][t] = 3.0 / 8 * weight * twice[d];
    }
  });
}

/// Of markers: a ninth of those of the triangles around, which are 3/4 of what they have.
template <Execution E>
void gather_areas(E execution, std::int64_t markers, const std::int32_t* first, const std::int32_t* triangles, const ConstPoints& areas,
                  const Points& to) {
  for_each(execution, markers, [=] CORRAL_BODY(std::int64_t m) {
    double total[3] = {0, 0, 0};
    for (std::int32_t k = first[m]; k < first[m + 1]; ++k)
      for (std::size_t d = 0; d < 3; ++d) total[d] += areas[d][triangles[k]];
    for (std::size_t d = 0; d < 3; ++d) to[d][m] = total[d] / 9;
  });
}

/// A third of the middle times the whole area, of all.
template <Execution E> double enclosed(E execution, std::int64_t triangles, const ConstPoints& middles, const ConstPoints& areas) {
  return sum(execution, triangles, [=] CORRAL_BODY(std::int64_t t) {
    return 4.0 / 9 * (areas[0][t] * middles[0][t] + areas[1][t] * middles[1][t] + areas[2][t] * middles[2][t]);
  });
}

/// mu = outside/(1 + mu), 1/lambda held between its least and its most.
template <Execution E> void set_viscosity(E execution, std::int64_t n, double outside, double least, double most, double* mu) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t c) {
    const double inverse = 1 + mu[c];
    mu[c] = outside / (inverse < least ? least : most < inverse ? most : inverse);
  });
}

} // namespace enclosed_viscosity

template <Execution E>
EnclosedViscosity<E>::EnclosedViscosity(const Immersed& setup, const fluid::Domain& domain, const std::string& kernel,
                                        Method method, run::Registry& registry)
    : volume_(domain.whole().cell_volume() * static_cast<double>(domain.whole().cells())), outside_(setup.fluid.mu),
      maps_(domain, kernel, method, run::on_faces, memory), potential_(domain), order_(domain),
      field_(fluid::make_face_arrays(domain.grid(), 0, memory)),
      viscosity_(registry.declare_field("viscosity", "Pa s", "of the fluid, smeared over the kernel's width",
                                        Staggering::centre, run::Use::shown)) {
  for (const SurfaceModel& kind : setup.surfaces) {
    const double inverse = 1 / kind.viscosity_ratio.value_or(1);
    weights_.push_back(inverse - 1);
    least_ = std::min(least_, inverse), most_ = std::max(most_, inverse);
  }
  for (auto* vectors : {&middles_, &whole_areas_, &areas_})
    for (auto& component : *vectors) component = Array<double>(memory);
}

template <Execution E> const double* EnclosedViscosity<E>::find(E execution, const std::deque<Population<E>>& populations) {
  while (around_.size() < populations.size()) around_.push_back(around(populations[around_.size()]));
  const fluid::FacePointers field = fluid::writable_pointers(field_);
  maps_.clear(execution, field);
  double volume = 0;
  for (std::size_t k = 0; k < populations.size(); ++k) {
    const Population<E>& p = populations[k];
    volume += find_areas(execution, p, around_[k]);
    p.spread_midway(execution, maps_, {areas_[0].data(), areas_[1].data(), areas_[2].data()}, field);
    const std::int64_t triangles = p.triangles().size() / 3;
    order_.sort(execution, {middles_[0].data(), middles_[1].data(), middles_[2].data()}, triangles);
    maps_.spread(execution, order_, triangles, {whole_areas_[0].data(), whole_areas_[1].data(), whole_areas_[2].data()}, field);
  }
  double* const mu = viscosity_.data();
  potential_.find(execution, fluid::pointers(field_), volume / volume_, mu);
  enclosed_viscosity::set_viscosity(execution, viscosity_.size(), outside_, least_, most_, mu);
  return mu;
}

template <Execution E> double EnclosedViscosity<E>::find_areas(E execution, const Population<E>& p, const Around& near) {
  using namespace enclosed_viscosity;
  const std::int64_t triangles = p.triangles().size() / 3;
  for (auto& component : areas_) component.resize(p.markers());
  for (auto* vectors : {&middles_, &whole_areas_})
    for (auto& component : *vectors) component.resize(triangles);
  const ConstPoints whole{whole_areas_[0].data(), whole_areas_[1].data(), whole_areas_[2].data()};
  for (std::size_t k = 0; k < p.kinds().size(); ++k) {
    const std::int64_t end = k + 1 < p.kinds().size() ? p.kinds()[k + 1].first_triangle : triangles;
    set_triangles(execution, p.kinds()[k].first_triangle, end, p.triangles().data(), p.midway(), weights_[p.kinds()[k].surface],
                  {middles_[0].data(), middles_[1].data(), middles_[2].data()},
                  {whole_areas_[0].data(), whole_areas_[1].data(), whole_areas_[2].data()});
  }
  gather_areas(execution, p.markers(), near.first.data(), near.triangles.data(), whole, {areas_[0].data(), areas_[1].data(), areas_[2].data()});
  return enclosed(execution, triangles, {middles_[0].data(), middles_[1].data(), middles_[2].data()}, whole);
}

template <Execution E> auto EnclosedViscosity<E>::around(const Population<E>& p) -> Around {
  const std::vector<std::int32_t> corners = p.triangles().values();
  std::vector<std::int32_t> first(static_cast<std::size_t>(p.markers()) + 1, 0), triangles(corners.size());
  for (const std::int32_t m : corners) ++first[static_cast<std::size_t>(m) + 1];
  for (std::size_t m = 1; m < first.size(); ++m) first[m] += first[m - 1];
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (std::size_t c = 0; c < corners.size(); ++c)
    triangles[static_cast<std::size_t>(next[static_cast<std::size_t>(corners[c])]++)] = static_cast<std::int32_t>(c / 3);
  Around near;
  near.first.assign(first);
  near.triangles.assign(triangles);
  return near;
}

} // namespace corral::structure
