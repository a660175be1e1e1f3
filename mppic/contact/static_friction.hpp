#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"

#include <cstdint>

namespace corral::mppic {

/// Coulomb's friction of packed solids at rest. A pressure alone cannot hold a bed in which some faces carry more solids
/// than others: the heavy ones sink, the light ones rise, slowly and for ever. Where contact has stopped the mean motion
/// but for less than friction could stop, friction stops that, too. It holds solids to the box, as if every packed cell
/// were part of what rests on its floor, and so acts on no more than their weight. docs/models/contact.md.
class StaticFriction {
public:
  StaticFriction(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host);

  /// Adds friction's part to contact's push du on faces [m/s], u_s the velocity before it, m the mobility; and follows
  /// with flow.friction_acceleration, which the gas is told of.
  template <Execution E>
  void hold(E, const fluid::FaceArrays& u_s, const fluid::FaceArrays& m, double dt, fluid::FaceArrays& du, Flow& flow);

  /// Share of what it hears of friction and contact that the gas answers in a step: where drag leaves next to nothing of a
  /// push, that push is as much larger, and answering it at once gas would carry what it has to stop in the next step.
  CORRAL_HOST_DEVICE static double answered(double mobility) {
    constexpr double firm = 0.1; // mobility from which on drag leaves enough of a push
    const double share = mobility / firm;
    return share < 1 ? share : 1;
  }

  std::int64_t bytes() const { return most_.bytes(); }

private:
  const fluid::Domain& domain_;
  double coefficient_; ///< mu_c [-]
  double weight_;      ///< |g| (1 - rho/rho_p) [m/s2]
  Array<double> most_; ///< velocity that friction can stop, in cells [m/s]
};

} // namespace corral::mppic
