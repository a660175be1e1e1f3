#pragma once

#include "run/case/problems.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace corral::mppic {

/// What is beyond these is a unit that was forgotten, or leaves the range of arithmetic [m].
inline constexpr double smallest_particle = 1e-9, largest_particle = 100;

/// What the shares of a size distribution count, and so what parcels drawn from it have in common: as many
/// particles in each (`number`), or as much volume, which is as much mass, in each (`mass`).
enum class Weighting : std::uint8_t { number, mass };

/// Smallest and largest diameter [m]: a distribution is cut there and scaled up to 1 again, not piled up.
/// What isn't given lies three standard deviations away.
struct SizeLimits {
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
};

/// Particle diameters: a cumulative distribution over a finite range of positive diameters, and its inverse.
class SizeDistribution {
public:
  /// The functions that make one throw Error where the numbers make no distribution.
  static SizeDistribution one_size(double diameter); ///< [m]
  /// Mean and standard deviation [m] of the distribution before it is cut.
  static SizeDistribution normal(double mean, double deviation, SizeLimits = {}, Weighting = Weighting::number);
  /// ln(d/median) is normal with standard deviation ln(ratio); median [m], ratio (geometric deviation) > 1.
  static SizeDistribution log_normal(double median, double ratio, SizeLimits = {}, Weighting = Weighting::number);
  /// Straight lines between (diameter [m], cumulative share): diameters rise, shares go from 0 to 1 and never fall.
  static SizeDistribution table(std::vector<double> diameters, std::vector<double> shares,
                                Weighting = Weighting::number);

  Weighting weighting() const { return weighting_; }
  double minimum() const; ///< [m]
  double maximum() const; ///< [m]

  /// The diameter [m] that the share u in [0, 1] lies below: a random number uniform in (0, 1) becomes a diameter.
  double sample(double u) const;

  /// Mean over the particles of d^k [m^k], whatever the weighting.
  double number_moment(int k) const;
  double mean() const { return number_moment(1); }                             ///< d10 [m]
  double sauter_mean() const { return number_moment(3) / number_moment(2); }   ///< d32 [m]
  double mean_particle_volume() const;                                         ///< pi/6 <d^3> [m3]
  /// The solids in the largest parcel over the mean of all parcels' [-]: 1 where all parcels weigh the same.
  double largest_parcel() const;

private:
  enum class Shape : std::uint8_t { table, normal, log_normal };

  SizeDistribution(Shape shape, Weighting weighting) : shape_(shape), weighting_(weighting) {}
  static SizeDistribution cut_normal(Shape, Weighting, double centre, double width, double low, double high);

  double diameter_at(double z) const;
  double moment(int k) const; // over the distribution's own shares

  Shape shape_;
  Weighting weighting_;
  // table: points of the cumulative distribution; one size is two equal diameters
  std::vector<double> diameters_;
  std::vector<double> shares_;
  // normal, log-normal: centre and width of d or ln d, and the cut in widths from the centre
  double centre_ = 0;
  double width_ = 0;
  double z_low_ = 0;
  double z_high_ = 0;
};

/// Share of the standard normal distribution below z.
double normal_cdf(double z);

/// z with normal_cdf(z) = p, p in (0, 1), to about 1e-16 relative: algorithm AS 241, PPND16 (Wichura 1988). One
/// uniform number gives one normal number, in order, which keeps truncation to an interval exact.
double normal_quantile(double p);

/// Reads a size distribution: one "diameter, cumulative share" a line, the diameter with an optional unit (metres
/// without), the share from 0 to 1 or with %; '#' starts a comment. The points are those of
/// SizeDistribution::table. Whatever is wrong is added to `problems` with its line, and nothing is returned.
std::optional<SizeDistribution> read_size_table(const std::filesystem::path& file, Weighting weighting,
                                                run::Problems& problems);

} // namespace corral::mppic
