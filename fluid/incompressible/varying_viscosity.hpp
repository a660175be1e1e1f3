#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/measures.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid {

/// A viscosity that varies from place to place, in boxes as IncompressibleFlow takes them. Normal stresses
/// 2 mu du_d/dx_d stand in cells, shear stresses mu (du_d/dx_e + du_e/dx_d) on edges, each used by the two components that
/// meet there: symmetric, without net force but through walls, and 0 for a rigid rotation.
///
/// On edges mu is the harmonic mean of the cells around, 1/mu the arithmetic one: shear passes one layer after the other,
/// and so layers that end between cells give their exact profile.
class VaryingViscosity {
public:
  /// Keeps a reference to the domain.
  explicit VaryingViscosity(const Domain& domain);

  /// mu[c] of all cells, x fastest [Pa s], positive.
  void set(Cpu, const double* mu);
  bool is_set() const { return set_; }

  /// What becomes of the walls' own velocity.
  enum class Walls : std::uint8_t {
    slide, ///< as the domain says
    rest
  };
  /// force = div 2 mu D(u) [N/m3] on faces that are not on walls; those on walls are left alone. u is 0 through walls.
  void find_force(Cpu, const ConstFacePointers& u, Walls walls, const FacePointers& force) const;

  /// -<u, div 2 mu D(u)> = dissipated - by_walls.
  ViscousWork work(Cpu, const ConstFacePointers& u) const;
  /// The box's sum of 2 (mu - mu0) D(u), xx yy zz xy xz yz [N m]: what places of another viscosity add to a stress.
  std::array<double, 6> excess_stress(Cpu, double mu0, const ConstFacePointers& u) const;

private:
  class Sums;

  const double* cell_row(std::int64_t j, std::int64_t k) const { return cells_.data() + layout_.begin(0, j, k); }
  /// Edges along z, which shears of x and y share, lie as faces of y do; those along y as cells, along x as faces of y.
  const double* edge_row(std::size_t edges, std::int64_t j, std::int64_t k) const {
    return edges_[edges].data() + layout_.begin(edges == xz ? 0 : 1, j, k);
  }
  static constexpr std::size_t xy = 0, xz = 1, yz = 2;

  const Domain& domain_;
  spectral::BoxLayout layout_;
  bool set_ = false;
  Array<double> cells_, fluidity_; ///< mu, 1/mu
  std::array<Array<double>, 3> edges_;
};

} // namespace corral::fluid
