#pragma once

#include "structure/radial/sphere/site_operators.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>

namespace corral::structure::radial {

/// Data sites, which carry a shape, sample sites, where forces act, and all that depends on their numbers alone. Kinds of
/// membranes that have the same numbers share one.
class SphereSites {
public:
  /// Seconds of work: of 864 and 8832 sites 4, of 864 and 14080 13, shared by the threads. Throws Error for fewer than 72
  /// data sites. Where sample sites are fewer than data sites, which collocated forces allow, the shape may change in ways
  /// that no force feels.
  SphereSites(Cpu, std::int64_t data_sites, std::int64_t sample_sites);

  /// Most memory that making one takes, within a percent or some megabytes, and what is held then [bytes].
  static std::int64_t bytes_to_make(std::int64_t data_sites, std::int64_t sample_sites);
  static std::int64_t bytes_to_hold(std::int64_t data_sites, std::int64_t sample_sites);

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

  Array<double> sample_weights_; // first: what finding them takes is given back before operators are held
  SiteOperators at_data_, at_samples_;
};

} // namespace corral::structure::radial
