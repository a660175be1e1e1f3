#include "membrane/step/stable_step.hpp"

#include "run/case/values.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace corral::membrane {

using namespace structure;
using geometry::operator-;

namespace {

using run::brief;

double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }

/// The sum of squared weights along an axis, averaged over places: the integral of phi^2.
template <class K> double mean_square(const K& kernel) {
  constexpr int parts = 1000; // of a cell
  double sum = 0;
  for (int i = 0; i < K::support * parts; ++i) sum += square(kernel((i + 0.5) / parts - 0.5 * K::support));
  return sum / parts;
}

/// Over how many cells a kernel smears a force along an axis: 1 over that sum.
double smearing(const std::string& name) {
  double width = 1;
  kernels::with_kernel(name, [&]<class K>(const K& kernel) {
    if constexpr (kernels::CompositeKernel<K>)
      width = 1 / std::cbrt(mean_square(kernel.along) * square(mean_square(kernel.across)));
    else if constexpr (K::support == 1) width = 0.5; // it jumps, and shorter waves get through
    else width = 1 / mean_square(kernel);
  });
  return width;
}

/// Points that a kernel reaches along a membrane which it moves across.
int points_across(const std::string& name) {
  int points = 0;
  kernels::with_kernel(name, [&]<class K>(const K&) {
    if constexpr (kernels::CompositeKernel<K>) points = std::remove_cvref_t<decltype(K::across)>::support;
    else points = K::support;
  });
  return points;
}

/// What limits steps against a stiffness Q, which times a wave number to the power m is a force per area and displacement:
/// dt = inertial sqrt(rho l^(1 + m)/Q) with a length l, and in Stokes flow viscous mu l^(m - 1)/Q. The numbers were found
/// by bisection, and leave a fifth for kernels, meshes and shapes that differ (tests/membrane/step/stability.cpp). A lattice
/// fluid is compressible within a step: it meets what is pushed apart with the inertia of the kernel's width alone.
struct Limit {
  double inertial, on_lattice, viscous;
  int power;
};
constexpr Limit of_moduli{1.2, 0.7, 4, 2}, of_tension{0.75, 0.66, 2, 2}, of_bending{0.18, 0.13, 0.12, 4}, of_tethers{1.6, 1.5, 1.2, 0};
/// Rougher: how much of a stiffness the fluid meets depends on shapes, and on what lies beside.
constexpr Limit of_whole_area{1, 0.6, 5, 2}, of_volume{4, 0.75, 1200, 1}, of_repulsion{2.4, 1.5, 12, 0};
/// How much stiffer membranes are where the kernel leaves more of waves that are shorter than a cell: one of two points, which
/// has a kink, of all but waves along a membrane in Stokes flow; one of one point, which jumps, of all in Stokes flow.
constexpr double with_kink = 1.6, with_jumps = 3, volume_with_jumps = 24;

/// What a wave that stretches meets, or one that shears, with which all fluid goes and not a part. Skalak's law stiffens
/// where it stretches, and waves grow longer there; where areas grow its part of the area stiffens, too. A neo-Hookean
/// membrane stiffens where areas shrink.
double modulus(const Material& m, const Deformation& now) {
  if (m.law == ElasticLaw::none) return 0;
  const double G = m.shear_modulus, plain = std::max(area_modulus(m) + G, 2.5 * G);
  if (m.law != ElasticLaw::skalak) return plain / cube(std::clamp(now.least_area, 1e-2, 1.0));
  const double s = square(std::max(now.stretch, 1.0)), J = std::max(now.largest_area, 1.0);
  return plain + G * (s * (3 * s - 1) - 2) + m.area_ratio * G * (3 * cube(J) - J - 2);
}

/// Of a membrane that is as much larger everywhere [N/m].
double tension_of(const Material& m, double J) {
  if (m.law == ElasticLaw::none || J <= 1) return 0;
  if (m.law == ElasticLaw::skalak) return m.shear_modulus * (J - 1 + m.area_ratio * J * (J * J - 1));
  return m.shear_modulus * (1 - 1 / cube(J));
}

/// Of the triangles of a mesh, or else of the parts of a surface whose tangents are stretched by two of the three factors.
Deformation at_start_of(const SurfaceModel& kind) {
  if (kind.stress_free == StressFree::file) return deformation_of(make_shape(kind));
  if (kind.stress_free != StressFree::shape) return deformation_of(make_shape(kind, 2562));
  const auto& [x, y, z] = kind.stretch;
  const double by = square(kind.inflation);
  return {kind.inflation * std::max({x, y, z}), by * std::max({x * y, y * z, z * x}), by * std::min({x * y, y * z, z * x})};
}

} // namespace

Deformation deformation_of(const SurfaceShape& shape) {
  Deformation most;
  const auto side = [&](const std::vector<geometry::Vector>& x, const geometry::Triangle& t, std::size_t a, std::size_t b) {
    return x[static_cast<std::size_t>(t[b])] - x[static_cast<std::size_t>(t[a])];
  };
  for (const geometry::Triangle& t : shape.triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      most.stretch = std::max(most.stretch, geometry::length(side(shape.start, t, k, (k + 1) % 3)) /
                                                geometry::length(side(shape.reference, t, k, (k + 1) % 3)));
    const double area = geometry::length(geometry::cross(side(shape.start, t, 0, 1), side(shape.start, t, 0, 2))) /
                        geometry::length(geometry::cross(side(shape.reference, t, 0, 1), side(shape.reference, t, 0, 2)));
    most.largest_area = std::max(most.largest_area, area);
    most.least_area = std::min(most.least_area, area);
  }
  return most;
}

void StepBounds::Wave::add(double part, const std::string& what) {
  rate += part;
  if (part <= largest) return;
  largest = part;
  cause = what;
}

class StepBounds::Maker {
public:
  explicit Maker(const MembraneSetup& setup) : setup_(setup) {
    double h = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < 3; ++d) {
      if (setup.cells[d] > 1) h = std::min(h, setup.size[d] / static_cast<double>(setup.cells[d]));
      volume_ *= setup.size[d];
      longest_ = std::max(longest_, setup.size[d]);
    }
    width_ = h * smearing(setup.coupling.kernel);
    points_ = points_across(setup.coupling.kernel);
    for (const ImmersedGroup& group : setup.groups) {
      const SurfaceModel& kind = setup.surfaces[group.surface];
      const auto count = static_cast<double>(count_of(setup, group));
      membranes_ += count;
      if (kind.material.tether_stiffness > 0) tethered_area_ += count * shape_area(kind);
    }
  }

  Kind make(const SurfaceModel& kind) const {
    const Material& m = kind.material;
    const std::string whose = " of [surface." + kind.name + "]";
    const double area = shape_area(kind), radius = std::sqrt(area / (4 * std::numbers::pi));
    const double repulsion = repulsion_per_area(area / static_cast<double>(point_count(kind)));
    // Waves shear the fluids on both sides, where the one that yields more counts more; what is larger moves that outside.
    const double mu = setup_.fluid.mu, ratio = kind.viscosity_ratio.value_or(1);
    const double of_waves = mu * 2 * ratio / (1 + ratio), of_all = std::min(mu, of_waves);
    const bool inertia = setup_.fluid.inertia;
    const double kink = points_ == 2 ? with_kink : 1, jumps = points_ == 1 ? with_jumps : 1;
    const double of_along = inertia ? kink : jumps, of_across = inertia ? kink : kink * jumps; // times as stiff
    const double of_pairs = inertia ? kink * jumps : jumps, of_inside = points_ == 1 ? volume_with_jumps : 1;
    const double per_modulus = of_along * rate(1, of_moduli, of_waves, width_);
    const double per_tension = of_across * rate(1, of_tension, of_waves, width_);
    Wave along, across;
    across.add(of_across * rate(m.tension, of_tension, of_waves, width_), "the tension " + brief(m.tension) + " N/m" + whose);
    across.add(of_across * rate(m.bending_modulus, of_bending, of_waves, width_), "the bending modulus " + brief(m.bending_modulus) + " J" + whose);
    const bool lattice = setup_.lattice();
    across.add(rate(m.area_stiffness, of_whole_area, of_all, lattice ? std::cbrt(radius * radius * width_) : radius, radius),
               "the stiffness " + brief(m.area_stiffness) + " N/m of the whole area" + whose);
    // The fluid keeps volumes but for what kernels and meshes let through.
    across.add(of_inside * rate(m.volume_stiffness, of_volume, of_all, lattice ? std::sqrt(radius * width_) : radius, radius),
               "the stiffness " + brief(m.volume_stiffness) + " Pa of the volume" + whose);
    across.add(of_pairs * rate(repulsion, of_repulsion, of_all, width_, std::max(width_, setup_.coupling.repulsion_range)),
               "repulsion.stiffness " + brief(setup_.coupling.repulsion_stiffness) + " N/m at the points" + whose);
    for (Wave* wave : {&along, &across})
      wave->add(rate(m.tether_stiffness, of_tethers, of_all, width_, tether_length(radius)),
                "the tethers' stiffness " + brief(m.tether_stiffness) + " N/m3" + whose);
    return {along, across, per_modulus, per_tension, at_start_of(kind)};
  }

private:
  double rate(double stiffness, const Limit& limit, double viscosity, double length) const {
    return rate(stiffness, limit, viscosity, length, length);
  }
  double rate(double stiffness, const Limit& limit, double viscosity, double inertial_length, double viscous_length) const {
    if (!(stiffness > 0)) return 0;
    if (setup_.fluid.inertia) {
      const double a = setup_.lattice() ? limit.on_lattice : limit.inertial;
      return stiffness / (square(a) * setup_.fluid.rho * std::pow(inertial_length, 1 + limit.power));
    }
    return stiffness / (limit.viscous * viscosity * std::pow(viscous_length, limit.power - 1));
  }

  /// In Stokes flow tethers pull a body back as a whole, or many of them together, against all fluid around.
  double tether_length(double radius) const {
    return radius + 1.5 * tethered_area_ * square(longest_ / (2 * std::numbers::pi)) / volume_;
  }

  /// Of a sheet whose points stand for `area` each and face a wall or, where there are any, another sheet: dense points
  /// push in many pairs, most at two thirds of the range.
  double repulsion_per_area(double area) const {
    const double k = setup_.coupling.repulsion_stiffness, range = setup_.coupling.repulsion_range;
    const double pairs = membranes_ > 1 ? std::numbers::pi / 3 * square(range) / area : 0;
    return k / area * std::max(1.0, pairs);
  }

  static std::int64_t point_count(const SurfaceModel& kind) {
    return kind.representation == Representation::radial ? kind.sites : marker_count(kind);
  }

  const MembraneSetup& setup_;
  double width_ = 0; ///< that a force is smeared over [m]
  int points_ = 0;   ///< of the kernel, across
  double membranes_ = 0;
  double tethered_area_ = 0;        ///< of all membranes [m2]
  double volume_ = 1, longest_ = 0; ///< of the box [m3], its longest side [m]
};

StepBounds::StepBounds(const MembraneSetup& setup) : setup_(setup) {
  const Maker maker(setup);
  for (const SurfaceModel& kind : setup.surfaces) kinds_.push_back(maker.make(kind));
}

/// What is ahead by a whole step, and not by half a one, turns back the more.
double StepBounds::longest(double rate) const {
  const bool midpoint = setup_.coupling.scheme == Coupling::midpoint;
  if (setup_.fluid.inertia) return 1 / std::sqrt((midpoint ? 1 : 3) * rate);
  return (midpoint ? 1 : 2.0 / 3) / rate;
}

StableStep StepBounds::at(std::span<const Deformation> deformations) const {
  StableStep bound;
  for (std::size_t s = 0; s < kinds_.size(); ++s) {
    const SurfaceModel& surface = setup_.surfaces[s];
    const std::string whose = " N/m of [surface." + surface.name + "]";
    Wave along = kinds_[s].along, across = kinds_[s].across;
    const double K = modulus(surface.material, deformations[s]);
    along.add(kinds_[s].per_modulus * K, "the modulus " + brief(K) + whose);
    const double T = tension_of(surface.material, deformations[s].largest_area);
    across.add(kinds_[s].per_tension * T, "the tension " + brief(T) + whose);
    for (const Wave& wave : {along, across})
      if (const double dt = longest(wave.rate); dt < bound.dt) bound = {dt, wave.cause};
  }
  return bound;
}

StableStep StepBounds::at_start() const {
  std::vector<Deformation> deformations;
  for (const Kind& kind : kinds_) deformations.push_back(kind.start);
  return at(deformations);
}

} // namespace corral::membrane
