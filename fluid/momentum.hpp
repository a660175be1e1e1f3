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
/// Beyond the sides: tangential components mirror with the sign that the side's slip asks for (inlets count as the
/// wall that they are part of), normal components keep the value of the side.
class MomentumForces {
public:
  MomentumForces(const Domain& domain, double rho, double mu, Advection advection);

  /// `u` and `force` hold grid.points(face(d)) values per direction; values on fixed faces mean nothing.
  void operator()(Cpu, const std::array<const double*, 3>& u, const std::array<double*, 3>& force);

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
  void fill_ghosts(Cpu, int d, int along);
  template <Advection scheme> void add_up(Cpu, int d, double* force) const;

  const Domain& domain_;
  double rho_, mu_;
  Advection advection_;
  std::array<Padded, 3> u_;
};

} // namespace corral::fluid
