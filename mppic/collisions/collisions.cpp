#include "mppic/collisions/collisions.t.hpp"

namespace corral::mppic {

template void FarCollisions::advance(Cpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&);

namespace isotropy {
namespace {

CORRAL_WIDE_VECTOR_CLONES
void add_moments_in_vectors(const SmoothMean& smooth, const Vector& centre, double* const (&velocity)[3],
                            const double* mass, std::int64_t begin, std::int64_t end, Moments& of_smooth,
                            Moments& of_centre) {
  add_moments<OverGroup<Cpu>::at_once>(smooth, centre, velocity, mass, begin, end, of_smooth, of_centre);
}

CORRAL_WIDE_VECTOR_CLONES
double approach_in_vectors(const SmoothMean& smooth, const Vector& mean, const Approaching& parcels, std::int64_t begin,
                           std::int64_t end) {
  return approach<OverGroup<Cpu>::at_once>(smooth, mean, parcels, begin, end);
}

CORRAL_WIDE_VECTOR_CLONES
void draw_in_vectors(const run::Random& random, std::int64_t step, const std::uint64_t* id, std::int64_t n,
                     std::uint64_t* drawn) {
  draw(random, step, id, n, drawn);
}

} // namespace

void OverGroup<Cpu>::add_moments(const SmoothMean& smooth, const Vector& centre, double* const (&velocity)[3],
                                   const double* mass, std::int64_t begin, std::int64_t end, Moments& of_smooth,
                                   Moments& of_centre) {
  add_moments_in_vectors(smooth, centre, velocity, mass, begin, end, of_smooth, of_centre);
}

double OverGroup<Cpu>::approach(const SmoothMean& smooth, const Vector& mean, const Approaching& parcels,
                                std::int64_t begin, std::int64_t end) {
  return approach_in_vectors(smooth, mean, parcels, begin, end);
}

void OverGroup<Cpu>::draw(const run::Random& random, std::int64_t step, const std::uint64_t* id, std::int64_t n,
                      std::uint64_t* drawn) {
  draw_in_vectors(random, step, id, n, drawn);
}

} // namespace isotropy

Isotropy::Isotropy(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), rates_(setup.solids), far_(setup.collisions.far), random_(setup.random_seed) {}

template Isotropy::Report Isotropy::advance(Cpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&,
                                            const Motion&, std::int64_t);

} // namespace corral::mppic
