#include "mppic/step.t.hpp"

namespace corral::mppic {

template class Step<Cpu>;

} // namespace corral::mppic
