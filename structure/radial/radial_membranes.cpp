#include "structure/radial/radial_membranes.hpp"

#include "structure/radial/elasticity.hpp"
#include "structure/radial/force_rules.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace corral::structure {

using namespace radial;

struct RadialMembranes::Parts {
  Parts(Cpu cpu, std::shared_ptr<const SphereSites> all_sites, const ConstPoints& positions, const Material& material,
        RadialForces rule)
      : sites(std::move(all_sites)), reference(cpu, *sites, positions, material) {
    if (rule == RadialForces::variational) variational.emplace(cpu, *sites);
  }

  SurfaceKind kind(const Material& material) const { return {*sites, reference, material}; }
  TetherPoints pulling(const Material& material) const {
    if (material.tether_stiffness == 0) return {};
    if (anchors[0].empty()) throw Error("tethers without anchors (the material has tethers) call set_anchors first");
    return {{anchors[0].data(), anchors[1].data(), anchors[2].data()}};
  }

  std::shared_ptr<const SphereSites> sites;
  ReferenceShape reference;
  PlacedShapes placed;
  SampledShapes sampled;
  CollocatedRule collocated;
  std::optional<VariationalRule> variational; ///< where forces follow that rule
  std::array<Array<double>, 3> anchors;       ///< at force points [m]; empty: none
};

void radial::require_material(const Material& material) {
  if (material.bending_law == BendingLaw::dihedral)
    throw Error("bending of edges on a surface by radial basis functions (it has no edges) ask for helfrich, or for "
                "triangles");
  const double values[] = {material.shear_modulus,    material.area_ratio,     material.bending_modulus,
                           material.volume_stiffness, material.area_stiffness, material.tether_stiffness,
                           material.tension};
  for (const double value : values)
    if (!(value >= 0) || !std::isfinite(value))
      throw Error("a membrane's modulus of " + std::to_string(value) + " (negative or not finite) give 0 or more");
}

RadialMembranes::RadialMembranes(Cpu cpu, std::shared_ptr<const SphereSites> sites, const ConstPoints& reference,
                                 const Material& material, std::int64_t count, RadialForces rule)
    : count_(count), material_(material) {
  require_material(material);
  parts_ = std::make_unique<Parts>(cpu, std::move(sites), reference, material, rule);
}
RadialMembranes::~RadialMembranes() = default;

std::int64_t RadialMembranes::markers_per_membrane() const { return parts_->sites->data().count(); }
std::int64_t RadialMembranes::force_points_per_membrane() const { return parts_->sites->samples().count(); }
double RadialMembranes::rest_volume() const { return parts_->reference.volume(); }
double RadialMembranes::rest_area() const { return parts_->reference.area(); }

void RadialMembranes::set_anchors(Cpu cpu, const ConstPoints& markers) {
  for (Array<double>& anchor : parts_->anchors) anchor.resize(count_ * force_points_per_membrane());
  auto& anchors = parts_->anchors;
  place_force_points(cpu, markers, {anchors[0].data(), anchors[1].data(), anchors[2].data()});
}

void RadialMembranes::place_force_points(Cpu cpu, const ConstPoints& markers, const Points& force_points) {
  const std::int64_t points = force_points_per_membrane();
  each_group(share(), [&](const Group& group) {
    parts_->placed.place(cpu, parts_->sites->data(), markers, group);
    parts_->sampled.sample(cpu, parts_->placed, parts_->sites->at_samples(), SurfaceDerivative::value);
    for_each_chunk(cpu, points, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t m = 0; m < group.count; ++m)
        for (std::int64_t i = begin; i < end; ++i) {
          const radial::Vector x = parts_->placed.origin(m) + parts_->sampled.position(i, m);
          for (std::size_t d = 0; d < 3; ++d)
            force_points[d][(group.first + m) * points + i] = x[d];
        }
    });
  });
}

void RadialMembranes::forces(Cpu cpu, const ConstPoints& markers, const Points& forces) {
  const SurfaceKind kind = parts_->kind(material_);
  const TetherPoints anchors = parts_->pulling(material_);
  each_group(share(), [&](const Group& group) {
    parts_->placed.place(cpu, kind.sites.data(), markers, group);
    if (parts_->variational)
      parts_->variational->forces(cpu, kind, parts_->placed, parts_->sampled, anchors, forces);
    else parts_->collocated.forces(cpu, kind, parts_->placed, parts_->sampled, anchors, forces);
  });
}

void RadialMembranes::measure(Cpu cpu, const ConstPoints& markers, MembraneMeasures* measures) {
  const SurfaceKind kind = parts_->kind(material_);
  const TetherPoints anchors = parts_->pulling(material_);
  each_group(share(), [&](const Group& group) {
    parts_->placed.place(cpu, kind.sites.data(), markers, group);
    measure_group(cpu, kind, parts_->placed, parts_->sampled, anchors,
                  {measures + group.first, static_cast<std::size_t>(group.count)});
  });
}

void RadialMembranes::describe_markers(Cpu cpu, const ConstPoints& markers, const MarkerColumns& columns) {
  const SiteOperators& operators = parts_->sites->at_data();
  const std::int64_t sites = markers_per_membrane();
  SampledShapes shapes;
  each_group({0, count_}, [&](const Group& group) {
    parts_->placed.place(cpu, parts_->sites->data(), markers, group);
    shapes.sample_first(cpu, parts_->placed, operators);
    shapes.sample_second(cpu, parts_->placed, operators);
    for_each_chunk(cpu, sites, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t m = 0; m < group.count; ++m)
        for (std::int64_t j = begin; j < end; ++j) {
          const std::int64_t marker = (group.first + m) * sites + j;
          const Tangents tangents = shapes.tangents(j, m);
          const auto [larger, smaller] =
              principal_tensions(parts_->reference.metric_at_data(j), tangents.metric(), material_);
          if (columns.mean_curvature) columns.mean_curvature[marker] = Curvature(tangents, shapes.bends(j, m)).mean;
          if (columns.larger_tension) columns.larger_tension[marker] = larger;
          if (columns.smaller_tension) columns.smaller_tension[marker] = smaller;
        }
    });
  });
}

} // namespace corral::structure
