#include "structure/radial/sphere/sphere_sites.hpp"

#include "structure/radial/sphere/quadrature.hpp"

#include <algorithm>

namespace corral::structure::radial {

namespace {

Array<double> exact_weights(Cpu cpu, const Spiral& samples) {
  Array<double> weights = distance_weights(cpu, samples);
  make_exact(cpu, samples, exact_degree(samples.count()), weights);
  return weights;
}

} // namespace

SphereSites::SphereSites(Cpu cpu, std::int64_t data_sites, std::int64_t sample_sites)
    : SphereSites(cpu, Spiral(data_sites), Spiral(sample_sites),
                  SphereInterpolation(Spiral(data_sites))) {}

SphereSites::SphereSites(Cpu cpu, const Spiral& data, const Spiral& samples, const SphereInterpolation& interpolation)
    : sample_weights_(exact_weights(cpu, samples)),
      at_data_(cpu, data, interpolation, data, SurfaceDerivative::first_1),
      at_samples_(cpu, data, interpolation, samples) {}

std::int64_t SphereSites::bytes_to_hold(std::int64_t data_sites, std::int64_t sample_sites) {
  // A number per site and partner, each operator in two halves of a quarter.
  return 8 * (data_sites * (surface_derivatives * sample_sites + (surface_derivatives - 1) * data_sites) / 2 + sample_sites);
}

std::int64_t SphereSites::bytes_to_make(std::int64_t data_sites, std::int64_t sample_sites) {
  // A symmetric matrix of half the samples, of which one half is touched, and the page at the end of each column's part.
  const std::int64_t half = sample_sites / 2, page = 4096;
  return std::max(bytes_to_hold(data_sites, sample_sites), 4 * half * half + page * half) +
         4 * data_sites * data_sites; // the factorised problem of the data sites
}

} // namespace corral::structure::radial
