#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/markers/box_maps.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/markers/point_band.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>
#include <corral/method.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace corral::structure {

namespace marker_maps {

/// What sides make of one component of the velocity.
struct Walled {
  std::array<Sign, 3> sign{Sign::plus, Sign::plus, Sign::plus}; ///< with which it goes on, less the profile, beyond each axis' ends
  int across = 1;             ///< axis of the profile
  double low = 0, high = 0;   ///< velocities of the walls there [m/s]

  bool slides() const { return low != 0 || high != 0; }
};
/// Walls hold it: at them it is theirs. At free-slip sides the one across them is 0, and others have no slope; so have all at outlets
/// and, across it, at sides with inlets. An axis has one sign: that of a wall, if it has one, else of a free-slip side.
Walled walled(const fluid::Domain&, int component);

/// The linear profile between walls that slide, of one component of the velocity.
struct Profile {
  double origin, length, low, high; ///< along the axis across which it runs [m], and velocities there [m/s]
  CORRAL_HOST_DEVICE double operator()(double x) const { return low + (x - origin) / length * (high - low); }
};
/// Places along an axis of a field's points, which are numbered with x fastest; of a rank's box, as the whole has them.
struct Layers {
  double origin, spacing, above; ///< [m]; of the first layer, in cells
  std::int64_t stride, count;    ///< from a layer's points to the next one's; of layers
  CORRAL_HOST_DEVICE double place(std::int64_t point) const {
    return origin + (static_cast<double>(point / stride % count) + above) * spacing;
  }
};

/// How far the kernel of that name reaches beyond the cell of a point, in cells; so many ghosts maps over ranks need.
std::int64_t reach(const std::string& kernel);

} // namespace marker_maps

/// The maps between points and a fluid's fields, by one kernel: velocities to points, forces to fields, each the adjoint
/// of the other.
///
/// At no-slip walls of any axis a velocity that vanishes there is continued as its own negative, for both maps alike. A wall that
/// slides has a velocity that does not vanish: the linear profile between the two walls is taken from the fluid's
/// velocity first and added at the points, for kernels give linear functions exactly. Walls of one axis have it: a component
/// that slides at walls of two is continued as it is at those that are slower, unless all have one velocity.
///
/// Where ranks share the domain, calls are collective, all ranks have all points, and forces and velocities are those of the box, with
/// good ghosts (BoxMaps).
class MarkerMaps {
public:
  /// `kernel` is one of kernels::shipped_names; `method` is that of spreads, and where it is serial of all; `staggering` says where the components of
  /// the fields lie (Fluid::staggering). Calls with E work where `memory` is. Keeps a reference to
  /// what ranks share. Throws Error where they have too few ghosts for the kernel.
  MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method,
             const std::array<Staggering, 3>& staggering = run::on_faces, Memory memory = Memory::host);

  /// `velocity` = u at the points `x` [m/s], whose order is given; n of them.
  template <Execution E>
  void interpolate(E, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n, const ConstPoints& x,
                   const Points& velocity);
  template <Execution E>
  void interpolate(E, const MarkerOrder& order, const ConstVectorField& u, std::int64_t n, const ConstPoints& x, const Points& velocity);
  /// The same of a velocity in a band, which does not stay what it was where walls slide; and of all of its points.
  void interpolate(Cpu, PointBand&, const ConstPoints& x, const Points& velocity) const;
  /// The same of a velocity that vanishes at walls, whether these slide or not.
  template <Execution E>
  void interpolate_change(E, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                          const Points& velocity) const;
  template <Execution E>
  void interpolate_change(E, const MarkerOrder& order, const ConstVectorField& u, std::int64_t n, const Points& velocity) const;
  template <Execution E> void clear(E, const VectorField& field) const;
  /// `force` += the points' values over the volume of a cell: N become N/m3.
  template <Execution E>
  void spread(E, const CellOrder<double>& order, std::int64_t n, const ConstPoints& values, const VectorField& force);
  template <Execution E> void spread(E, const MarkerOrder& order, std::int64_t n, const ConstPoints& values, const VectorField& force);
  void spread(Cpu, PointBand&, const ConstPoints& values) const; ///< to the forces of a band

  /// Power of the profile between sliding walls [W], of forces in a field and of those at points; 0 where none slides. They
  /// differ where the kernel reaches into a wall: the wall itself takes a part of the force, and moves.
  template <Execution E> double power_on_field(E, const ConstVectorField& force) const;
  template <Execution E> double power_on_points(E, std::int64_t n, const ConstPoints& x, const ConstPoints& values) const;

  int maps() const { return 3; } ///< of each of the calls

  // Public, since nvcc takes the loops of no others.
  template <Execution E> void add_profile(E, std::int64_t n, const ConstPoints& x, const Points& velocity) const;

private:
  bool slides(int d) const { return walled_[static_cast<std::size_t>(d)].slides(); }
  marker_maps::Profile profile(int d) const;
  marker_maps::Layers layers(int d) const;
  template <Execution E> const double* without_profile(E, int d, const double* u);
  template <Execution E> ConstVectorField without_profile(E, const ConstVectorField& u);
  double power_on_own(int d, const double* f, const marker_maps::Profile&, const marker_maps::Layers&) const; ///< summed over ranks
  Method interpolates_by() const { return method_ == Method::serial ? Method::serial : Method::automatic; }
  BoxMaps::Signs signs() const { return {walled_[0].sign, walled_[1].sign, walled_[2].sign}; }

  Grid grid_, whole_;
  std::array<fluid::CellBox, 3> own_points_; ///< by component
  const distributed::SharedGrid* shared_; ///< null where this is all of the grid
  std::array<Staggering, 3> staggering_;
  std::array<marker_maps::Walled, 3> walled_; ///< by component
  std::string kernel_;
  Method method_;
  std::array<Array<double>, 3> scratch_;    ///< velocities without the profile, where walls slide
  std::array<Array<double>, 3> per_volume_; ///< of the points
  std::unique_ptr<BoxMaps> box_;            ///< where ranks share the grid
};

} // namespace corral::structure
