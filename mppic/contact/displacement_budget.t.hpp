#pragma once

/// The loops of displacement.hpp that weigh what it may use, for either processor.

#include "fluid/own_sums.hpp"
#include "mppic/contact/displacement.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

/// What the faces of one axis contribute to the energies of a step.
struct EnergyOfFaces {
  const double *theta, *U, *P, *u_s, *du, *filtered_u; ///< P by mass
  fluid::InverseVolumes::OfAxis inverse_volume;
  PullOnFaces pull;
  double cell_volume, dt;

  static constexpr double empty = 1e-9;

  CORRAL_HOST_DEVICE double share(std::int64_t f) const { return 1 / (inverse_volume[f] * cell_volume); }
  CORRAL_HOST_DEVICE double u(std::int64_t f) const { return u_s[f] + du[f]; }
  CORRAL_HOST_DEVICE double lost(std::int64_t f) const {
    const double now = u(f), before = theta[f] > empty ? U[f] / theta[f] : now;
    return share(f) * theta[f] * (dt * pull(f) * now + 0.5 * pull.mass(f) * (now * now - before * before));
  }
  CORRAL_HOST_DEVICE double stopped(std::int64_t f) const {
    return share(f) * theta[f] * pull.mass(f) * du[f] * (u_s[f] + 0.5 * du[f]);
  }
  CORRAL_HOST_DEVICE double heat(std::int64_t f) const {
    const double slip = filtered_u[f] - u(f);
    return share(f) * P[f] * slip * slip;
  }
  CORRAL_HOST_DEVICE double solids(std::int64_t f) const { return share(f) * theta[f] * pull.mass(f); }
};

/// What dx gives to what lies on the faces of an axis.
struct LiftOnFaces {
  PullOnFaces pull;
  const double *theta, *dx;

  CORRAL_HOST_DEVICE double operator()(std::int64_t f) const { return pull(f) * theta[f] * dx[f]; }
};

template <Execution E>
void DisplacementBudget::weigh(E execution, const fluid::Planes& planes, const FaceSums& face_sums, const Gas& gas,
                               const Contact& contact, double dt, std::optional<double> lost) {
  const SumsView sums = face_sums.view();
  lost_ = heat_ = supply_ = stopped_ = 0;
  density_ = sums.relative_density;
  if (density_) theta_ = sums.theta, M_ = sums.M;
  Together<E> all(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    const fluid::OwnRange own = fluid::own_faces(grid_, planes, static_cast<int>(d));
    const EnergyOfFaces of{.theta = sums.theta[d],
                           .U = sums.U[d],
                           .P = sums.Pm[d],
                           .u_s = contact.velocity()[d].data(),
                           .du = contact.push()[d].data(),
                           .filtered_u = gas.filtered_velocity()[d].data(),
                           .inverse_volume = sums.inverse_volume[d],
                           .pull = pull_on_faces(d),
                           .cell_volume = sums.grid.cell_volume(),
                           .dt = dt};
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return of.lost(f); });
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return of.stopped(f); });
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return of.heat(f); });
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return of.solids(f); });
  }
  const auto found = planes.totals(all.values());
  double solids = 0;
  for (std::size_t first = 0; first < 12; first += 4) {
    lost_ -= found[first];
    stopped_ -= found[first + 1];
    heat_ += found[first + 2];
    solids = std::max(solids, found[first + 3]);
  }
  for (const double along_axis : gas.report().supply) supply_ += along_axis;
  if (lost) lost_ = *lost / (rho_p_ * sums.grid.cell_volume());
  close_books(solids);
}

template <Execution E>
Lifts DisplacementBudget::lift(E execution, const fluid::Planes& planes, const fluid::FaceArrays& fractions,
                               const fluid::FaceArrays& distances, const Array<double>& fraction,
                               const std::array<Array<double>, 3>& cell_distances) const {
  Together<E> all(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    if (gravity_[d] == 0) continue;
    const fluid::OwnRange own = fluid::own_faces(grid_, planes, static_cast<int>(d));
    const LiftOnFaces lift{pull_on_faces(d), fractions[d].data(), distances[d].data()};
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return std::max(lift(f), 0.0); });
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return std::min(lift(f), 0.0); });
  }
  const fluid::OwnRange own = fluid::own_cells(grid_, planes);
  for (std::size_t d = 0; d < 3; ++d) {
    const double *theta = fraction.data(), *s = cell_distances[d].data(), *density = density_, gas = rho_ / rho_p_;
    if (density)
      fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t c) { return theta[c] * (density[c] - gas) * s[c]; });
    else if (pull_[d] != 0)
      fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t c) { return theta[c] * s[c]; });
  }
  return lifts_of(planes.totals(all.values()).data());
}

template <Execution E>
double DisplacementBudget::given(E execution, const fluid::Planes& planes, const fluid::FaceArrays& fractions,
                                 const fluid::FaceArrays& distances, const fluid::FaceArrays& shares, double paid) const {
  Together<E> all(execution);
  int axes = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (gravity_[d] == 0) continue;
    const fluid::OwnRange own = fluid::own_faces(grid_, planes, static_cast<int>(d));
    const LiftOnFaces lift{pull_on_faces(d), fractions[d].data(), distances[d].data()};
    const double* owed = shares[d].data();
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return owed[f] * std::max(lift(f), 0.0); });
    ++axes;
  }
  double lift = 0;
  const auto lifts = planes.totals(all.values());
  for (std::size_t k = 0; k < static_cast<std::size_t>(axes); ++k) lift += lifts[k];
  return (1 - paid) * lift * rho_p_ * grid_.cell_volume();
}

} // namespace corral::mppic
