#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/method.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace corral::structure {

/// The maps between points and a fluid's fields, by one kernel: velocities to points, forces to fields, each the adjoint
/// of the other.
///
/// At no-slip walls a velocity that vanishes there is continued as its own negative, for both maps alike. A wall that
/// slides has a velocity that does not vanish: the linear profile between the two walls is taken from the fluid's
/// velocity first and added at the points, for kernels give linear functions exactly.
class MarkerMaps {
public:
  /// `kernel` is one of kernels::shipped_names; `method` is that of spreads; `staggering` says where the components of
  /// the fields lie (Fluid::staggering).
  MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method,
             const std::array<Staggering, 3>& staggering = run::on_faces);

  /// `velocity` = u at the points `x` [m/s], whose order is given; n of them.
  void interpolate(Cpu, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                   const ConstPoints& x, const Points& velocity);
  /// The same of a velocity that vanishes at walls, whether these slide or not.
  void interpolate_change(Cpu, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                          const Points& velocity) const;
  void clear(Cpu, const VectorField& field) const;
  /// `force` += the points' values over the volume of a cell: N become N/m3.
  void spread(Cpu, const CellOrder<double>& order, std::int64_t n, const ConstPoints& values,
              const VectorField& force);

  /// Power of the profile between sliding walls [W], of forces in a field and of those at points; 0 where none slides. They
  /// differ where the kernel reaches into a wall: the wall itself takes a part of the force, and moves.
  double power_on_field(Cpu, const ConstVectorField& force) const;
  double power_on_points(Cpu, std::int64_t n, const ConstPoints& x, const ConstPoints& values) const;

  int maps() const { return 3; } ///< of each of the calls

private:
  bool slides(int d) const { return wall_[0][d] != 0 || wall_[1][d] != 0; }
  double row_height(int d, std::int64_t row) const; ///< y of a row of component d [m]
  double profile(int d, double y) const;
  const double* without_profile(Cpu, int d, const double* u);

  Grid grid_;
  std::array<Staggering, 3> staggering_;
  bool walls_;
  std::array<std::array<double, 3>, 2> wall_{}; ///< velocities of y_low and y_high [m/s]
  std::string kernel_;
  Method method_;
  std::array<Array<double>, 3> scratch_;    ///< velocities without the profile, where walls slide
  std::array<Array<double>, 3> per_volume_; ///< of the points
};

} // namespace corral::structure
