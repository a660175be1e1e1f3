#include "mppic/contact/static_friction.t.hpp"

#include <algorithm>

namespace corral::mppic {

namespace {

/// Unequal faces leave some 3 to 6 % of contact's push over, which without any friction sinks and rises for ever: a bed of
/// frictionless beads is held by as much.
constexpr double least = 0.1;

} // namespace

StaticFriction::StaticFriction(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), coefficient_(std::max(setup.solids.friction, least)), most_(domain.grid().cells(), 0.0, memory) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  weight_ = std::sqrt(square) * std::abs(1 - setup.gas.rho / setup.solids.rho);
  for (const SolidMaterial& solid : setup.solids.several)
    weight_ = std::max(weight_, std::sqrt(square) * std::abs(1 - setup.gas.rho / solid.rho));
}

template void StaticFriction::hold(Cpu, const fluid::FaceArrays&, const fluid::FaceArrays&, double,
                                   fluid::FaceArrays&, Flow&);

} // namespace corral::mppic
