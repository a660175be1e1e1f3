#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/field_potential.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/surfaces/surfaces_on_host.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
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
  /// Keeps nothing of its arguments but a reference to what ranks share, if they do: `find` is collective then.
  Inside(const fluid::Domain& domain, const std::string& kernel, Method method);

  /// Sets inside[c] of all cells, x fastest [-], of surfaces as they are now; `measures` has their volumes.
  void find(Cpu, const std::vector<SurfacesOnHost>& all, std::span<const MembraneMeasures> measures, double* inside);

private:
  double volume_; ///< of the whole box [m3]
  MarkerMaps maps_;
  fluid::FieldPotential potential_;
  MarkerOrder order_;
  std::array<Array<double>, 3> areas_; ///< area vectors of markers [m2]
  fluid::FaceArrays field_;            ///< what they spread [1/m]
};

} // namespace corral::structure
