#pragma once

#include "structure/radial/measures.hpp"
#include "structure/radial/sampled_shapes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"

#include <corral/array.hpp>

#include <array>
#include <vector>

namespace corral::structure::radial {

/// Both rules set forces [N] of a placed group at its force points, membrane c's from c sample_sites on, and sample what
/// they need. `README.md` has the equations.

/// The continuous force's formula at every sample site, times the area that the site stands for: the paper's.
class CollocatedRule {
public:
  void forces(Cpu, const SurfaceKind&, PlacedShapes&, SampledShapes&, const TetherPoints&, const Points& forces);

private:
  /// H - H0 at data sites beside the positions, so that its derivatives are sampled with theirs.
  void append_curvature(Cpu, const SurfaceKind&, PlacedShapes&);

  SampledShapes at_data_;
  SiteTable curvature_;
};

/// By part the inverse of the products of the data sites' functions, integrated: rows of as many numbers as the part has data sites.
/// Throws Error for fewer sample sites than data sites.
std::array<Array<double>, 2> inverse_masses(Cpu, const SphereSites&);

/// The forces at sample sites, values of a function of the interpolation times the area of the unit sphere, whose work
/// in every displacement of the data sites is what the discrete energy loses.
class VariationalRule {
public:
  /// Throws Error for fewer sample sites than data sites.
  VariationalRule(Cpu, const SphereSites&);

  void forces(Cpu, const SurfaceKind&, const PlacedShapes&, SampledShapes&, const TetherPoints&, const Points& forces);

private:
  void set_derivatives(Cpu, const SurfaceKind&, const PlacedShapes&, const SampledShapes&, const TetherPoints&,
                       const std::vector<Constraint>&);
  /// Lengths are taken from the mean of the data sites, which every one of them moves: what a volume's derivative then
  /// has besides.
  void start_sums(const SurfaceKind&, const Group&, const std::vector<Constraint>&);
  void spread_over_samples(Cpu, const SphereSites&, const Group&, const Points& forces);

  std::array<Array<double>, 2> inverse_mass_;
  std::array<SiteTable, surface_derivatives> derivatives_; ///< of the energy by what the operators gave
  HalvedTable halved_, sums_, solved_;
  SiteTable forces_;
};

} // namespace corral::structure::radial
