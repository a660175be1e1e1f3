#include "structure/radial/sampled_shapes.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

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

std::int64_t SampledShapes::bytes() const {
  std::int64_t total = 0;
  for (const SiteTable& table : tables_) total += table.bytes();
  return total;
}

} // namespace corral::structure::radial
