#pragma once

#include "structure/radial/sphere/harmonics.hpp"
#include "structure/radial/sphere/site_table.hpp"
#include "structure/radial/sphere/spiral.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::structure::radial {

/// What an operator gives of a function at a site: its value, and derivatives along the site's frame (SiteValues).
enum class SurfaceDerivative : std::uint8_t { value, first_1, first_2, second_11, second_12, second_22 };
inline constexpr int surface_derivatives = 6;

/// The interpolation problem of a spiral's data sites: functions sum_j c_j r_j^7, r_j the distance through space to site
/// j, plus spherical harmonics up to degree 5, to which the c_j are orthogonal.
class SphereInterpolation {
public:
  /// Throws Error for fewer sites than there are harmonics.
  explicit SphereInterpolation(const Spiral& data);
  ~SphereInterpolation();
  SphereInterpolation(SphereInterpolation&&) noexcept;
  SphereInterpolation& operator=(SphereInterpolation&&) noexcept;

private:
  friend class SiteOperators;
  struct Part; ///< of functions that half a turn leaves as they are, or whose sign it changes
  std::array<std::unique_ptr<Part>, 2> parts_;
};

/// Dense operators from values at data sites to value and derivatives, at other sites, of the function that interpolates
/// them: [Phi P] [Phi P; P^T 0]^-1 of the paper, each as two matrices of a quarter of its size (Spiral).
class SiteOperators {
public:
  /// Operators [first, surface_derivatives).
  SiteOperators(Cpu, const Spiral& data, const SphereInterpolation&, const Spiral& sites,
                SurfaceDerivative first = SurfaceDerivative::value);

  const Spiral& sites() const { return sites_; }

  /// Sets `results` at all sites.
  void apply(Cpu, SurfaceDerivative, const HalvedTable& data, SiteTable& results) const;
  /// Adds the transpose: of weights at all sites those at the data sites that give every function the same sum.
  void add_transposed(Cpu, SurfaceDerivative, const HalvedTable& weights, HalvedTable& data) const;

  /// Row `site` of the even part (0) or the odd one (1), a representative's.
  const double* row(SurfaceDerivative derivative, int part, std::int64_t site) const {
    return matrix(derivative, part).data() + site * width_[part];
  }

private:
  const Array<double>& matrix(SurfaceDerivative derivative, int part) const {
    return matrices_[static_cast<std::size_t>(derivative)][part];
  }
  void solve(Cpu, const Spiral& data, const SphereInterpolation::Part&, int part, int first);

  Spiral sites_;
  std::array<std::int64_t, 2> width_; ///< of a row of each part
  std::array<std::array<Array<double>, 2>, surface_derivatives> matrices_;
};

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

private:
  SphereSites(Cpu, const Spiral& data, const Spiral& samples, const SphereInterpolation&);

  Array<double> sample_weights_; // first: what finding them takes is given back before operators are held
  SiteOperators at_data_, at_samples_;
};

} // namespace corral::structure::radial
