#include "fluid/lattice/measures.t.hpp"

namespace corral::fluid::lattice {

AtPoints response_at_points(const LatticeProperties& p, double spacing) {
  const double late = relaxation_time(p, spacing) - 0.5;
  const double magic = p.collision == Collision::bgk ? late * late : p.collision == Collision::trt ? p.magic : 0.5 * late;
  return {1. / 4 - 2. / 3 * magic, 3. / 20 - 4. / 15 * magic};
}

double total(Cpu cpu, const Domain& domain, const double* field) {
  return measuring::sum_of_stretches(cpu, domain, [=](const measuring::Stretch& s) {
    double total = 0;
    for (std::int64_t c = s.first + s.begin; c < s.first + s.end; ++c) total += field[c];
    return total;
  });
}

template ViscousWork viscous_work(Cpu, const Domain&, const LatticeProperties&, const ConstFacePointers&,
                                  const ConstFacePointers&);
template double kinetic_energy(Cpu, const Domain&, double, const ConstFacePointers&);
template double power(Cpu, const Domain&, const ConstFacePointers&, const ConstFacePointers&);

} // namespace corral::fluid::lattice
