#pragma once

#include "mppic/boxes/boxes.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/cell_order.hpp>

#include <array>

namespace corral::mppic {

/// What one step needs of the parcels on the grid, spread in two passes over one order: by the trilinear kernel (step 2
/// of docs/models.md) volume, drag and motion, with q = dt D/(1 + dt D); q = dt D where parcels are frozen. And by
/// the kernel of boxes, whose flux is exactly the rate at which moving parcels change theta_c.
class FaceSums {
public:
  FaceSums(const fluid::Domain& domain, const Setup& setup);

  /// The order must be the parcels' storage order.
  void spread(Cpu, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow);
  const Boxes& boxes() const { return boxes_; }
  std::int64_t bytes() const;
  int maps() const { return maps_; } ///< fields that the last call spread

  /// Squares of the differences of the mean velocity between neighbouring cells [m2/s2], per axis; where a neighbour is
  /// empty or missing, to the other one. What a smooth gradient adds to mean_square is a sixth of each.
  std::array<double, 3> differences(const Grid& grid, const fluid::Cell& c) const;
  /// sigma [m/s], sigma^2 = mean |u - ubar|^2 without what a smooth gradient of ubar adds.
  double fluctuation(const Grid& grid, const fluid::Cell& c) const;
  /// |grad ubar| [1/s].
  double shear(const Grid& grid, const fluid::Cell& c) const;
  /// sum_d |ubar_d|/h_d, the cells that the solids of a cell cross per time [1/s].
  double crossing(const Grid& grid, std::int64_t cell) const;

  /// Rate of drag [1/s], the mean over the faces with a solids fraction of at least `theta_least`; 0 where there is none.
  double drag_rate(Cpu, double theta_least, double dt) const;

  /// 1/V_f [1/m3]: dual volumes are halved on the sides of the box.
  double inverse_volume(int d, std::int64_t face) const { return inverse_volume_[static_cast<std::size_t>(d)][face]; }

  fluid::FaceArrays theta, U, P, Q;         ///< <V> [-], <V u> [m/s], <V q> [-], <V q u> [m/s] on faces
  fluid::FaceArrays box_theta, box_U;       ///< <V> and <V u> of the boxes between two cells' centres [-], [m/s]
  std::array<Array<double>, 3> mean_velocity; ///< <V u>/<V> in cells, 0 where they are empty [m/s]
  Array<double> mean_square;                ///< <V |u|^2>/<V> in cells [m2/s2]
  Array<double> sauter_radius;              ///< <V>/<V/r> in cells [m]

private:
  void set_columns(Cpu, const Parcels& parcels, double dt);
  void spread_faces(Cpu, const CellOrder<double>& order, const Parcels& parcels);
  void spread_cells(Cpu, const CellOrder<double>& order, const Parcels& parcels, Flow& flow);
  void divide(Cpu, Flow& flow);

  const fluid::Domain& domain_;
  bool frozen_;
  int maps_ = 0;
  fluid::FaceArrays inverse_volume_;
  Boxes boxes_;
  Array<double> vq_, vuu_, v_over_r_;
  std::array<Array<double>, 3> vu_, vqu_; ///< columns V u_d, V q u_d
};

} // namespace corral::mppic
