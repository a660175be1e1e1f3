#include "structure/radial/sampled_shapes.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::structure::radial {

void PlacedShapes::place(Cpu cpu, const Spiral& data, const ConstPoints& markers, const Group& group) {
  group_ = group;
  const std::int64_t sites = data.count();
  origins_.resize(static_cast<std::size_t>(group.count));
  data_.resize(sites, group.columns());
  data_.values.zero();
  for_each_chunk(cpu, group.count, 1, [&](std::int64_t member, std::int64_t) {
    const std::int64_t begin = (group.first + member) * sites;
    for (std::int64_t d = 0; d < 3; ++d) {
      const double* x = markers[d] + begin;
      double sum = 0;
      for (std::int64_t j = 0; j < sites; ++j) sum += x[j] - x[0];
      const double origin = x[0] + sum / static_cast<double>(sites);
      origins_[member][d] = origin;
      for (std::int64_t j = 0; j < sites; ++j) data_.at(j)[3 * member + d] = x[j] - origin;
    }
  });
  halve_values(cpu, data, data_, halved_);
}

void PlacedShapes::append(Cpu cpu, const Spiral& data, const SiteTable& functions) {
  const std::int64_t coordinates = 3 * group_.count;
  wide_.resize(data.count(), padded_columns(coordinates + group_.count));
  for_each_chunk(cpu, data.count(), sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
      double* row = wide_.at(j);
      std::copy_n(data_.at(j), coordinates, row);
      std::copy_n(functions.at(j), group_.count, row + coordinates);
      std::fill(row + coordinates + group_.count, row + wide_.columns, 0.0);
    }
  });
  halve_values(cpu, data, wide_, halved_);
}

void SampledShapes::sample(Cpu cpu, const PlacedShapes& placed, const SiteOperators& operators,
                           SurfaceDerivative derivative) {
  operators.apply(cpu, derivative, placed.halved(), tables_[static_cast<std::size_t>(derivative)]);
}

void SampledShapes::sample_first(Cpu cpu, const PlacedShapes& placed, const SiteOperators& operators) {
  for (const auto derivative : {SurfaceDerivative::first_1, SurfaceDerivative::first_2})
    sample(cpu, placed, operators, derivative);
}

void SampledShapes::sample_second(Cpu cpu, const PlacedShapes& placed, const SiteOperators& operators) {
  for (const auto derivative :
       {SurfaceDerivative::second_11, SurfaceDerivative::second_12, SurfaceDerivative::second_22})
    sample(cpu, placed, operators, derivative);
}

ReferenceShape::ReferenceShape(Cpu cpu, const SphereSites& sites, const ConstPoints& positions,
                               const Material& material) {
  const bool curved =
      material.bending_law == BendingLaw::helfrich && material.rest_curvature == RestCurvature::reference;
  PlacedShapes placed;
  placed.place(cpu, sites.data(), positions, {0, 1});
  look_at_data(cpu, sites, placed, curved);
  look_at_samples(cpu, sites, placed, curved);
  require_surface(cpu);
  if (curved) differentiate_curvature(cpu, sites);
}

void ReferenceShape::look_at_data(Cpu cpu, const SphereSites& sites, const PlacedShapes& placed, bool curved) {
  const std::int64_t n = sites.data().count();
  at_data_.resize(n);
  curvature_at_data_.resize(n, 0.0);
  SampledShapes shapes;
  shapes.sample_first(cpu, placed, sites.at_data());
  shapes.sample_second(cpu, placed, sites.at_data());
  for_each(cpu, n, [&](std::int64_t j) {
    const Tangents tangents = shapes.tangents(j, 0);
    at_data_[j] = tangents.metric();
    if (curved) curvature_at_data_[j] = Curvature(tangents, shapes.bends(j, 0)).mean;
  });
}

void ReferenceShape::look_at_samples(Cpu cpu, const SphereSites& sites, const PlacedShapes& placed, bool curved) {
  const Array<double>& weights = sites.sample_weights();
  const std::int64_t n = sites.samples().count();
  at_samples_.resize(n);
  SampledShapes shapes;
  shapes.sample(cpu, placed, sites.at_samples(), SurfaceDerivative::value);
  shapes.sample_first(cpu, placed, sites.at_samples());
  shapes.sample_second(cpu, placed, sites.at_samples());
  for_each(cpu, n, [&](std::int64_t i) {
    const Tangents tangents = shapes.tangents(i, 0);
    const Bends bends = shapes.bends(i, 0);
    RestSite site{metric_field(tangents, bends)};
    site.area = std::sqrt(site.metric.g.determinant());
    if (curved) site.mean_curvature = Curvature(tangents, bends).mean;
    at_samples_[i] = site;
  });
  volume_ = sum(cpu, n, [&](std::int64_t i) {
    return weights[i] / 3 * shapes.position(i, 0).dot(shapes.tangents(i, 0).area());
  });
  area_ = sum(cpu, n, [&](std::int64_t i) { return weights[i] * at_samples_[i].area; });
}

void ReferenceShape::require_surface(Cpu cpu) const {
  if (!(volume_ > 0) || !std::isfinite(volume_) || !std::isfinite(area_))
    throw Error("the reference shape encloses " + std::to_string(volume_) +
                " m3 (turned inside out, or not finite) give positions at the data sites whose normals point outwards");
  const double flattest = -maximum(cpu, at_samples_.size(), -area_, [&](std::int64_t i) { return -at_samples_[i].area; });
  if (!(flattest > 1e-6 * area_))
    throw Error("the reference shape is degenerate (at a site it has no area) give a smooth image of the sphere");
}

void ReferenceShape::differentiate_curvature(Cpu cpu, const SphereSites& sites) {
  SiteTable curvature, by_1, by_2;
  HalvedTable halved;
  curvature.resize(sites.data().count(), column_block);
  curvature.values.zero();
  for_each(cpu, sites.data().count(), [&](std::int64_t j) { curvature.at(j)[0] = curvature_at_data_[j]; });
  halve_values(cpu, sites.data(), curvature, halved);
  sites.at_samples().apply(cpu, SurfaceDerivative::first_1, halved, by_1);
  sites.at_samples().apply(cpu, SurfaceDerivative::first_2, halved, by_2);
  for_each(cpu, sites.samples().count(), [&](std::int64_t i) {
    at_samples_[i].curvature_by_1 = by_1.at(i)[0];
    at_samples_[i].curvature_by_2 = by_2.at(i)[0];
  });
}

} // namespace corral::structure::radial
