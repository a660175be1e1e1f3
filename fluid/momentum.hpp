#pragma once

#include "fluid/domain.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace corral::fluid {

/// How the advected velocity is found on the sides of a face's control volume.
enum class Advection : std::uint8_t {
  upwind,  ///< first order, the upstream value
  van_leer ///< second order where the profile is smooth (van Leer 1974), upwind at extrema: total variation diminishing
};

/// Explicit forces of a fluid of constant density and viscosity on its faces, in advective form:
/// H_d = -rho (u . grad) u_d + mu lap u_d [N/m3].
///
/// A face's value is replaced by its neighbours' at the rate c = sum over d of s |u_d|/h_d + 2 nu/h_d^2 [1/s], with s
/// the steepest slope of the scheme: 1 upwind, 2 van Leer. While dt c <= 1, u + dt H/rho is a mean of values around
/// the face, and no larger than they are.
///
/// Beyond the sides: tangential components mirror with the sign that the side's slip asks for (inlets count as the
/// wall that they are part of), normal components keep the value of the side.
class MomentumForces {
public:
  MomentumForces(const Domain& domain, double rho, double mu, Advection advection);

  /// `u` and `force` hold grid.points(face(d)) values per direction; values on fixed faces mean nothing.
  void operator()(Cpu, const std::array<const double*, 3>& u, const std::array<double*, 3>& force);

  /// The mean of H over a step of dt [s] in which u is carried by what it was at the start: `force` is
  /// rho (u_n - u)/dt after n = min(most_substeps, ceil(dt max c)) sub-steps, 0 on fixed faces where n > 1. Where even
  /// a sub-step is longer than 1/c its change is divided by so much, so that |u_n| <= max |u| for any dt. Where
  /// dt max c <= 1 the force is that of the call without dt. Returns n.
  int operator()(Cpu, double dt, const std::array<const double*, 3>& u, const std::array<double*, 3>& force);

  static constexpr int most_substeps = 8;

private:
  static constexpr std::int64_t ghosts = 2;

  /// One velocity component with two layers of ghost points.
  struct Padded {
    std::array<std::int64_t, 3> points, stride;
    Array<double> values;
    double* origin() { return values.data() + ghosts * (stride[0] + stride[1] + stride[2]); }
    const double* origin() const { return values.data() + ghosts * (stride[0] + stride[1] + stride[2]); }
  };

  void fill(Cpu, int d, const double* u);
  void fill_ghosts(Cpu, Padded& p, int d) const;
  void fill_ghosts(Cpu, Padded& p, int d, int along) const;
  void evaluate(Cpu, int d, const Padded& carried, double* force) const;
  template <Advection scheme> void add_up(Cpu, int d, const Padded& carried, double* force) const;
  double find_rates(Cpu, int d);
  void carry(Cpu, int d, double dt, int n, double* force);

  const Domain& domain_;
  double rho_, mu_;
  Advection advection_;
  std::array<Padded, 3> u_;
  Padded carried_;      ///< a component on its way through the sub-steps
  Array<double> rates_; ///< c of one component's faces [1/s]
};

} // namespace corral::fluid
