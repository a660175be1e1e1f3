#pragma once

#include "distributed/team.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/point_stencils.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

/// Of a volume whose row reads back `row`, what makes it nearer to 1, so many times as far as a division by that would go. Positive.
CORRAL_HOST_DEVICE inline double next_volume(double volume, double row, double times) {
  return row < 1 ? volume * (1 + times * (1 / row - 1)) : volume / (1 + times * (row - 1));
}

/// How far `follow` goes. 2 would be too far: then parts that the grid resolves well would not settle.
inline constexpr double times_as_far = 1.7;

/// Points of the grid along an axis that a kernel reaches, where it reaches most. Throws Error for a name that none has.
int widest_support(const std::string& kernel);

/// The volumes eps_n, in cells, that points of rigid surfaces stand for where forces act at them (Pinelli, Naqavi, Piomelli
/// and Favier 2010). A force density that is the same at all points of a body, spread to the grid and read back, is to be
/// that density again:
///   sum_n A_mn eps_n = 1,   A_mn = sum_x w(x, X_m) w(x, X_n),
/// w the kernel's weights, over the grid's points of a component. Each body has a system of its own: where two nearly touch,
/// that of both would make huge volumes of either sign. A eps is found as it reads: spread to a box of the body's own, and read back.
/// Walls are not looked at.
///
/// eps_n is divided by its row's sum, again and again. So volumes stay positive, all eigenvalues of A eps lie between 0 and 1,
/// and no forcing that takes them swings. Where points lie nearer than a cell the system is nearly singular: its solution has
/// both signs, and the iteration ends where rows are as near to 1 as positive volumes bring them. Results have the same bits
/// for any number of threads.
class PointVolumes {
public:
  /// `kernel` is one of kernels::shipped_names; `staggering` is that of the three components.
  PointVolumes(const Grid& grid, std::string kernel, const std::array<Staggering, 3>& staggering);

  /// The next body, of so many points, which are numbered on.
  void add(std::int64_t points);
  std::int64_t size() const { return first_point_.back(); } ///< points

  /// Ranks share the bodies out by their points, once all have been added: each finds volumes of some for all of them. `find` is collective
  /// then. A reference is kept.
  void share(const distributed::Team&);

  /// Finds them where the points are, x [m]: from those that were found last, until no row of the system misses 1 by more than
  /// `tolerance`, or as near as positive ones come in so many iterations. Points a cell apart take some hundred from nothing.
  void find(Cpu, const ConstPoints& x, double tolerance, int most_iterations = 2000);

  /// Goes one step from those that were found last, of points that have moved by a part of a cell since: the rows of bodies that move on
  /// and on then miss little more than with steps enough for the tolerance that so few cells allow (docs/bodies.md).
  void follow(Cpu, const ConstPoints& x);
  void follow(Cpu, const PointStencils&); ///< of fields in the middles of cells, by those who have their stencils

  /// Lets a run that goes on begin its search where this one would.
  void bind_state(run::Registry& registry);

  const double* of_component(int d) const { return volumes_[own_[d]].data(); } ///< in cells
  double missed() const { return missed_; } ///< by a row in the last `find`, at most, of bodies that this rank has found them of
  int iterations() const { return iterations_; } ///< likewise of the last `find`, the most of a component

private:
  template <int support> class Box;

  /// Bodies [begin, end).
  struct Bodies {
    std::size_t begin, end;
  };
  Bodies mine() const;
  void join(Bodies mine, Array<double>& eps) const;

  void find_stencils(Cpu, Bodies, const ConstPoints& x, Staggering at);
  PointStencils stencils() const { return {first_.data(), weights_.data()}; }
  template <int support> void solve(Cpu, Bodies, Array<double>& eps, double tolerance, int most_iterations);
  void go_on(Cpu, Bodies, const PointStencils&, Array<double>& eps);
  int points_along(int axis) const { return grid_.axis(axis).thin() ? 1 : support_; } ///< of a stencil

  Grid grid_;
  std::string kernel_;
  std::array<Staggering, 3> staggering_;
  std::array<std::size_t, 3> own_{}; ///< which of volumes_ a component has: those on the same points share them
  int support_ = 0;
  std::vector<std::int64_t> first_point_{0};     ///< of each body; of all at the end
  std::vector<std::vector<double>> boxes_;       ///< by body; scratch
  Array<std::int32_t> first_;                    ///< [point][axis] point of the grid of each stencil
  Array<double> weights_;                        ///< [point][axis][widest support]
  std::array<Array<double>, 3> volumes_;
  Array<double> read_back_; ///< A eps
  const distributed::Team* team_ = nullptr;      ///< that shares the bodies out; null: there is none
  int iterations_ = 0;
  double missed_ = 0;
};

} // namespace corral::structure
