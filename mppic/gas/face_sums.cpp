#include "mppic/gas/face_sums.t.hpp"

#include <set>

namespace corral::mppic {

namespace {

/// 1/V_f on the faces of axis d.
Array<double> inverse_volumes(const Grid& grid, int d, Memory memory) {
  Array<double> volumes(grid.points(face(d)));
  fluid::for_each_face(Cpu{}, grid, d, [&](const fluid::Face& f) {
    volumes[f.index] = (f.boundary() ? 2 : 1) / grid.cell_volume();
  });
  return {volumes.span(), memory};
}

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

FaceSums::FaceSums(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : theta(fluid::make_face_arrays(domain.grid(), 0, memory)), U(theta), P(theta), Q(theta),
      M(only_if(setup.solids.densities_differ(), theta)), Pm(M), Qm(M), L(M), N(M), box_theta(theta), box_U(theta),
      mean_velocity(fluid::make_cell_arrays(domain.grid(), 0, memory)),
      mean_square(mean_velocity[0]), sauter_radius(mean_velocity[0]), relative_density(memory), restitution(memory),
      domain_(domain),
      rho_(setup.solids.rho), frozen_(setup.solids.frozen), mixed_(setup.solids.densities_differ()),
      two_densities_(densities(setup.solids) == 2), heaviest_(heaviest(setup.solids) / setup.solids.rho),
      sizes_(!setup.solids.frozen || setup.solids.drag_knows_mixture()),
      inverse_volume_{inverse_volumes(domain.grid(), 0, memory), inverse_volumes(domain.grid(), 1, memory),
                      inverse_volumes(domain.grid(), 2, memory)},
      restitutions_(restitutions(setup), memory), vq_(memory), vuu_(memory), v_over_r_(memory),
      ev_over_r_(memory),
      vu_{Array<double>(memory), Array<double>(memory), Array<double>(memory)}, vqu_(vu_), s_(memory), vs_(memory),
      vsq_(memory), v_over_s_(memory), free_over_s_(memory), vsqu_(vu_), joint_(domain, setup, memory) {
  if (mixed_) relative_density.resize(domain.grid().cells(), 1);
  if (!restitutions_.empty()) restitution.resize(domain.grid().cells(), setup.solids.restitution);
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
          .inverse_volume = fluid::pointers(inverse_volume_),
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
