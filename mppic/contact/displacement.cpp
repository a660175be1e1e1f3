#include "mppic/contact/displacement.t.hpp"

#include "mppic/contact/displacement_budget.t.hpp"

namespace corral::mppic {

namespace {

/// Of solids that differ by less than a hundredth it is 0: they are dispersed as one.
double range_of_densities(const SolidsModel& solids) {
  constexpr double alike = 0.01;
  const double range = solids.density_range();
  return range > alike * solids.rho ? range : 0;
}

} // namespace

Displacement::Displacement(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), solids_(setup.solids), gravity_(setup.gravity), gas_density_(setup.gas.rho),
      density_range_(range_of_densities(setup.solids)), complementarity_(domain, scratch), budget_(domain, setup) {
  double length2 = 0;
  for (int d = 0; d < 3; ++d) length2 += domain.grid().axis(d).length() * domain.grid().axis(d).length();
  give_ = 1e-4 * solids_.stress.theta_cp / length2;
  release_time_ = budget_.g() > 0 ? 0.005 * std::sqrt(budget_.height() / budget_.g()) : 0;
}

/// What parcels take of it goes to the ranks that have these.
void Displacement::deliver(Flow& flow) {
  const Grid& grid = domain_.grid();
  fluid::deliver_faces(grid, planes(), scratch_.planes_of_parcels, dx_);
  for (Array<double>& component : spacing_) fluid::deliver_cells(grid, planes(), scratch_.planes_of_parcels, component);
  scratch_.share(grid, Staggering::centre, flow.predicted_fraction);
}

template void Displacement::foresee(Cpu, const FaceSums&, const Gas&, const Contact&, const fluid::FaceArrays&, double,
                                    Flow&, std::optional<double>);
template void Displacement::solve(Cpu, Flow&);
template void Displacement::give_way(Cpu, const FaceSums&, const Gas&, const Contact&, const fluid::FaceArrays&, double, Flow&);

namespace {

constexpr double most_saved = 5e-4; ///< of the work that lifts all solids by a cell: what the account holds at most
constexpr double drawn = 0.005;     ///< of the account that a step may draw
constexpr double still = 1e-4;      ///< of sqrt(g h): to lift all solids so fast takes more than gas at rest supplies

} // namespace

DisplacementBudget::DisplacementBudget(const fluid::Domain& domain, const Setup& setup)
    : grid_(domain.grid()), rho_(setup.gas.rho), rho_p_(setup.solids.rho), gravity_(setup.gravity),
      height_(domain.grid().axis(2).spacing) {
  double square = 0, steepest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double g = gravity_[d];
    pull_[d] = -g * (1 - rho_ / rho_p_);
    square += g * g;
    if (std::abs(g) > steepest) steepest = std::abs(g), height_ = domain.grid().axis(static_cast<int>(d)).spacing;
  }
  g_ = std::sqrt(square);
}

/// `solids`: all of them, over a cell's volume.
void DisplacementBudget::close_books(double solids) {
  supply_ = std::max(supply_, 0.0);
  weight_ = g_ * std::abs(1 - rho_ / rho_p_) * solids;
  account_ = std::min(account_, most_saved * weight_ * height_);
}

/// In the order in which `lift` has added them up.
Lifts DisplacementBudget::lifts_of(const double* sums) const {
  Lifts lifts;
  for (const double g : gravity_) {
    if (g == 0) continue;
    lifts.faces.up += *sums++;
    lifts.faces.down += *sums++;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (density_) lifts.cells -= gravity_[d] * *sums++;
    else if (pull_[d] != 0) lifts.cells += pull_[d] * *sums++;
  }
  return lifts;
}

double DisplacementBudget::blown(double dt) const { return share_of_heat(supply_, dt); }

double DisplacementBudget::loosened(double dt) const {
  return share_of_heat(supply_ + std::max(std::min(stopped_, lost_ + supply_ - heat_), 0.0), dt);
}

double DisplacementBudget::share_of_heat(double part, double dt) const {
  const double creep = still * std::sqrt(g_ * height_) * dt * weight_;
  return heat_ + creep > 0 ? std::min(part / (heat_ + creep), 1.0) : 0;
}

double DisplacementBudget::pay_for_room(const Lift& lift, double freely) {
  const double available = std::max(lost_ + supply_, 0.0), most = available + drawn * account_;
  const double free = freely * lift.down, waiting = lift.sum() - free;
  const double paid = lift.sum() > most ? (most - free) / waiting : 1;
  left_ = available - std::max(paid * waiting + free, 0.0);
  account_ += left_;
  return paid;
}

/// From what contact rubbed off and the gas supplied: paid from its fall through still gas a bed would rise as fast as it
/// sinks.
double DisplacementBudget::pay_for_drift(double lift) const {
  const double rubbed = std::max(std::min(stopped_, left_ - heat_), 0.0);
  const double available = std::max(std::min(rubbed + std::min(heat_, supply_), left_), 0.0);
  return lift > available ? available / lift : 1;
}

template void DisplacementBudget::weigh(Cpu, const fluid::Planes&, const FaceSums&, const Gas&, const Contact&, double, std::optional<double>);
template Lifts DisplacementBudget::lift(Cpu, const fluid::Planes&, const fluid::FaceArrays&, const fluid::FaceArrays&, const Array<double>&,
                                       const std::array<Array<double>, 3>&) const;
template double DisplacementBudget::given(Cpu, const fluid::Planes&, const fluid::FaceArrays&, const fluid::FaceArrays&,
                                          const fluid::FaceArrays&, double) const;

} // namespace corral::mppic
