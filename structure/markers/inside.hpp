#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/ghosts.hpp"
#include "fluid/spectral/helmholtz.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/markers/population.hpp"
#include "structure/surfaces/surfaces_on_host.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace corral::structure {

/// What closed surfaces enclose, as a field: 1 inside and 0 outside, smeared over the kernel's width (Tryggvason et al.
/// 2001, of fronts). Its gradient is -sum a delta(x - X), with the area vectors a of the markers, spread as forces are:
///   -Lap I = div sum a delta(x - X),   the mean of I the enclosed share of the box.
/// At walls I has no gradient. Where surfaces pass through each other it exceeds 1.
class Inside {
public:
  /// Keeps nothing of its arguments but a reference to what ranks share, if they do. Then `find_midway` is collective, and sets ghosts, too.
  Inside(const fluid::Domain& domain, const std::string& kernel, Method method);

  /// Sets inside[c] of all cells, x fastest [-], of surfaces as they are now; `measures` has their volumes.
  void find(Cpu, const std::vector<SurfacesOnHost>& all, std::span<const MembraneMeasures> measures, double* inside);
  /// Likewise the sum of weights[s] I over the surfaces s of the case, where their membranes are midway and sorted there;
  /// volumes are those of the triangles. Three quarters of their area vectors are spread from their middles and a quarter
  /// from corners, which integrates what is quadratic on them: well inside, I is 1 to the fourth power of their edges.
  void find_midway(Cpu, const std::deque<Population<Cpu>>& populations, std::span<const double> weights, double* sum);

private:
  /// f(triangle, its corners, area vector times the weight of its surface if there are any) of all of them: in parallel,
  /// but for those of one membrane.
  template <class F> void each_triangle(Cpu, const SurfacesOnHost& surfaces, std::span<const double> weights, F f);
  void solve(Cpu, double volume, double* inside);
  void divergence(Cpu, double* to) const;

  Grid grid_;
  double volume_; ///< of the whole box [m3]
  MarkerMaps maps_;
  fluid::spectral::HelmholtzSolver solver_;
  MarkerOrder order_;
  std::array<Array<double>, 3> areas_; ///< area vectors of markers [m2]
  std::array<Array<double>, 3> middles_, whole_areas_; ///< of triangles [m], [m2]; empty but for `find_midway`
  fluid::FaceArrays field_;            ///< what they spread [1/m]
  fluid::Ghosts ghosts_;
};

} // namespace corral::structure
