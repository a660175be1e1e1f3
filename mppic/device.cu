/// Device code of the gas-solid step: every loop of its parts, so that nvcc sees what a run on a GPU will ask for.

#include "mppic/boxes/boxes.t.hpp"
#include "mppic/collisions/far_collisions.t.hpp"
#include "mppic/collisions/isotropy.t.hpp"
#include "mppic/contact/contact.t.hpp"
#include "mppic/contact/damping.t.hpp"
#include "mppic/contact/displacement.t.hpp"
#include "mppic/contact/displacement_budget.t.hpp"
#include "mppic/contact/static_friction.t.hpp"
#include "mppic/felt.t.hpp"
#include "mppic/gas/face_sums.t.hpp"
#include "mppic/gas/gas.t.hpp"
#include "mppic/gas/ripple_filter.t.hpp"
#include "mppic/heat/gas_heat.t.hpp"
#include "mppic/heat/heat.t.hpp"
#include "mppic/heat/varying_gas.t.hpp"
#include "mppic/parcels/move.t.hpp"
#include "mppic/step.t.hpp"
#include "mppic/time_step.t.hpp"

#include <corral/for_each.cuh>

namespace corral::mppic {

template MoveSums advance_velocities(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void drag_of_slip(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);
template MoveSums move_parcels(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void set_drag(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);

template void FaceSums::spread(Gpu, const CellOrder<double>&, const Parcels&, double, Flow&, const std::vector<Boxes::Term>&);
template double FaceSums::drag_rate(Gpu, double, double) const;
template double FaceSums::kinetic_energy(Gpu, const Flow&) const;
template void Boxes::spread(Gpu, const CellOrder<double>&, const Place&, const std::vector<Term>&, const double*) const;
template void Boxes::spread_fluxes(Gpu, const CellOrder<double>&, const Place&, const double*,
                                   const std::array<const double*, 3>&, fluid::FaceArrays&) const;
template void Boxes::interpolate(Gpu, const CellOrder<double>&, const Place&, const fluid::FaceArrays&,
                                 const std::array<Array<double>, 3>&, const std::array<double*, 3>&) const;

template void Gas::begin(Gpu, const Flow&);
template void Gas::set_properties(Gpu, const Array<double>&, const Array<double>&, const run::Components&);
template void Gas::set_fraction(Gpu, const FaceSums&, const Flow&);
template void Gas::predict(Gpu, const FaceSums&, double, const Flow&);
template void Gas::correct(Gpu, const FaceSums&, double, Flow&);
template std::array<double, 3> Gas::momentum_from_parcels(Gpu, const FaceSums&, double, const Flow&) const;
template void RippleFilter::set_weights(Gpu, const Array<double>&);
template void RippleFilter::apply(Gpu, int, const std::array<const double*, 1>&, const std::array<double*, 1>&) const;
template void RippleFilter::apply(Gpu, int, const std::array<const double*, 2>&, const std::array<double*, 2>&) const;
template void RippleFilter::apply(Gpu, int, const std::array<const double*, 3>&, const std::array<double*, 3>&) const;
template void RippleFilter::apply(Gpu, int, const std::array<const double*, 4>&, const std::array<double*, 4>&) const;

template void Contact::set_velocity(Gpu, const FaceSums&, const Gas&, double);
template void Contact::set_mobility(Gpu, const FaceSums&, double);
template void Contact::set_law(Gpu, const FaceSums&, const Gas&, double, const Flow&);
template void Contact::apply_pressure(Gpu, const FaceSums&, const Gas&, double, Flow&);
template void Contact::share_push(Gpu, const FaceSums&, const Gas&, double, fluid::FaceArrays&) const;
template void Contact::remember(Gpu, const Gas&, Flow&);
template void StaticFriction::hold(Gpu, const fluid::FaceArrays&, const fluid::FaceArrays&, double, fluid::FaceArrays&,
                                   Flow&);
template void Damping::advance(Gpu, const FaceSums&, double, const Flow&, const Array<double>*);
template void FarCollisions::advance(Gpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&);
template Isotropy::Report Isotropy::advance(Gpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&,
                                            const MoveColumns&, double, std::int64_t);

template void Displacement::foresee(Gpu, const FaceSums&, const Gas&, const Contact&, const fluid::FaceArrays&, double,
                                    Flow&, std::optional<double>);
template void Displacement::give_way(Gpu, const FaceSums&, const Contact&, const fluid::FaceArrays&, double, Flow&);
template void DisplacementBudget::weigh(Gpu, const FaceSums&, const Gas&, const Contact&, double, std::optional<double>);
template Lift DisplacementBudget::lift_of_faces(Gpu, const fluid::FaceArrays&, const fluid::FaceArrays&) const;
template double DisplacementBudget::lift_of_cells(Gpu, const Array<double>&, const std::array<Array<double>, 3>&) const;

template void GasHeat::start(Gpu, const Flow&);
template const Array<double>& GasHeat::set_volume_source(Gpu, const Flow&, double);
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
template void VaryingGas::add_expansion(Gpu, const Flow&, double, Array<double>&);
template void VaryingGas::begin_flow(Gpu, const fluid::FaceArrays&, const Flow&);
template void VaryingGas::set_mass_flux(Gpu, const heat::UpwindTemperature&, int, Array<double>&) const;
template void VaryingGas::add_mean(Gpu, const fluid::FaceArrays&, double);
template double VaryingGas::rise(Gpu, const heat::CellBalance&) const;
template void VaryingGas::keep_flux(Gpu, const fluid::FaceArrays&);
template std::vector<Boxes::Term> Heat::terms(Gpu, const Parcels&, double);
template void Heat::exchange(Gpu, const MoveModel&, const MoveColumns&, const Parcels&);
template void Heat::set_rates(Gpu, const MoveModel&, const MoveColumns&, const Parcels&);
template double Heat::leaving(Gpu, const Parcels&, const Array<std::uint8_t>&, int) const;

template void Felt::gather(Gpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Gas&, const Contact&,
                           const Damping&, const Flow&, Heat*, double);

template double largest(Gpu, std::int64_t, const double*);
template Drift measure_drift(Gpu, std::int64_t, const FlowView&);
template void scale(Gpu, Array<double>&, double);
template double leaving_volume(Gpu, std::int64_t, const std::uint8_t*, int, const double*);
template double leaving_mass(Gpu, const Parcels&, const std::uint8_t*, int);
template double total(Gpu, std::int64_t, const double*);
template double mass(Gpu, const Parcels&, double);
template double energy_on_the_way(Gpu, std::int64_t, const EnergyOnTheWay&);
template void predict_as_is(Gpu, std::int64_t, const FlowView&);

template std::vector<std::int64_t> count_rates(Gpu, std::int64_t, std::array<double*, 3>, std::array<double, 3>);
template double largest_magnitude(Gpu, std::int64_t, const double*);
template double largest_speed_squared(Gpu, std::int64_t, std::array<double*, 3>);

} // namespace corral::mppic
