#pragma once

#include <array>
#include <cstdint>

namespace corral::structure {

/// The energy per area of the reference shape, W(I1, I2) [N/m], of invariants of the surface strain: with principal
/// stretches l1, l2, I1 = l1^2 + l2^2 - 2, I2 = (l1 l2)^2 - 1.
enum class ElasticLaw : std::uint8_t {
  none,
  skalak,     ///< (G_s/4)(I1^2 + 2 I1 - 2 I2 + C I2^2) (Skalak et al. 1973)
  neo_hookean ///< (G_s/2)(I1 - 1 + 1/(I2 + 1))
};

/// The energy of bending.
enum class BendingLaw : std::uint8_t {
  none,
  dihedral, ///< triangles: k_b (1 - cos(theta - theta0)) of each edge, k_b = 2 kappa/sqrt(3)
  helfrich  ///< 2 kappa (H - H0)^2 per area (Helfrich 1973), H the mean curvature
};

/// Where bending is at rest.
enum class RestCurvature : std::uint8_t {
  reference, ///< in the reference shape
  flat       ///< where the surface is flat
};

/// What a membrane is made of.
struct Material {
  ElasticLaw law = ElasticLaw::skalak;
  double shear_modulus = 0;    ///< G_s [N/m]
  double area_ratio = 1;       ///< C of Skalak's law [-]: the area modulus is G_s (1 + 2 C)
  BendingLaw bending_law = BendingLaw::none;
  RestCurvature rest_curvature = RestCurvature::reference;
  double bending_modulus = 0;  ///< kappa [J]
  double volume_stiffness = 0; ///< k_V of k_V (V - V0)^2/(2 V0), V enclosed [N/m2]
  double area_stiffness = 0;   ///< k_A of k_A (A - A0)^2/(2 A0), A of the whole surface [N/m]
  double tension = 0;          ///< gamma of gamma A: the same everywhere, of a liquid's surface [N/m]
  double tether_stiffness = 0; ///< k_T of k_T |X - X0|^2/2 per area of the reference shape [N/m3]
  double shear_viscosity = 0;      ///< mu_s of the membrane itself, against shear in its plane [N s/m]
  double dilatation_viscosity = 0; ///< mu_d of the same, against growth of its area [N s/m]

  bool viscous() const { return shear_viscosity > 0 || dilatation_viscosity > 0; }
};

/// Of the elastic law at rest [N/m]: what all-round tension divides by relative area. A thin sheet that keeps its volume
/// has three times its shear modulus.
inline double area_modulus(const Material& m) {
  if (m.law == ElasticLaw::none) return 0;
  return m.law == ElasticLaw::skalak ? m.shear_modulus * (1 + 2 * m.area_ratio) : 3 * m.shear_modulus;
}

} // namespace corral::structure
