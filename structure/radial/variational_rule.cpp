#include "structure/radial/force_rules.hpp"
#include "structure/radial/site_formulas.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <Eigen/Cholesky>

#include <string>

namespace corral::structure::radial {

namespace {

constexpr std::int64_t rows_at_once = 32; ///< of a product that one task forms

using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// The inverse of sum_i w_i f_j(i) f_k(i) over sample sites i, f_j the function that is 1 at data site j and 0 at the
/// others, or its even or odd part.
Array<double> inverse_of_mass(Cpu cpu, const SphereSites& sites, int part) {
  const Spiral& samples = sites.samples();
  const std::int64_t width = part == 0 ? sites.data().representatives() : sites.data().pairs();
  const std::int64_t rows = samples.representatives();
  const Rows values(sites.at_samples().row(SurfaceDerivative::value, part, 0), rows, width);
  Eigen::VectorXd weights(rows);
  for (std::int64_t i = 0; i < rows; ++i) weights[i] = sites.sample_weights()[i] * (samples.partner(i) == i ? 1 : 2);
  Eigen::MatrixXd mass(width, width), inverse(width, width);
  for_each_chunk(cpu, width, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    mass.middleCols(begin, end - begin).noalias() =
        values.transpose() * (weights.asDiagonal() * values.middleCols(begin, end - begin));
  });
  const Eigen::LLT<Eigen::MatrixXd> factor(mass);
  for_each_chunk(cpu, width, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    inverse.middleCols(begin, end - begin) =
        factor.solve(Eigen::MatrixXd::Identity(width, width).middleCols(begin, end - begin));
  });
  return Array<double>(std::span<const double>(inverse.data(), static_cast<std::size_t>(width * width)), Memory::host);
}

/// With fewer samples than data the mass matrix is singular.
const SphereSites& with_enough_samples(const SphereSites& sites) {
  const std::int64_t data = sites.data().count(), samples = sites.samples().count();
  if (samples < data)
    throw Error(std::to_string(samples) + " sample sites for " + std::to_string(data) +
                " data sites (variational forces need as many at least, better ten times as many) ask for more, or for "
                "collocated forces");
  return sites;
}

} // namespace

std::array<Array<double>, 2> inverse_masses(Cpu cpu, const SphereSites& sites) {
  return {inverse_of_mass(cpu, with_enough_samples(sites), 0), inverse_of_mass(cpu, sites, 1)};
}

VariationalRule::VariationalRule(Cpu cpu, const SphereSites& sites) : inverse_mass_(inverse_masses(cpu, sites)) {}

void VariationalRule::set_derivatives(Cpu cpu, const SurfaceKind& kind, const PlacedShapes& placed,
                                      const SampledShapes& shapes, const TetherPoints& anchors,
                                      const std::vector<Constraint>& of_members) {
  const Material& material = kind.material;
  const Group& group = placed.group();
  const std::int64_t sites = kind.sites.samples().count();
  for (SiteTable& table : derivatives_) {
    table.resize(sites, group.columns());
    table.values.zero();
  }
  const auto at_site = [&](std::int64_t i, std::int64_t m) { // per area of the unit sphere
    SiteShape site{kind.reference.at_sample(i), shapes.tangents(i, m), {}};
    if (kind.constrained()) site.x = shapes.position(i, m);
    if (kind.bends()) site.bends = shapes.bends(i, m);
    site.pressure = of_members[m].pressure, site.tension = of_members[m].tension;
    if (anchors.pull()) site.pulled = anchors.distance(kind, placed, shapes, i, m);
    return energy_derivatives(material, anchors.pull(), site);
  };
  for_each_chunk(cpu, sites, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t m = 0; m < group.count; ++m) {
        const std::array<Vector, surface_derivatives> found = at_site(i, m).all();
        const double weight = kind.sites.sample_weights()[i];
        for (std::size_t d = 0; d < derivatives_.size(); ++d)
          for (std::size_t c = 0; c < 3; ++c) derivatives_[d].at(i)[3 * m + c] = weight * found[d][c];
      }
  });
}

void VariationalRule::start_sums(const SurfaceKind& kind, const Group& group,
                                 const std::vector<Constraint>& of_members) {
  const Spiral& data = kind.sites.data();
  sums_.resize(data.representatives(), group.columns());
  sums_.zero();
  for (std::int64_t m = 0; m < group.count; ++m) {
    const Constraint& constraint = of_members[m];
    const Vector share = constraint.pressure / 3 * constraint.open / static_cast<double>(data.count());
    for (std::int64_t j = 0; j < data.representatives(); ++j)
      for (std::size_t c = 0; c < 3; ++c)
        sums_.even[j * sums_.columns + 3 * m + c] = -(data.partner(j) == j ? 1 : 2) * share[c];
  }
}

void VariationalRule::forces(Cpu cpu, const SurfaceKind& kind, const PlacedShapes& placed, SampledShapes& shapes,
                             const TetherPoints& anchors, const Points& forces) {
  const SiteOperators& operators = kind.sites.at_samples();
  const bool by_position = kind.constrained() || anchors.pull();
  shapes.sample_first(cpu, placed, operators);
  if (kind.bends()) shapes.sample_second(cpu, placed, operators);
  if (by_position) shapes.sample(cpu, placed, operators, SurfaceDerivative::value);
  const std::vector<Constraint> of_members = constraints(cpu, kind, placed, shapes);
  set_derivatives(cpu, kind, placed, shapes, anchors, of_members);

  start_sums(kind, placed.group(), of_members);
  for (std::size_t d = 0; d < derivatives_.size(); ++d) {
    if ((d == 0 && !by_position) || (d > 2 && !kind.bends())) continue;
    halve_weights(cpu, kind.sites.samples(), derivatives_[d], halved_);
    operators.add_transposed(cpu, static_cast<SurfaceDerivative>(d), halved_, sums_);
  }
  spread_over_samples(cpu, kind.sites, placed.group(), forces);
}

void VariationalRule::spread_over_samples(Cpu cpu, const SphereSites& sites, const Group& group, const Points& forces) {
  const std::int64_t columns = group.columns(), samples = sites.samples().count();
  solved_.resize(sites.data().representatives(), columns);
  solved_.zero();
  for (std::size_t part = 0; part < 2; ++part) {
    const std::int64_t width = part == 0 ? sites.data().representatives() : sites.data().pairs();
    const Array<double>& from = part == 0 ? sums_.even : sums_.odd;
    Array<double>& to = part == 0 ? solved_.even : solved_.odd;
    for_each_chunk(cpu, width, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      add_product(end - begin, width, columns, {inverse_mass_[part].data() + begin * width, width, 1}, from.data(),
                  to.data() + begin * columns);
    });
  }
  sites.at_samples().apply(cpu, SurfaceDerivative::value, solved_, forces_);
  for_each_chunk(cpu, samples, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = 0; m < group.count; ++m)
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t d = 0; d < 3; ++d)
          forces[d][(group.first + m) * samples + i] = -sites.sample_weights()[i] * forces_.at(i)[3 * m + d];
  });
}

} // namespace corral::structure::radial
