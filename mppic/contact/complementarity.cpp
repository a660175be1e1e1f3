#include "mppic/contact/complementarity.hpp"

namespace corral::mppic {

Complementarity::Complementarity(const fluid::Domain& domain, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), cells_(StepScratch::cells_of(domain.grid())), wraps_(StepScratch::wraps(domain.grid())),
      solver_(scratch.pressure) {}

void Complementarity::take() {
  const Grid& grid = domain_.grid();
  scratch_.fields.take_faces(grid, truncated_);
  for (Array<double>* cells : {&diagonal_, &F_, &correction_}) scratch_.fields.take_cells(grid, *cells);
  scratch_.active.resize(grid.cells());
}

void Complementarity::give_back() {
  scratch_.fields.give_back(truncated_, diagonal_, F_, correction_);
}

} // namespace corral::mppic
