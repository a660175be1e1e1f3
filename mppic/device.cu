/// Device code of the gas-solid step: all that a run on a GPU asks for, in one translation unit.

#include "mppic/collisions/collisions.t.hpp"
#include "mppic/contact/contact.t.hpp"
#include "mppic/contact/contact_at_rest.t.hpp"
#include "mppic/contact/damping.t.hpp"
#include "mppic/contact/displacement.t.hpp"
#include "mppic/contact/displacement_budget.t.hpp"
#include "mppic/gas/face_sums.t.hpp"
#include "mppic/gas/gas.t.hpp"
#include "mppic/gas/ripple_filter.t.hpp"
#include "mppic/heat/gas_heat.t.hpp"
#include "mppic/heat/heat.t.hpp"
#include "mppic/heat/varying_gas.t.hpp"
#include "mppic/interpolation.t.hpp"
#include "fluid/few_faces.cuh"
#include "mppic/output/audit.t.hpp"
#include "mppic/output/figures.t.hpp"
#include "mppic/output/watch.t.hpp"
#include "mppic/parcels/inflow.cuh"
#include "mppic/parcels/move.t.hpp"
#include "mppic/parcels/move_on_grid.cuh"
#include "mppic/parcels/solid_books.t.hpp"
#include "mppic/step.t.hpp"
#include "mppic/time_step.t.hpp"

#include <corral/boxes.hpp>
#include <corral/for_each.cuh>
#include <corral/together.cuh>

namespace corral::mppic {

template class Step<Gpu>;
template void TimeStepper::start(const Step<Gpu>&);
template void TimeStepper::adapt(const Step<Gpu>&, double);
template void TimeStepper::check(const Step<Gpu>&, double) const;
template void Figures::add(const Step<Gpu>&, const Fastest&, const Fastest&, double);
template std::vector<double> Figures::row(Step<Gpu>&);
template void Watch::look(const Step<Gpu>&, const Fastest&, double, double);
template void SolidBooks::check(Gpu, const Parcels&) const;

// What tests call by itself.
template MoveSums advance_velocities(Gpu, const Motion&);
template void set_slip(Gpu, const Motion&, bool);
template void set_drag(Gpu, const DragOfParcels&, const Motion&, const std::optional<WarmGas>&);
template MoveSums move_parcels(Gpu, const BoxSides&, const Motion&);

} // namespace corral::mppic
