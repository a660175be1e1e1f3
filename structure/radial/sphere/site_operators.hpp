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
  std::int64_t bytes() const;

private:
  const Array<double>& matrix(SurfaceDerivative derivative, int part) const {
    return matrices_[static_cast<std::size_t>(derivative)][part];
  }
  void solve(Cpu, const Spiral& data, const SphereInterpolation::Part&, int part, int first);

  Spiral sites_;
  std::array<std::int64_t, 2> width_; ///< of a row of each part
  std::array<std::array<Array<double>, 2>, surface_derivatives> matrices_;
};

} // namespace corral::structure::radial
