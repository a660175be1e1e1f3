#include "membrane/radial/sphere/sphere_sites.hpp"

#include "membrane/radial/sphere/quadrature.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::membrane::radial {

namespace {

Spiral sample_spiral(std::int64_t data_sites, std::int64_t sample_sites) {
  if (sample_sites < data_sites)
    throw Error(std::to_string(sample_sites) + " sample sites for " + std::to_string(data_sites) +
                " data sites (forces need as many at least) ask for more");
  return Spiral(sample_sites);
}

} // namespace

SphereSites::SphereSites(Cpu cpu, std::int64_t data_sites, std::int64_t sample_sites)
    : SphereSites(cpu, Spiral(data_sites), sample_spiral(data_sites, sample_sites),
                  SphereInterpolation(Spiral(data_sites))) {}

SphereSites::SphereSites(Cpu cpu, const Spiral& data, const Spiral& samples, const SphereInterpolation& interpolation)
    : at_data_(cpu, data, interpolation, data, SurfaceDerivative::first_1),
      at_samples_(cpu, data, interpolation, samples), sample_weights_(distance_weights(cpu, samples)) {
  make_exact(cpu, samples, exact_degree(samples.count()), sample_weights_);
}

} // namespace corral::membrane::radial
