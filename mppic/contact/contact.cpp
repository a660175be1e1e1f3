#include "mppic/contact/contact.t.hpp"

#include "mppic/contact/contact_at_rest.t.hpp"
#include "mppic/contact/damping.t.hpp"

#include <algorithm>

namespace corral::mppic {

Contact::Contact(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), solids_(setup.solids), blended_(setup.collisions.blended),
      complementarity_(domain, scratch), friction_(domain, setup, scratch),
      floor_load_(domain.grid().axis(0).cells * domain.grid().axis(1).cells, 0.0, scratch.memory) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  gravity_ = std::sqrt(square);
  gas_density_ = setup.gas.rho / setup.solids.rho;
  weight_ = gravity_ * std::abs(1 - gas_density_);
}

contact::Mixture Contact::mixture(const FaceSums& sums) const {
  const SumsView view = sums.view();
  return {view.theta, view.M, view.Pm, view.L, view.N, blended_};
}

/// Where ranks share planes, what the next step asks of contact beside their own, or all of it.
void Contact::share_memory(Flow& flow) const {
  for (int d = 0; d < 3; ++d)
    for (Array<double>* values : {flow.contact_acceleration[d], flow.friction_acceleration[d]})
      scratch_.share(domain_.grid(), face(d), *values);
}

template void Contact::prepare(Cpu, const FaceSums&, const Gas&, double, const Flow&);
template void Contact::solve(Cpu, Flow&);
template void Contact::apply(Cpu, const FaceSums&, const Gas&, double, Flow&);
template void Contact::remember(Cpu, const FaceSums&, Gas&, Flow&);
template void Contact::share_push(Cpu, const FaceSums&, const Gas&, double, fluid::FaceArrays&) const;

namespace {

/// Unequal faces leave some 3 to 6 % of contact's push over, which without any friction sinks and rises for ever: a bed of
/// frictionless beads is held by as much.
constexpr double least = 0.1;

} // namespace

StaticFriction::StaticFriction(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), coefficient_(std::max(setup.solids.friction, least)) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  weight_ = std::sqrt(square) * std::abs(1 - setup.gas.rho / setup.solids.rho);
  for (const SolidMaterial& solid : setup.solids.several)
    weight_ = std::max(weight_, std::sqrt(square) * std::abs(1 - setup.gas.rho / solid.rho));
}

template void StaticFriction::hold(Cpu, const fluid::FaceArrays&, const contact::Mixture&, double,
                                   fluid::FaceArrays&, Flow&);

namespace {

/// Of the axes with more than one cell: the map smooths by this.
double least_spacing(const Grid& grid) {
  double shortest = 0;
  for (int d = 0; d < 3; ++d)
    if (!grid.axis(d).thin()) shortest = shortest > 0 ? std::min(shortest, grid.axis(d).spacing) : grid.axis(d).spacing;
  return shortest;
}

} // namespace

DampingRates::DampingRates(const Grid& grid, const SolidsModel& solids)
    : CollisionRates(solids), coefficient(solids.friction), rho_p(solids.rho),
      h(least_spacing(grid)), slowest_shear(h > 0 ? 1e-3 * std::sqrt(9.81 / h) : 1) {}

Damping::Damping(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : scratch_(scratch), rates_(domain.grid(), setup.solids), collisions_(setup.collisions.damping), audited_(setup.audit) {}

template void Damping::advance(Cpu, const FaceSums&, double, const Flow&, const Array<double>*);
template void Damping::friction_part(Cpu, const FaceSums&, Array<double>&, std::array<Array<double>, 3>&) const;

} // namespace corral::mppic
