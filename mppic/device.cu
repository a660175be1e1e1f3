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
#include "mppic/output/audit.t.hpp"
#include "mppic/parcels/move.t.hpp"
#include "mppic/parcels/solid_books.t.hpp"
#include "mppic/step.t.hpp"
#include "mppic/time_step.t.hpp"

#include <corral/boxes.hpp>
#include <corral/for_each.cuh>

namespace corral::mppic {

template class Step<Gpu>;
template void TimeStepper::start(const Step<Gpu>&);
template void TimeStepper::adapt(const Step<Gpu>&, double);
template void TimeStepper::check(const Step<Gpu>&, double) const;
template void SolidBooks::check(Gpu, const Parcels&) const;

// What tests call by itself.
template MoveSums advance_velocities(Gpu, const Motion&);
template void set_slip(Gpu, const Motion&, bool);
template void set_drag(Gpu, const DragOfParcels&, const Motion&, const std::optional<WarmGas>&);
template MoveSums move_parcels(Gpu, const BoxSides&, const Motion&);

// Loops of the gas's heat, which the CPU alone carries so far (GasHeat::advance and foresee).
template void GasHeat::set_mass_flux(Gpu, const Gas&, const Flow&, double);
template void GasHeat::set_next_mass(Gpu, double);
template std::array<double, 2> GasHeat::shares_lost(Gpu, double, bool) const;
template heat::CellBalance GasHeat::balance(Gpu, const ParcelsInCells&, double, double, double);
template void GasHeat::set_flux(Gpu, double);
template void GasHeat::set_carried(Gpu);
template void GasHeat::set_divergence(Gpu, Array<double>&) const;
template void GasHeat::count_mass(Gpu, double, MassBooks&) const;
template void GasHeat::set_conduction_matrix(Gpu, const heat::CellBalance&);
template void GasHeat::conduct(Gpu);
template void GasHeat::end_substep(Gpu, const heat::CellBalance&, HeatBooks&);
template void GasHeat::keep_mass(Gpu);
template void GasHeat::count_sides(Gpu, double, HeatBooks&) const;
template void VaryingGas::set_properties(Gpu, const Array<double>&);
template fluid::ConstFacePointers VaryingGas::conducting_share(Gpu, const fluid::FaceArrays&);
template void VaryingGas::begin_foresight(Gpu, const Array<double>&, fluid::FaceArrays&);
template void VaryingGas::foresee(Gpu, const heat::CellBalance&, const fluid::FaceArrays&, Array<double>&);
template void VaryingGas::end_foresight(Gpu, const Array<double>&, Array<double>&);
template void VaryingGas::begin_flow(Gpu, const fluid::FaceArrays&, const Flow&);
template void VaryingGas::set_mass_flux(Gpu, const heat::UpwindTemperature&, int, Array<double>&) const;
template void VaryingGas::add_mean(Gpu, const fluid::FaceArrays&, double);
template double VaryingGas::rise(Gpu, const heat::CellBalance&) const;
template void VaryingGas::keep_flux(Gpu, const fluid::FaceArrays&);

} // namespace corral::mppic
