#include "engine/shared/boxes.t.hpp"

namespace corral {

namespace boxes {
namespace {

CORRAL_WIDE_VECTOR_CLONES
void sum_corners_in_vectors(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const CornerColumns& columns,
                            AtCorners* sums) {
  sum_corners(at, begin, end, columns, sums);
}

CORRAL_VECTOR_CLONES
void sum_fluxes_in_vectors(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
                           std::int64_t end, const double* weight, const double* distance, Across (&sums)[3]) {
  sum_fluxes(along, a, b, begin, end, weight, distance, sums);
}

CORRAL_VECTOR_CLONES
void interpolate_corners_in_vectors(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const Trilinear& x,
                                    const Trilinear& y, const Trilinear& z, const std::array<double*, 3>& out) {
  interpolate_corners(at, begin, end, x, y, z, out);
}

} // namespace

void OverParticles<Cpu>::sum_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                     const CornerColumns& columns, AtCorners* sums) {
  sum_corners_in_vectors(at, begin, end, columns, sums);
}

void OverParticles<Cpu>::sum_fluxes(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
                                    std::int64_t end, const double* weight, const double* distance,
                                    Across (&sums)[3]) {
  sum_fluxes_in_vectors(along, a, b, begin, end, weight, distance, sums);
}

void OverParticles<Cpu>::interpolate_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                             const Trilinear& x, const Trilinear& y, const Trilinear& z,
                                             const std::array<double*, 3>& out) {
  interpolate_corners_in_vectors(at, begin, end, x, y, z, out);
}

} // namespace boxes

CORRAL_DEFINE_BOXES(Cpu)

} // namespace corral
