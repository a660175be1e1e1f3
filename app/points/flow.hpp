#pragma once

#include "run/state/registry.hpp"
#include "stokes/sum_plan.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// What sums give at points: columns with the names that files have for them.
class Flow {
public:
  /// Zeros at the points `at`, by axis. Pressure and gradient as far as they are asked for.
  Flow(stokes::Sum sum, const std::array<std::span<const double>, 3>& at, bool pressure, bool gradient);

  /// The columns for a plan to set, at the points `at`, which are those of this.
  stokes::Targets targets(const Positions<double>& at);
  /// Multiplies velocity and gradient, or the potential's, by one number, and the pressure by another.
  void scale(double velocity, double pressure);

  /// Hands over lines of comma-separated values in pieces, names first: x,y,z,ux,uy,uz,p,dux_dx,dux_dy, ... duz_dz, or
  /// x,y,z,phi,dphi_dx,dphi_dy,dphi_dz. Numbers read back with the same bits.
  void put_csv(const std::function<void(std::string_view)>& put) const;
  /// Writes .csv, or .vtp with the arrays velocity, pressure and gradient, or potential and gradient: whole, or not at all.
  /// Throws Error where that fails.
  void write(const std::filesystem::path& path) const;

private:
  void add(const std::string& name, const std::vector<std::string>& in_csv, std::vector<Array<double>*>& columns);

  struct Named {
    std::string name;
    const Array<double>* values;
  };

  run::Registry registry_;
  run::ParticleSet& points_;
  std::vector<Named> all_; ///< as a table has them
  std::vector<Array<double>*> position_, velocity_, pressure_, gradient_;
};

} // namespace corral::app
