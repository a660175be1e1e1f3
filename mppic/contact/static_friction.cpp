#include "mppic/contact/static_friction.t.hpp"

namespace corral::mppic {

StaticFriction::StaticFriction(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), coefficient_(setup.solids.friction), most_(domain.grid().cells(), 0.0, memory) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  weight_ = std::sqrt(square) * std::abs(1 - setup.gas.rho / setup.solids.rho);
}

template void StaticFriction::hold(Cpu, const fluid::FaceArrays&, const fluid::FaceArrays&, double,
                                   fluid::FaceArrays&, Flow&);

} // namespace corral::mppic
