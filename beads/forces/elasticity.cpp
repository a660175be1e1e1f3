#include "beads/forces/elasticity.hpp"

#include "geometry/vector.hpp"

namespace corral::beads {

using namespace geometry;
using structure::ConstPoints, structure::Points;

namespace {

Vector at(const ConstPoints& x, std::int64_t i) { return {x[0][i], x[1][i], x[2][i]}; }

/// `f` on bead i + 1, and the opposite on bead i.
void pull(const Points& force, std::int64_t i, const Vector& f) {
  for (std::size_t d = 0; d < 3; ++d) force[d][i + 1] += f[d], force[d][i] -= f[d];
}

/// A bond's length and direction; that is 0 where both beads are at one place.
struct Bond {
  double length = 0;
  Vector along{};
};
Bond bond(const ConstPoints& x, std::int64_t i) {
  const Vector b = at(x, i + 1) - at(x, i);
  const double l = geometry::length(b);
  return l > 0 ? Bond{l, (1 / l) * b} : Bond{};
}

} // namespace

ElasticEnergy add_elastic_forces(const FibreModel& fibre, std::int64_t first, const ConstPoints& x, const Points& force) {
  ElasticEnergy energy;
  const double modulus = fibre.bending / fibre.spacing;
  Bond before;
  for (std::int64_t i = first; i + 1 < first + fibre.beads; ++i) {
    const Bond b = bond(x, i);
    const double longer = b.length - fibre.spacing;
    energy.stretching += 0.5 * fibre.stretching * longer * longer;
    pull(force, i, -fibre.stretching * longer * b.along);
    if (i > first && b.length > 0 && before.length > 0) {
      const Vector turn = b.along - before.along;
      const double cosine = dot(b.along, before.along);
      energy.bending += 0.5 * modulus * dot(turn, turn);
      // d(-cosine)/db of either bond, with the sign of a force.
      pull(force, i - 1, modulus / before.length * (b.along - cosine * before.along));
      pull(force, i, modulus / b.length * (before.along - cosine * b.along));
    }
    before = b;
  }
  return energy;
}

} // namespace corral::beads
