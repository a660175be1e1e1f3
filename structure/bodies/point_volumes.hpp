#pragma once

#include "run/state/registry.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace corral::structure {

/// Points of the grid along an axis that a kernel reaches, where it reaches most. Throws Error for a name that none has.
int widest_support(const std::string& kernel);

/// The volumes eps_n, in cells, that points of rigid surfaces stand for where forces act at them (Pinelli, Naqavi, Piomelli
/// and Favier 2010). A force density that is the same at all points of a body, spread to the grid and read back, is to be
/// that density again:
///   sum_n A_mn eps_n = 1,   A_mn = sum_x w(x, X_m) w(x, X_n),
/// w the kernel's weights, over the grid's points of a component. Each body has a system of its own: where two nearly touch,
/// that of both would make huge volumes of either sign. A is a product over the axes and needs no grid. Walls are not looked
/// at.
///
/// eps_n is divided by its row's sum, again and again. So volumes stay positive, all eigenvalues of A eps lie between 0 and 1,
/// and no forcing that takes them swings. Where points lie nearer than a cell the system is nearly singular: its solution has
/// both signs, and the iteration ends where rows are as near to 1 as positive volumes bring them. Results have the same bits
/// for any number of threads.
class PointVolumes {
public:
  /// `kernel` is one of kernels::shipped_names; `staggering` is that of the three components.
  PointVolumes(const Grid& grid, std::string kernel, const std::array<Staggering, 3>& staggering);

  /// The next body, by its points in a frame of its own [m]; they are numbered on.
  void add(std::span<const std::array<double, 3>> points);
  std::int64_t size() const { return first_neighbour_.size() - 1; } ///< points

  /// Finds them where the points are, x [m]: from those that were found last, until no row of the system misses 1 by more than
  /// `tolerance`, or as near as positive ones come in so many iterations. Points a cell apart take some hundred from nothing.
  void find(Cpu, const ConstPoints& x, double tolerance, int most_iterations = 2000);

  /// Lets a run that goes on begin its search where this one would.
  void bind_state(run::Registry& registry);

  const double* of_component(int d) const { return volumes_[own_[d]].data(); } ///< in cells
  double missed() const { return missed_; } ///< by a row in the last call, at most
  int iterations() const { return iterations_; } ///< of the last call, the most of a component

private:
  void find_stencils(Cpu, const ConstPoints& x, Staggering at);
  void find_matrix(Cpu);
  int solve(Cpu, Array<double>& eps, double tolerance, int most_iterations);

  Grid grid_;
  std::string kernel_;
  std::array<Staggering, 3> staggering_;
  std::array<std::size_t, 3> own_{}; ///< which of volumes_ a component has: those on the same points share them
  double reach_;                     ///< farther apart, two points share no point of the grid [m]
  int support_ = 0;
  Array<std::int64_t> first_neighbour_; ///< of each point in neighbour_; of all at the end
  Array<std::int32_t> neighbour_;       ///< itself included
  Array<double> matrix_;                ///< A of those of these that share points of the grid
  Array<std::int32_t> sharing_, shared_; ///< their numbers, and how many each point has, from first_neighbour_ on
  Array<std::array<std::int32_t, 3>> first_; ///< point of the grid of each stencil
  Array<double> weights_;                    ///< [point][axis][widest support]
  std::array<Array<double>, 3> volumes_;
  Array<double> read_back_; ///< A eps
  int iterations_ = 0;
  double missed_ = 0;
};

} // namespace corral::structure
