#include "structure/radial/elasticity.hpp"
#include "structure/radial/force_rules.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <Eigen/Cholesky>

#include <string>

namespace corral::structure::radial {

namespace {

constexpr std::int64_t rows_at_once = 32; ///< of a product that one task forms

/// Derivatives of the energy of a site by position, tangents and bends.
struct EnergyDerivatives {
  Vector x = Vector::Zero(), x1 = Vector::Zero(), x2 = Vector::Zero();
  Vector x11 = Vector::Zero(), x12 = Vector::Zero(), x22 = Vector::Zero();

  const Vector& operator[](std::size_t d) const {
    const Vector* all[] = {&x, &x1, &x2, &x11, &x12, &x22};
    return *all[d];
  }
};

/// Of energy s^{ab} dg_ab/2.
void add_stress(const SurfaceTensor& s, const Tangents& t, EnergyDerivatives& to) {
  to.x1 += s.s11 * t.x1 + s.s12 * t.x2;
  to.x2 += s.s12 * t.x1 + s.s22 * t.x2;
}

/// Of pressure times volume plus tension times area, per area of the unit sphere.
void add_constraint(const Constraint& constraint, const Vector& x, const Tangents& t, EnergyDerivatives& to) {
  const Vector area = t.area(), pulled = constraint.tension * area.normalized();
  const double p = constraint.pressure / 3; // V is a third of the integral of x . (X_1 x X_2)
  to.x += p * area;
  to.x1 += p * t.x2.cross(x) + t.x2.cross(pulled);
  to.x2 += p * x.cross(t.x1) + pulled.cross(t.x1);
}

/// Of 2 kappa h^2 per area of the surface, h = H - H0: with dn = -(n . dX_c) X^c,
/// dH = b^{cd} X_d . dX_c + (g^{ab} Gamma^c_ab/2) n . dX_c - (g^{ab}/2) n . dX_ab.
void add_bending(double rest_curvature, double modulus, const Tangents& t, const Bends& b, EnergyDerivatives& to) {
  const Curvature now(t, b);
  const double h = now.mean - rest_curvature, by_curvature = 4 * modulus * h * now.area;
  const SurfaceTensor &g = now.inverse, &f = now.form;
  add_stress((2 * modulus * h * h * now.area) * g, t, to); // of the area: d sqrt g = sqrt g g^{ab} dg_ab/2
  const double m11 = g.s11 * f.s11 + g.s12 * f.s12, m12 = g.s11 * f.s12 + g.s12 * f.s22; // g^{ac} b_cd
  const double m21 = g.s12 * f.s11 + g.s22 * f.s12, m22 = g.s12 * f.s12 + g.s22 * f.s22;
  add_stress(by_curvature * SurfaceTensor{m11 * g.s11 + m12 * g.s12, m11 * g.s12 + m12 * g.s22, m21 * g.s12 + m22 * g.s22},
             t, to);
  const auto [connection_1, connection_2] = traced_connection(t, b, g);
  const Vector normal = by_curvature / 2 * now.normal;
  to.x1 += connection_1 * normal;
  to.x2 += connection_2 * normal;
  to.x11 -= g.s11 * normal;
  to.x12 -= 2 * g.s12 * normal;
  to.x22 -= g.s22 * normal;
}

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

VariationalRule::VariationalRule(Cpu cpu, const SphereSites& sites)
    : inverse_mass_{inverse_of_mass(cpu, with_enough_samples(sites), 0), inverse_of_mass(cpu, sites, 1)} {}

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
    const RestSite& rest = kind.reference.at_sample(i);
    const Tangents t = shapes.tangents(i, m);
    EnergyDerivatives found;
    if (material.law != ElasticLaw::none) {
      const Strain strain(rest.metric.g, t.metric());
      add_stress(rest.area * stress(rest.metric.g, t.metric(), law_at(material, strain.i1, strain.i2)), t, found);
    }
    if (kind.constrained()) add_constraint(of_members[m], shapes.position(i, m), t, found);
    if (kind.bends()) add_bending(rest.mean_curvature, material.bending_modulus, t, shapes.bends(i, m), found);
    if (anchors.pull())
      found.x += rest.area * material.tether_stiffness * anchors.distance(kind, placed, shapes, i, m);
    return found;
  };
  for_each_chunk(cpu, sites, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t m = 0; m < group.count; ++m) {
        const EnergyDerivatives found = at_site(i, m);
        const double weight = kind.sites.sample_weights()[i];
        for (std::size_t d = 0; d < derivatives_.size(); ++d)
          for (Eigen::Index c = 0; c < 3; ++c) derivatives_[d].at(i)[3 * m + c] = weight * found[d][c];
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
      for (Eigen::Index c = 0; c < 3; ++c)
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
