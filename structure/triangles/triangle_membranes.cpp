#include "structure/triangles/triangle_membranes.hpp"

#include "structure/triangles/bending.hpp"
#include "structure/triangles/loops.hpp"
#include "structure/triangles/viscosity.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

namespace corral::structure {

namespace {

/// Triangles that go through all passes before others: their scratch, 150 bytes each, is then still in a cache. On one
/// core a quarter as many are 10 % faster, four times as many 10 to 20 % slower; fewer leave threads without work.
constexpr std::int64_t triangles_at_once = 1 << 16;

std::span<const Vector> of_size(std::span<const Vector> points, std::size_t size, const char* what) {
  if (points.size() != size)
    throw Error(std::string(what) + " of a membrane has " + std::to_string(points.size()) + " points (its mesh has " +
                std::to_string(size) + ")");
  for (std::size_t v = 0; v < size; ++v)
    for (const double x : points[v])
      if (!std::isfinite(x))
        throw Error(std::string(what) + " of a membrane has point " + std::to_string(v) + " nowhere (not finite)");
  return points;
}

const Material& sound(const Material& material) {
  const auto require = [](double value, const char* what) {
    if (!(std::isfinite(value) && value >= 0))
      throw Error("a membrane's " + std::string(what) + " is " + std::to_string(value) + " (finite and not negative)");
  };
  require(material.shear_modulus, "shear modulus");
  require(material.bending_modulus, "bending modulus");
  require(material.volume_stiffness, "volume stiffness");
  require(material.area_stiffness, "area stiffness");
  require(material.tension, "tension");
  require(material.tether_stiffness, "tether stiffness");
  require(material.shear_viscosity, "viscosity");
  require(material.dilatation_viscosity, "dilatation viscosity");
  if (!(std::isfinite(material.area_ratio) && material.area_ratio > -0.5))
    throw Error("a membrane's area ratio C is " + std::to_string(material.area_ratio) +
                " (its area modulus G_s (1 + 2 C) would not be positive)");
  return material;
}

std::int64_t sound_count(std::int64_t count) {
  if (count < 0) throw Error(std::to_string(count) + " membranes (a count is never negative)");
  return count;
}

Points offset(const Points& points, std::int64_t by) { return {points[0] + by, points[1] + by, points[2] + by}; }

} // namespace

TriangleMembranes::TriangleMembranes(std::span<const Vector> points,
                                     std::span<const std::array<std::int32_t, 3>> triangles, const Material& material,
                                     std::int64_t count, std::span<const Vector> reference)
    : material_(sound(material)), strain_energy_{material.law, material.shear_modulus, material.area_ratio},
      count_(sound_count(count)), connectivity_(static_cast<std::int64_t>(points.size()), triangles),
      reference_(connectivity_,
                 of_size(reference.empty() ? of_size(points, points.size(), "the shape") : reference, points.size(),
                         "the reference shape"),
                 material),
      at_once_(
          std::clamp<std::int64_t>(triangles_at_once / connectivity_.triangles(), 1, std::max<std::int64_t>(count, 1))),
      corner_forces_(9 * at_once_ * connectivity_.triangles()), normals_(4 * at_once_ * connectivity_.triangles()),
      areas_(3 * at_once_ * connectivity_.triangles()), extents_(at_once_), pulls_(at_once_),
      sums_of_triangles_(at_once_), sums_of_vertices_(at_once_) {
  if (material.bending_law == BendingLaw::helfrich) terms_.resize(7 * at_once_ * connectivity_.vertices());
  const VolumeAndArea extent = extent_of(points);
  const double round_off = 1e-12 * extent.area * std::sqrt(extent.area);
  if (extent.volume < -round_off)
    throw Error("a membrane's triangles look inward (its volume is negative) reverse them");
  if (material.volume_stiffness > 0 && extent.volume <= round_off)
    throw Error("a membrane without volume (there is none that a volume stiffness could hold)");
  penalty_ = {material.volume_stiffness, material.area_stiffness, material.tension, std::max(extent.volume, round_off),
              extent.area};
}

/// As later sums go, so that a membrane that starts is at rest to the bit.
VolumeAndArea TriangleMembranes::extent_of(std::span<const Vector> points) {
  const std::array<Array<double>, 3> places = components(points);
  const MembraneView membrane{connectivity_.view(), view(places)};
  set_pulls(Cpu{}, 1, membrane, {}, extent_parts_, extents_.data(), pulls_.data());
  return extents_[0];
}

template <class Pass> void TriangleMembranes::in_batches(Pass pass) const {
  for (std::int64_t first = 0; first < count_; first += at_once_) pass(first, std::min(at_once_, count_ - first));
}

MembraneView TriangleMembranes::from(const ConstPoints& markers, std::int64_t first) const {
  const std::int64_t by = first * connectivity_.vertices();
  return {connectivity_.view(), {markers[0] + by, markers[1] + by, markers[2] + by}};
}

TetherSprings TriangleMembranes::tethers_from(std::int64_t first) const {
  if (material_.tether_stiffness == 0) return {};
  const std::int64_t by = first * connectivity_.vertices();
  return {material_.tether_stiffness, {anchors_[0].data() + by, anchors_[1].data() + by, anchors_[2].data() + by}};
}

void TriangleMembranes::require_anchors() const {
  if (material_.tether_stiffness > 0 && anchors_[0].size() != count_ * connectivity_.vertices())
    throw Error("tethered membranes have no anchors (their tethers pull nowhere) set them first");
}

void TriangleMembranes::set_anchors(Cpu cpu, const ConstPoints& anchors) {
  const std::int64_t size = count_ * connectivity_.vertices();
  for (std::size_t d = 0; d < 3; ++d) {
    anchors_[d].resize(size);
    const double* const from = anchors[d];
    double* const to = anchors_[d].data();
    for_each(cpu, size, [=](std::int64_t i) { to[i] = from[i]; });
  }
}

void TriangleMembranes::place_force_points(Cpu cpu, const ConstPoints& markers, const Points& force_points) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double* const from = markers[d];
    double* const to = force_points[d];
    for_each(cpu, count_ * connectivity_.vertices(), [=](std::int64_t i) { to[i] = from[i]; });
  }
}

void TriangleMembranes::add_bending(Cpu cpu, std::int64_t membranes, const MembraneView& membrane) {
  if (material_.bending_law == BendingLaw::none) return;
  const ReferenceView reference = reference_.view();
  const bool hinges = material_.bending_law == BendingLaw::dihedral;
  set_normals(cpu, membranes, membrane, reference.metric, normals_.data(), hinges ? nullptr : areas_.data());
  if (hinges) {
    add_dihedral(cpu, membranes, membrane, normals_.data(), reference.fold, hinge_stiffness(material_.bending_modulus),
                 corner_forces_.data());
    return;
  }
  set_helfrich_terms(cpu, membranes, membrane, normals_.data(), areas_.data(), reference.curvature,
                     material_.bending_modulus, terms_.data());
  add_helfrich(cpu, membranes, membrane, normals_.data(), terms_.data(), corner_forces_.data());
}

void TriangleMembranes::forces(Cpu cpu, const ConstPoints& markers, const Points& forces) {
  require_anchors();
  const ReferenceView reference = reference_.view();
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    if (penalty_.acts()) set_pulls(cpu, membranes, membrane, penalty_, extent_parts_, extents_.data(), pulls_.data());
    set_in_plane(cpu, membranes, membrane, reference.metric, strain_energy_, penalty_.acts() ? pulls_.data() : nullptr,
                 corner_forces_.data());
    add_bending(cpu, membranes, membrane);
    gather_forces(cpu, membranes, membrane, corner_forces_.data(), tethers_from(first), reference.area,
                  offset(forces, first * connectivity_.vertices()));
  });
}

void TriangleMembranes::viscous_forces(Cpu cpu, const ConstPoints& markers, const ConstPoints& velocities,
                                       const Points& forces) {
  const ReferenceView reference = reference_.view();
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    set_viscous(cpu, membranes, from(markers, first), reference.metric, from(velocities, first).markers,
                {material_.shear_viscosity, material_.dilatation_viscosity}, corner_forces_.data());
    gather_forces(cpu, membranes, from(markers, first), corner_forces_.data(), {}, reference.area,
                  offset(forces, first * connectivity_.vertices()));
  });
}

void TriangleMembranes::elastic_forces(Cpu cpu, const ConstPoints& markers, const Points& forces) {
  const ReferenceView reference = reference_.view();
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    set_in_plane(cpu, membranes, membrane, reference.metric, strain_energy_, nullptr, corner_forces_.data());
    gather_forces(cpu, membranes, membrane, corner_forces_.data(), {}, reference.area,
                  offset(forces, first * connectivity_.vertices()));
  });
}

void TriangleMembranes::bending_forces(Cpu cpu, const ConstPoints& markers, const Points& forces) {
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    corner_forces_.zero();
    add_bending(cpu, membranes, membrane);
    gather_forces(cpu, membranes, membrane, corner_forces_.data(), {}, reference_.view().area,
                  offset(forces, first * connectivity_.vertices()));
  });
}

BendingSums TriangleMembranes::bending_sums() {
  const double kappa = material_.bending_modulus;
  const bool hinges = material_.bending_law == BendingLaw::dihedral;
  return {material_.bending_law, hinges ? hinge_stiffness(kappa) : kappa, normals_.data(), areas_.data()};
}

void TriangleMembranes::measure(Cpu cpu, const ConstPoints& markers, std::span<MembraneMeasures> measures) {
  assert(static_cast<std::int64_t>(measures.size()) == count_);
  require_anchors();
  const ReferenceView reference = reference_.view();
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    if (material_.bending_law == BendingLaw::dihedral)
      set_normals(cpu, membranes, membrane, reference.metric, normals_.data(), nullptr);
    sum_triangles(cpu, membranes, membrane, reference, strain_energy_, bending_sums(), sum_parts_,
                  sums_of_triangles_.data());
    sum_vertices(cpu, membranes, membrane, reference, bending_sums(), tethers_from(first), sum_parts_,
                 sums_of_vertices_.data());
    for (std::int64_t c = 0; c < membranes; ++c)
      measures[first + c] = measures_of(sums_of_triangles_[c], sums_of_vertices_[c], membrane.place(c, 0), penalty_);
  });
}

void TriangleMembranes::tensions(Cpu cpu, const ConstPoints& markers, double* larger, double* smaller) const {
  set_tensions(cpu, count_, from(markers, 0), reference_.view().metric, strain_energy_, larger, smaller);
}

void TriangleMembranes::area_ratios(Cpu cpu, const ConstPoints& markers, double* ratios) const {
  set_area_ratios(cpu, count_, from(markers, 0), reference_.view().metric, ratios);
}

void TriangleMembranes::mean_curvatures(Cpu cpu, const ConstPoints& markers, double* curvatures) {
  in_batches([&](std::int64_t first, std::int64_t membranes) {
    const MembraneView membrane = from(markers, first);
    set_normals(cpu, membranes, membrane, reference_.view().metric, normals_.data(), areas_.data());
    set_mean_curvatures(cpu, membranes, membrane, normals_.data(), areas_.data(),
                        curvatures + first * connectivity_.vertices());
  });
}

} // namespace corral::structure
