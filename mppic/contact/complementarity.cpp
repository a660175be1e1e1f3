#include "mppic/contact/complementarity.hpp"

namespace corral::mppic {

Complementarity::Complementarity(const fluid::Domain& domain, Memory memory)
    : domain_(domain), cells_{domain.grid().axis(0).cells, domain.grid().axis(1).cells, domain.grid().axis(2).cells},
      wraps_{domain.grid().axis(0).periodic(), domain.grid().axis(1).periodic(), domain.grid().axis(2).periodic()},
      solver_(cells_, wraps_, memory), truncated_(fluid::make_face_arrays(domain.grid(), 0, memory)),
      diagonal_(domain.grid().cells(), 0.0, memory), truncated_diagonal_(diagonal_), F_(diagonal_), slope_(diagonal_),
      correction_(diagonal_), start_(diagonal_), active_(domain.grid().cells(), 0, memory) {}

} // namespace corral::mppic
