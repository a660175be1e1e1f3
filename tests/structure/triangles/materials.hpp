#pragma once

#include "structure/triangles/triangle_membranes.hpp"
#include "tests/structure/triangles/closed_meshes.hpp"

#include <string>
#include <vector>

namespace corral::test {

using structure::BendingLaw;
using structure::ElasticLaw;
using structure::Material;
using structure::MembraneMeasures;
using structure::RestCurvature;
using TriangleMembranes = structure::TriangleMembranes<Cpu>;

inline Material elastic(ElasticLaw law, double C = 1) {
  Material material;
  material.law = law;
  material.shear_modulus = shear;
  material.area_ratio = C;
  return material;
}

inline Material bending(BendingLaw law, RestCurvature rest) {
  Material material;
  material.law = ElasticLaw::none;
  material.bending_law = law;
  material.rest_curvature = rest;
  material.bending_modulus = kappa;
  return material;
}

struct Named {
  std::string name;
  Material material;
};

/// Every term alone, and all that can act at once.
inline std::vector<Named> every_material() {
  std::vector<Named> all{{"skalak", elastic(ElasticLaw::skalak)},
                         {"skalak, C = 100", elastic(ElasticLaw::skalak, 100)},
                         {"neo-hookean", elastic(ElasticLaw::neo_hookean)},
                         {"dihedral, reference", bending(BendingLaw::dihedral, RestCurvature::reference)},
                         {"dihedral, flat", bending(BendingLaw::dihedral, RestCurvature::flat)},
                         {"helfrich, reference", bending(BendingLaw::helfrich, RestCurvature::reference)},
                         {"helfrich, flat", bending(BendingLaw::helfrich, RestCurvature::flat)}};
  Material penalty;
  penalty.law = ElasticLaw::none;
  penalty.volume_stiffness = 3 * shear / radius;
  all.push_back({"volume", penalty});
  penalty.volume_stiffness = 0;
  penalty.area_stiffness = 10 * shear;
  all.push_back({"area", penalty});
  penalty.area_stiffness = 0;
  penalty.tension = shear;
  all.push_back({"tension", penalty});
  for (const BendingLaw law : {BendingLaw::dihedral, BendingLaw::helfrich}) {
    Material whole = bending(law, RestCurvature::reference);
    whole.law = ElasticLaw::skalak;
    whole.shear_modulus = shear;
    whole.volume_stiffness = shear / radius;
    whole.area_stiffness = shear;
    all.push_back({law == BendingLaw::dihedral ? "all, dihedral" : "all, helfrich", whole});
  }
  return all;
}

inline double energy(const MembraneMeasures& m) {
  return m.elastic_energy + m.bending_energy + m.constraint_energy + m.tether_energy;
}

inline std::vector<MembraneMeasures> measures(TriangleMembranes& membranes, const Placed& markers) {
  std::vector<MembraneMeasures> found(static_cast<std::size_t>(membranes.count()));
  membranes.measure(Cpu{}, markers.view(), found.data());
  return found;
}

inline Placed forces(TriangleMembranes& membranes, const Placed& markers) {
  Placed found(markers.size());
  membranes.forces(Cpu{}, markers.view(), found.writable());
  return found;
}

inline double largest(const Placed& vectors) {
  double most = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) most = std::max(most, length(vectors[i]));
  return most;
}

} // namespace corral::test
