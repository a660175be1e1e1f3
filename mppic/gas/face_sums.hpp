#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/sums_view.hpp"
#include "mppic/step_scratch.hpp"
#include "mppic/parcels/parcels.hpp"
#include "mppic/solids/joint_answer.hpp"

#include <corral/boxes.hpp>
#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::mppic {

/// A copy of `faces` where it is needed, else nothing.
inline fluid::FaceArrays only_if(bool needed, const fluid::FaceArrays& faces) {
  if (needed) return faces;
  const Array<double> none(faces[0].memory());
  return {none, none, none};
}

/// What one step needs of the parcels on the grid, spread in two passes over one order: by the trilinear kernel (step 2
/// of docs/models.md) volume, drag and motion, with q = dt D/(1 + dt D); q = dt D where parcels are frozen. And by
/// the kernel of boxes, whose flux is exactly the rate at which moving parcels change theta_c.
class FaceSums {
public:
  FaceSums(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// The order must be the parcels' storage order. `others` are spread along with the sums of cells, four at most.
  template <Execution E>
  void spread(E, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow,
              const std::vector<BoxTerm>& others = {});
  /// Gives back what the gas alone asks of the sums, then what contact alone does, and what displacement's budget is the last
  /// to ask for. The others are there until the next spread.
  void give_back_of_gas() { scratch_.fields.give_back(Q, Qm); }
  void give_back_of_contact() { scratch_.fields.give_back(box_U); }
  void give_back_of_budget() { scratch_.fields.give_back(U); }
  /// Of each parcel as it was spread: V rho_p/rho, V where all have one density [m3].
  const double* weights(const Parcels& parcels) const { return mixed_ ? vs_.data() : parcels.volume.data(); }
  int maps() const { return maps_; } ///< fields that the last call spread

  /// Rate of drag [1/s], the mean over the faces with a solids fraction of at least `theta_least`; 0 where there is none.
  template <Execution E> double drag_rate(E, double theta_least, double dt) const;

  /// Of the parcels as they were spread [J].
  template <Execution E> double kinetic_energy(E, const Flow& flow) const;

  SumsView view() const;
  /// Which share of a face's solids answers gas and contact jointly: P, Pm, Q, Qm and N have it in them.
  JointView joint() const { return joint_.view(theta, mixed_ ? M : theta, U); }

  fluid::FaceArrays theta, U, P, Q;         ///< <V> [-], <V u> [m/s], <V q> [-], <V q u> [m/s] on faces
  fluid::FaceArrays M, Pm, Qm, L, N;        ///< what several densities need (SumsView), empty where there is one
  fluid::FaceArrays box_theta, box_U;       ///< <V> and <V u> of the boxes between two cells' centres [-], [m/s]
  std::array<Array<double>, 3> mean_velocity; ///< <m u>/<m> in cells, m the mass; 0 where they are empty [m/s]
  Array<double> mean_square;                ///< <m |u|^2>/<m> in cells [m2/s2]
  Array<double> sauter_radius;              ///< <V>/<V/r> in cells [m]
  Array<double> relative_density;           ///< of cells' solids, over that mixtures are counted by; empty where there is one
  Array<double> restitution;                ///< <e V/r>/<V/r> in cells [-]; empty where solids have one

  // The parts of `spread`; public, since nvcc takes the loops of no others.
  template <bool frozen, Execution E, class Density>
  void set_columns(E, const Parcels& parcels, double dt, const Density& density);
  template <Execution E>
  void spread_in_turn(E, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow,
                      const std::vector<BoxTerm>& others);
  template <Execution E, class F> void with_scratch(E, const CellOrder<double>& order, const F& maps);
  template <Execution E> void set_restitutions(E, const Parcels& parcels);
  template <Execution E> void spread_faces(E, const CellOrder<double>& order, const Parcels& parcels);
  template <Execution E>
  void spread_cells(E, const CellOrder<double>& order, const Parcels& parcels, Flow& flow,
                    const std::vector<BoxTerm>& others);
  template <Execution E>
  void spread_boxes(E, const CellOrder<double>& order, const Parcels& parcels, const std::vector<BoxTerm>& terms,
                    const double* weight = nullptr);
  template <Execution E> void divide(E, Flow& flow);
  template <Execution E> void derive(E, std::size_t d, const std::vector<fluid::OwnRange>& known);

private:
  void take_faces(); ///< what is spread to faces
  void take_cells(); ///< what is spread to cells and boxes
  void give_back_fields();
  void take_columns(const Parcels& parcels);
  void give_back_columns();
  void deliver(Flow& flow);

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  double rho_;  ///< that mixtures are counted by [kg/m3]
  bool frozen_, mixed_;
  bool two_densities_; ///< no more of them: L and N then follow from the other sums
  double heaviest_;    ///< of the solids' densities, over rho [-]
  bool sizes_; ///< sauter_radius is asked for
  bool parcels_ask_; ///< for what lies in cells
  bool inlets_ask_;  ///< whether there is room
  bool plain_; ///< one density and restitution, and parcels move
  int maps_ = 0;
  std::vector<distributed::FieldOfPlanes> spread_; ///< fields that the parcels of a rank have been spread to
  Array<double> restitutions_; ///< of several solids, empty where they have one [-]
  Array<double> vq_, vuu_, v_over_r_, ev_over_r_;
  std::array<Array<double>, 3> vu_, vqu_; ///< columns V u_d, V q u_d
  // Columns of several densities: s = rho_p/rho, V s, V s q, V s q u_d; of more than two V/s, V (1-q)/s.
  Array<double> s_, vs_, vsq_, v_over_s_, free_over_s_;
  std::array<Array<double>, 3> vsqu_;
  JointAnswer joint_;
};

} // namespace corral::mppic
