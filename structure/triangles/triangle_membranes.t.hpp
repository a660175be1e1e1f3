#pragma once

/// The membranes of triangle_membranes.hpp, for either processor.

#include "structure/triangles/bending.hpp"
#include "structure/triangles/loops.hpp"
#include "structure/triangles/triangle_membranes.hpp"
#include "structure/triangles/viscosity.hpp"
#include "structure/values.t.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>

namespace corral::structure {

namespace triangles {

/// Triangles that go through all passes before others: their scratch, 150 bytes each, is then still in a cache. On one
/// core a quarter as many are 10 % faster, four times as many 10 to 20 % slower; fewer leave threads without work. On a
/// device all of them go through at once, up to 600 MB.
template <Execution E> inline constexpr std::int64_t at_once = std::same_as<E, Cpu> ? 1 << 16 : 1 << 22;

inline std::int64_t sound_count(std::int64_t count) {
  if (count < 0) throw Error(std::to_string(count) + " membranes (a count is never negative)");
  return count;
}

inline Points offset(const Points& points, std::int64_t by) { return {points[0] + by, points[1] + by, points[2] + by}; }

} // namespace triangles

template <Execution E>
TriangleMembranes<E>::TriangleMembranes(std::span<const Vector> points,
                                        std::span<const std::array<std::int32_t, 3>> triangles, const Material& material,
                                        std::int64_t count, std::span<const Vector> reference)
    : material_(material), strain_energy_{material.law, material.shear_modulus, material.area_ratio},
      count_(triangles::sound_count(count)), shape_(points, triangles, material, reference, memory),
      at_once_(std::clamp<std::int64_t>(triangles::at_once<E> / shape_.triangles(), 1, std::max<std::int64_t>(count, 1))),
      corner_forces_(9 * at_once_ * shape_.triangles(), memory), normals_(4 * at_once_ * shape_.triangles(), memory),
      areas_(3 * at_once_ * shape_.triangles(), memory), terms_(memory), extent_parts_(memory), extents_(at_once_, memory),
      pulls_(at_once_, memory), sum_parts_(memory), sums_of_triangles_(at_once_, memory), sums_of_vertices_(at_once_, memory) {
  for (auto& component : anchors_) component = Array<double>(memory);
  if (material.bending_law == BendingLaw::helfrich) terms_.resize(7 * at_once_ * shape_.vertices());
}

template <Execution E> template <class Pass> void TriangleMembranes<E>::in_batches(const MembraneShare& of, Pass pass) const {
  for (std::int64_t first = of.begin; first < of.end; first += at_once_) pass(first, std::min(at_once_, of.end - first));
}

template <Execution E> MembraneView TriangleMembranes<E>::from(const ConstPoints& markers, std::int64_t first) const {
  const std::int64_t by = first * shape_.vertices();
  return {shape_.connectivity(), {markers[0] + by, markers[1] + by, markers[2] + by}};
}

template <Execution E> TetherSprings TriangleMembranes<E>::tethers_from(std::int64_t first) const {
  if (material_.tether_stiffness == 0) return {};
  const std::int64_t by = first * shape_.vertices();
  return {material_.tether_stiffness, {anchors_[0].data() + by, anchors_[1].data() + by, anchors_[2].data() + by}};
}

template <Execution E> void TriangleMembranes<E>::require_anchors() const {
  if (material_.tether_stiffness > 0 && anchors_[0].size() != count_ * shape_.vertices())
    throw Error("tethered membranes have no anchors (their tethers pull nowhere) set them first");
}

template <Execution E> void TriangleMembranes<E>::set_anchors(E execution, const ConstPoints& anchors) {
  const std::int64_t size = count_ * shape_.vertices();
  for (std::size_t d = 0; d < 3; ++d) {
    anchors_[d].resize(size);
    values::copy(execution, size, anchors[d], anchors_[d].data());
  }
}

template <Execution E>
void TriangleMembranes<E>::place_force_points(E execution, const ConstPoints& markers, const Points& force_points) {
  for (std::size_t d = 0; d < 3; ++d) values::copy(execution, count_ * shape_.vertices(), markers[d], force_points[d]);
}

template <Execution E>
void TriangleMembranes<E>::add_bending(E execution, std::int64_t membranes, const MembraneView& membrane) {
  if (material_.bending_law == BendingLaw::none) return;
  const ReferenceView reference = shape_.reference();
  const bool hinges = material_.bending_law == BendingLaw::dihedral;
  set_normals(execution, membranes, membrane, reference.metric, normals_.data(), hinges ? nullptr : areas_.data());
  if (hinges) {
    add_dihedral(execution, membranes, membrane, normals_.data(), reference.fold, hinge_stiffness(material_.bending_modulus),
                 corner_forces_.data());
    return;
  }
  set_helfrich_terms(execution, membranes, membrane, normals_.data(), areas_.data(), reference.curvature,
                     material_.bending_modulus, terms_.data());
  add_helfrich(execution, membranes, membrane, normals_.data(), terms_.data(), corner_forces_.data());
}

template <Execution E> void TriangleMembranes<E>::forces(E execution, const ConstPoints& markers, const Points& forces) {
  require_anchors();
  const ReferenceView reference = shape_.reference();
  const ExtentPenalty& penalty = shape_.penalty();
  in_batches(this->share(), [&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    if (penalty.acts()) set_pulls(execution, membranes, membrane, penalty, extent_parts_, extents_.data(), pulls_.data());
    set_in_plane(execution, membranes, membrane, reference.metric, strain_energy_, penalty.acts() ? pulls_.data() : nullptr,
                 corner_forces_.data());
    add_bending(execution, membranes, membrane);
    gather_forces(execution, membranes, membrane, corner_forces_.data(), tethers_from(first), reference.area,
                  triangles::offset(forces, first * shape_.vertices()));
  });
}

template <Execution E>
void TriangleMembranes<E>::viscous_forces(E execution, const ConstPoints& markers, const ConstPoints& velocities,
                                          const Points& forces) {
  const ReferenceView reference = shape_.reference();
  in_batches(this->share(), [&](std::int64_t first, std::int64_t membranes) {
    set_viscous(execution, membranes, from(markers, first), reference.metric, from(velocities, first).markers,
                {material_.shear_viscosity, material_.dilatation_viscosity}, corner_forces_.data());
    gather_forces(execution, membranes, from(markers, first), corner_forces_.data(), {}, reference.area,
                  triangles::offset(forces, first * shape_.vertices()));
  });
}

template <Execution E> void TriangleMembranes<E>::elastic_forces(E execution, const ConstPoints& markers, const Points& forces) {
  const ReferenceView reference = shape_.reference();
  in_batches(all(), [&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    set_in_plane(execution, membranes, membrane, reference.metric, strain_energy_, nullptr, corner_forces_.data());
    gather_forces(execution, membranes, membrane, corner_forces_.data(), {}, reference.area,
                  triangles::offset(forces, first * shape_.vertices()));
  });
}

template <Execution E> void TriangleMembranes<E>::bending_forces(E execution, const ConstPoints& markers, const Points& forces) {
  in_batches(all(), [&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    values::fill(execution, corner_forces_.size(), corner_forces_.data(), 0);
    add_bending(execution, membranes, membrane);
    gather_forces(execution, membranes, membrane, corner_forces_.data(), {}, shape_.reference().area,
                  triangles::offset(forces, first * shape_.vertices()));
  });
}

template <Execution E> BendingSums TriangleMembranes<E>::bending_sums() {
  const double kappa = material_.bending_modulus;
  const bool hinges = material_.bending_law == BendingLaw::dihedral;
  return {material_.bending_law, hinges ? hinge_stiffness(kappa) : kappa, normals_.data(), areas_.data()};
}

template <Execution E> void TriangleMembranes<E>::measure(E execution, const ConstPoints& markers, MembraneMeasures* measures) {
  require_anchors();
  const ReferenceView reference = shape_.reference();
  in_batches(this->share(), [&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    if (material_.bending_law == BendingLaw::dihedral)
      set_normals(execution, membranes, membrane, reference.metric, normals_.data(), nullptr);
    sum_triangles(execution, membranes, membrane, reference, strain_energy_, bending_sums(), sum_parts_,
                  sums_of_triangles_.data());
    sum_vertices(execution, membranes, membrane, reference, bending_sums(), tethers_from(first), sum_parts_,
                 sums_of_vertices_.data());
    set_measures(execution, membranes, membrane, sums_of_triangles_.data(), sums_of_vertices_.data(), shape_.penalty(),
                 measures + first);
  });
}

template <Execution E>
void TriangleMembranes<E>::tensions(E execution, const ConstPoints& markers, double* larger, double* smaller) const {
  set_tensions(execution, count_, from(markers, 0), shape_.reference().metric, strain_energy_, larger, smaller);
}

template <Execution E>
void TriangleMembranes<E>::area_ratios(E execution, const ConstPoints& markers, double* ratios) const {
  set_area_ratios(execution, count_, from(markers, 0), shape_.reference().metric, ratios);
}

template <Execution E>
void TriangleMembranes<E>::mean_curvatures(E execution, const ConstPoints& markers, double* curvatures) {
  in_batches(all(), [&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    set_normals(execution, membranes, membrane, shape_.reference().metric, normals_.data(), areas_.data());
    set_mean_curvatures(execution, membranes, membrane, normals_.data(), areas_.data(),
                        curvatures + first * shape_.vertices());
  });
}

} // namespace corral::structure
