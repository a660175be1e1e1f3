#pragma once

/// The loops of gas.hpp that find what others want to know of a step, for either processor.

#include "fluid/own_sums.hpp"
#include "mppic/gas/gas.hpp"

#include <corral/together.hpp>

#include <array>
#include <cmath>

namespace corral::mppic {

/// Both fluxes as they are, not as the solver saw them: eps u' and the solids' with the push that the gas expects. U of a face
/// is read before they are written in its place.
template <Execution E> void Gas::set_flux(E execution, double dt, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double mobile = solids_.two_way && !solids_.frozen ? 1 : 0, rho_p = solids_.rho;
  const SolidsInflow inflow = solids_inflow();
  for (int d = 0; d < 3; ++d) {
    const double *u = flow.gas_velocity[d], *w = flow.contact_acceleration[d], *G = gradient_[d].data();
    const SolidsOnFaces solids = filtered_solids(d);
    const GasOnFaces gas = gas_on_faces(d, dt);
    const double g = gravity_[d];
    double* flux = sums_.U[d].data();
    fluid::for_each_face_index(execution, domain.grid, planes(), d, [=] CORRAL_BODY(std::int64_t f) {
      flux[f] = domain.kind(d, f) == fluid::FaceKind::fixed
                    ? domain.given_velocity(d, f) + inflow(d, f)
                    : gas.eps(f) * u[f] + mobile * solids.flux(f, dt, g, w[f], -G[f] / rho_p, u[f]);
    });
  }
  mixture_flux_.swap(sums_.U);
}

/// div(eps u' + <V v>) less what is let out, as the right-hand side of the equation had it.
template <Execution E> void Gas::set_residual(E execution) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers flux = fluid::pointers(mixture_flux_);
  const double* source = source_ ? source_->data() : nullptr;
  scratch_.fields.take_cells(domain.grid, equation_.rhs);
  double* residual = equation_.rhs.data();
  fluid::for_each_cell(execution, domain.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    residual[c.index] =
        domain.volume_fraction(c.index) > 0 ? fluid::divergence(domain, c, fluid::ValueOnFace{flux}) : 0;
    if (source) residual[c.index] -= source[c.index];
  });
}

/// What others want to know of the step's gas while its arrays are there: all at once.
template <Execution E> void Gas::measure(E execution, const FaceSums& sums, double dt, const Flow& state) {
  Together<E> all(execution);
  constexpr int none = -1;
  int worst = none;
  std::array<int, 3> clipped{none, none, none}, given = clipped, supply = clipped;
  std::array<int, 2> ends{none, none};
  std::array<int, 6> out{none, none, none, none, none, none};
  if (gas_.solved) {
    ends = add_pressures(all, dt, state);
    scratch_.fields.give_back(equation_.u_star);
    set_flux(execution, dt, state);
    set_residual(execution);
    const double* residual = equation_.rhs.data();
    worst = fluid::add_maximum(all, fluid::own_cells(domain_.grid(), planes()), 0,
                               [=] CORRAL_BODY(std::int64_t c) { return std::abs(residual[c]); });
    const double coupled = solids_.two_way ? 1 : 0, floor = eps_floor;
    for (int d = 0; d < 3; ++d) {
      const double* theta = sums_.theta[d].data();
      clipped[static_cast<std::size_t>(d)] =
          fluid::add_sum(all, fluid::own_faces(domain_.grid(), planes(), d),
                         [=] CORRAL_BODY(std::int64_t f) { return coupled * theta[f] > 1 - floor ? 1.0 : 0.0; });
    }
    if (solids_.packing && !solids_.frozen) supply = add_supply(all, sums, dt);
  }
  if (solids_.two_way && !solids_.frozen) given = add_momentum_from_parcels(all, sums, dt, state);
  for (int side = 0; side < 6; ++side)
    if (domain_.side_kind(side) == fluid::SideKind::outlet) out[side] = add_out(all, dt, state, side);
  report_.mixture_residual = worst == none ? 0 : dt * planes().largest(all.values()[worst]);
  const auto found = planes().totals(all.values());
  const auto value = [&](int number) { return number == none ? 0.0 : found[number]; };
  report_.floor = value(ends[0]);
  report_.ceiling = value(ends[1]);
  for (std::size_t d = 0; d < 3; ++d) {
    report_.clipped += static_cast<std::int64_t>(value(clipped[d]));
    report_.from_parcels[d] = value(given[d]);
    report_.supply[d] = value(supply[d]);
  }
  for (std::size_t side = 0; side < 6; ++side) report_.out[side] = value(out[side]);
}

/// Of the pressure at the ends of the box along z, half a cell beyond the cells' centres.
template <Execution E> std::array<int, 2> Gas::add_pressures(Together<E>& all, double dt, const Flow& flow) const {
  const Grid& grid = domain_.grid();
  const std::int64_t plane = grid.axis(0).cells * grid.axis(1).cells, top = plane * (grid.axis(2).cells - 1);
  const bool has_floor = !planes().shared() || planes().begin() == 0, has_top = !planes().shared() || planes().end() == planes().count();
  const std::int64_t top_face = grid.points(Staggering::face_z) - plane; // a periodic axis has no other end
  const double h = grid.axis(2).spacing, *p = flow.pressure.data();
  const MixtureGradient G = mixture_gradient(dt, flow);
  return {all.sum(has_floor ? plane : 0, [=] CORRAL_BODY(std::int64_t c) { return p[c] - 0.5 * h * G(2, c); }),
          all.sum(has_top ? plane : 0, [=] CORRAL_BODY(std::int64_t c) { return p[top + c] + 0.5 * h * G(2, top_face + c); })};
}

/// Of gas through the outlets of a side.
template <Execution E> int Gas::add_out(Together<E>& all, double dt, const Flow& flow, int side) const {
  const fluid::FacesOfSide faces(domain_.grid(), planes(), side);
  const GasOnFaces gas = gas_on_faces(side / 2, dt);
  const double* u = flow.gas_velocity[side / 2]->data();
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  return all.sum(faces.count(), [=] CORRAL_BODY(std::int64_t k) {
    const std::int64_t f = faces[k];
    return domain.kind(side / 2, f) == fluid::FaceKind::outlet ? gas.eps(f) * u[f] : 0.0;
  });
}

/// Of the work of the gas's pressure on the mixture, beyond its weight.
template <Execution E>
std::array<int, 3> Gas::add_supply(Together<E>& all, const FaceSums& face_sums, double dt) const {
  const SumsView sums = face_sums.view();
  std::array<int, 3> supply{};
  for (std::size_t d = 0; d < 3; ++d) {
    const fluid::InverseVolumes::OfAxis inverse_volume = sums.inverse_volume[d];
    const double cell_volume = sums.grid.cell_volume(), drop = gas_.rho * gravity_[d], rho_p = solids_.rho;
    const double *G = gradient_[d].data(), *flux = mixture_flux_[d].data();
    supply[d] = fluid::add_sum(all, fluid::own_faces(domain_.grid(), planes(), static_cast<int>(d)), [=] CORRAL_BODY(std::int64_t f) {
      return 1 / (inverse_volume[f] * cell_volume) * dt / rho_p * (drop - G[f]) * flux[f];
    });
  }
  return supply;
}

} // namespace corral::mppic
