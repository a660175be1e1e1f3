#include "fluid/lattice/device/entries.cuh"

namespace corral::fluid::lattice {

template void launch_step<D2Q9>(Gpu, const StepView<double, double>&, const Rule<double>&);
template void launch_step<D2Q9>(Gpu, const StepView<float, float>&, const Rule<float>&);
template void launch_step<D2Q9>(Gpu, const StepView<float, double>&, const Rule<double>&);
template void launch_look<D2Q9>(Gpu, const LookView<double, double>&);
template void launch_look<D2Q9>(Gpu, const LookView<float, float>&);
template void launch_look<D2Q9>(Gpu, const LookView<float, double>&);

} // namespace corral::fluid::lattice
