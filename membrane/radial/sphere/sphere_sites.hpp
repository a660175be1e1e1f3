#pragma once

#include "membrane/radial/sphere/site_operators.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>

namespace corral::membrane::radial {

/// Data sites, which carry a shape, sample sites, where forces act, and all that depends on their numbers alone. Kinds of
/// membranes that have the same numbers share one.
class SphereSites {
public:
  /// Seconds of work and 24 data_sites sample_sites bytes of memory. Throws Error for fewer than 72 data sites, or for
  /// fewer sample sites than data sites.
  SphereSites(Cpu, std::int64_t data_sites, std::int64_t sample_sites);

  const Spiral& data() const { return at_data_.sites(); }
  const Spiral& samples() const { return at_samples_.sites(); }
  /// From data sites to themselves: derivatives alone.
  const SiteOperators& at_data() const { return at_data_; }
  const SiteOperators& at_samples() const { return at_samples_; }
  /// Area of the unit sphere that each sample site stands for.
  const Array<double>& sample_weights() const { return sample_weights_; }

  std::int64_t bytes() const { return at_data_.bytes() + at_samples_.bytes() + sample_weights_.bytes(); }

private:
  SphereSites(Cpu, const Spiral& data, const Spiral& samples, const SphereInterpolation&);

  SiteOperators at_data_, at_samples_;
  Array<double> sample_weights_;
};

} // namespace corral::membrane::radial
