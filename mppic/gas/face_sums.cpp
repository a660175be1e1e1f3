#include "mppic/gas/face_sums.t.hpp"

#include <set>

namespace corral::mppic {

namespace {

/// How many there are.
std::size_t densities(const SolidsModel& solids) {
  std::set<double> different;
  for (const SolidMaterial& solid : solids.several) different.insert(solid.rho);
  return different.size();
}

/// Of the solids, where they have different ones.
std::vector<double> restitutions(const Setup& setup) {
  std::vector<double> all;
  if (setup.solids.frozen || !setup.solids.restitutions_differ()) return all;
  for (const SolidMaterial& solid : setup.solids.several) all.push_back(solid.restitution);
  return all;
}

double heaviest(const SolidsModel& solids) {
  double most = solids.rho;
  for (const SolidMaterial& solid : solids.several) most = std::max(most, solid.rho);
  return most;
}

} // namespace

FaceSums::FaceSums(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), rho_(setup.solids.rho), frozen_(setup.solids.frozen),
      mixed_(setup.solids.densities_differ()), two_densities_(densities(setup.solids) == 2),
      heaviest_(heaviest(setup.solids) / setup.solids.rho),
      sizes_(!setup.solids.frozen || setup.solids.drag_knows_mixture()),
      parcels_ask_(setup.collisions.isotropy || setup.solids.drag_knows_mixture()), inlets_ask_(!setup.solids_inlets.empty()),
      restitutions_(restitutions(setup), scratch.memory), joint_(setup, scratch) {
  plain_ = !frozen_ && !mixed_ && restitutions_.empty() && !joint_.on();
}

/// What frozen parcels leave out is 0 there.
void FaceSums::take_faces() {
  const Grid& grid = domain_.grid();
  fluid::Scratch& fields = scratch_.fields;
  for (fluid::FaceArrays* faces : {&theta, &U, &P, &Q}) fields.take_faces(grid, *faces);
  if (mixed_)
    for (fluid::FaceArrays* faces : {&M, &Pm, &Qm, &L, &N}) fields.take_faces(grid, *faces);
  joint_.take_fields(grid);
}

void FaceSums::take_cells() {
  const Grid& grid = domain_.grid();
  fluid::Scratch& fields = scratch_.fields;
  for (fluid::FaceArrays* faces : {&box_theta, &box_U}) fields.take_faces(grid, *faces);
  fields.take_cells(grid, mean_velocity);
  for (Array<double>* cells : {&mean_square, &sauter_radius}) fields.take_cells(grid, *cells);
  if (mixed_) fields.take_cells(grid, relative_density);
  if (!restitutions_.empty()) fields.take_cells(grid, restitution);
}

void FaceSums::give_back_fields() {
  scratch_.fields.give_back(theta, U, P, Q, M, Pm, Qm, L, N, box_theta, box_U, mean_velocity, mean_square, sauter_radius,
                            relative_density, restitution);
  joint_.give_back_fields();
}

void FaceSums::take_columns(const Parcels& parcels) {
  const auto take = [&](bool needed, auto&... columns) {
    if (needed) (scratch_.take_column(parcels, columns), ...);
  };
  const bool many = mixed_ && !two_densities_ && !frozen_;
  take(true, vq_);
  take(sizes_, v_over_r_);
  take(!frozen_, vuu_, vu_[0], vu_[1], vu_[2], vqu_[0], vqu_[1], vqu_[2]);
  take(mixed_, s_, vs_, vsq_);
  take(mixed_ && !frozen_, vsqu_[0], vsqu_[1], vsqu_[2]);
  take(many, v_over_s_, free_over_s_);
  take(!restitutions_.empty(), ev_over_r_);
  joint_.take_columns(parcels);
}

/// All but `weights`.
void FaceSums::give_back_columns() {
  scratch_.columns.give_back(vq_, vuu_, v_over_r_, ev_over_r_, vu_, vqu_, s_, vsq_, vsqu_, v_over_s_, free_over_s_);
  joint_.give_back_columns();
}

/// Where each rank has its own sums, what maps and groups of parcels read goes to the ranks that have these.
void FaceSums::deliver(Flow& flow) {
  const fluid::Planes& planes = scratch_.planes_of_sums();
  const auto to_parcels = [&](Array<double>& cells) {
    if (cells.size() > 0) fluid::deliver_cells(domain_.grid(), planes, scratch_.planes_of_parcels, cells);
  };
  if (inlets_ask_) fluid::complete_cells(domain_.grid(), planes, flow.solids_fraction);
  else to_parcels(flow.solids_fraction);
  if (!parcels_ask_) return;
  for (Array<double>& mean : mean_velocity) to_parcels(mean);
  to_parcels(sauter_radius);
  to_parcels(restitution);
}

SumsView FaceSums::view() const {
  return {.grid = domain_.grid(),
          .theta = fluid::pointers(theta),
          .U = fluid::pointers(U),
          .P = fluid::pointers(P),
          .Q = fluid::pointers(Q),
          .box_theta = fluid::pointers(box_theta),
          .box_U = fluid::pointers(box_U),
          .M = fluid::pointers(mixed_ ? M : theta),
          .Pm = fluid::pointers(mixed_ ? Pm : P),
          .Qm = fluid::pointers(mixed_ ? Qm : Q),
          .L = fluid::pointers(mixed_ ? L : theta),
          .N = fluid::pointers(N),
          .PJ = fluid::pointers(joint_.on() && mixed_ ? joint_.PJ : P),
          .NJ = fluid::pointers(joint_.on() && mixed_ ? joint_.NJ : N),
          .inverse_volume = fluid::inverse_volumes(domain_, scratch_.memory),
          .mean_velocity = fluid::pointers(mean_velocity),
          .mean_square = mean_square.data(),
          .sauter_radius = sauter_radius.data(),
          .relative_density = relative_density.data(),
          .restitution = restitutions_.empty() ? nullptr : restitution.data()};
}

template void FaceSums::spread(Cpu, const CellOrder<double>&, const Parcels&, double, Flow&,
                               const std::vector<BoxTerm>&);
template double FaceSums::drag_rate(Cpu, double, double) const;
template double FaceSums::kinetic_energy(Cpu, const Flow&) const;

} // namespace corral::mppic
