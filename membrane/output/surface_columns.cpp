#include "membrane/output/surface_columns.t.hpp"

namespace corral::membrane {

template class SurfaceColumns<Cpu>;

} // namespace corral::membrane
