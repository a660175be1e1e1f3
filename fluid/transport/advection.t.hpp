#pragma once

/// The loops of advection.hpp, for either processor.

#include "fluid/transport/advection.hpp"
#include "fluid/transport/padded_velocity.t.hpp"

namespace corral::fluid {

/// A term of add_along_axes.
template <Advection scheme, bool closed> struct AdvectiveTerm {
  double rho;
  std::array<double, 3> per_cell;

  struct AlongRow {
    RowAlong row;
    double scale;
    CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
      return -advection_along<scheme, closed>(row, i, scale);
    }
  };
  CORRAL_HOST_DEVICE AlongRow along(int e, const RowAlong& row) const {
    return {row, rho * per_cell[e]};
  }
};

template <Execution E>
void add_advection(E execution, const PaddedVelocity& u, Advection scheme, double rho,
                   const std::array<double*, 3>& force) {
  const PaddedVelocityView v = u.view();
  with_scheme(scheme, u.has_closed_faces(), [&]<Advection s, bool closed>() {
    for (std::size_t d = 0; d < 3; ++d)
      add_along_axes<closed>(execution, v, static_cast<int>(d), {0, v.shape[d].rows()}, v.u[d], Onto::what_is_there, force[d],
                             AdvectiveTerm<s, closed>{rho, v.per_cell});
  });
}

/// Viscosity, a term of add_along_axes.
template <bool closed> struct ViscousTerm {
  double mu;
  std::array<double, 3> per_cell;

  struct AlongRow {
    RowAlong row;
    double scale;
    CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return viscosity_along<closed>(row, i, scale); }
  };
  CORRAL_HOST_DEVICE AlongRow along(int e, const RowAlong& row) const {
    const double h = per_cell[e];
    return {row, mu * h * h};
  }
};

template <Execution E>
void add_viscosity(E execution, const PaddedVelocity& u, double mu, const std::array<double*, 3>& force) {
  const PaddedVelocityView v = u.view();
  for (std::size_t d = 0; d < 3; ++d) {
    const auto add = [&]<bool closed>() {
      add_along_axes<closed>(execution, v, static_cast<int>(d), {0, v.shape[d].rows()}, v.u[d], Onto::what_is_there, force[d],
                             ViscousTerm<closed>{mu, v.per_cell});
    };
    u.has_closed_faces() ? add.template operator()<true>() : add.template operator()<false>();
  }
}

} // namespace corral::fluid
