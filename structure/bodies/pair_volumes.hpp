#pragma once

#include "geometry/vector.hpp"
#include "run/state/registry.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace corral::structure {

/// PointVolumes on a device, by pairs of points: as weights are products, A_mn is that of three sums along the axes,
///   A_mn = prod_d sum_i w_d(i, X_m) w_d(i, X_n).
/// Which pairs may have a part is known from the body's own frame: those whose distance is within the kernel's diagonal. So there
/// is no box, and nothing is added to one place by two threads. A block does all iterations of a body; nobody waits.
class PairVolumes {
public:
  /// `kernel` is one of kernels::shipped_names; `staggering` is that of the three components.
  PairVolumes(const Grid& grid, std::string kernel, const std::array<Staggering, 3>& staggering);

  /// All bodies, by the places of each one's points in its own frame [m]. Bodies whose span is the same share their list of pairs.
  void set_bodies(std::span<const std::span<const geometry::Vector>> own);
  std::int64_t size() const { return read_back_.size(); } ///< points

  /// As PointVolumes::find, in order on the stream.
  void find(Gpu, const ConstPoints& x, double tolerance, int most_iterations = 2000);

  /// As PointVolumes::follow, likewise.
  void follow(Gpu, const ConstPoints& x);

  /// Lets a run that goes on begin its search where this one would.
  void bind_state(run::Registry& registry);

  const double* of_component(int d) const { return volumes_[own_[static_cast<std::size_t>(d)]].data(); } ///< in cells, on the device

private:
  void find_stencils(Gpu, const ConstPoints& x, Staggering at);
  struct Steps;
  void take(Gpu, const ConstPoints& x, const Steps&);

  Grid grid_;
  std::string kernel_;
  std::array<Staggering, 3> staggering_;
  std::array<std::size_t, 3> own_{}; ///< which of volumes_ a component has: those on the same points share them
  int support_ = 0;                  ///< the widest
  std::int64_t bodies_ = 0, stride_ = 0; ///< stride_: from an axis to the next in places and weights that are being found
  Array<std::int64_t> first_point_{Memory::device};  ///< of each body, and of all at the end
  Array<std::int64_t> first_row_{Memory::device};    ///< of each body, in pair_end_
  Array<std::int64_t> pair_begin_{Memory::device};   ///< of each point of a shape, and of all at the end
  Array<std::int32_t> pairs_{Memory::device};        ///< the other point's number in its body
  Array<double> place_{Memory::device}, found_{Memory::device}; ///< of points within their cell, along each axis; weights there
  Array<std::int32_t> first_{Memory::device};        ///< point of the grid of each stencil, [point][axis]
  Array<double> weights_{Memory::device};            ///< [point][axis][widest support]
  std::array<Array<double>, 3> volumes_;
  Array<double> read_back_{Memory::device};
};

} // namespace corral::structure
