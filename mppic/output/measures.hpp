#pragma once

#include "fluid/domain.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/step.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// What figures take of each step, beside its report.
struct FiguresOfStep {
  double pressure_drop = 0; ///< mean pressure of the floor's faces less that of the top's, less the gas's own head [Pa]
  double floor_contact = 0; ///< what contact puts on the floor [Pa]
  double weight = 0;        ///< of the parcels in the gas, over the floor's area [Pa]
  std::array<double, 6> gas_out{}; ///< through each side's outlets [m3/s]; [kg/s] where the gas's density varies
};

/// What a bed is like at the moment, in single numbers. Packed are cells of a mapped solids fraction of at least .9 of close
/// packing; of halves of cells along z count the parcels whose centres lie in them.
struct FiguresOfBed {
  double weight = 0;          ///< as that of a step [Pa]
  double solids_volume = 0;   ///< [m3]
  double speed_rms = 0;       ///< weighted by volume [m/s]
  double velocity_z = 0;      ///< of the centre of mass, without displacement [m/s]
  double centre_z = 0;        ///< of mass; 0 without parcels [m]
  double height_99 = 0;       ///< below which 99 % of the solids lie [m]
  double occupancy_max = 0;   ///< largest share of a cell that they fill, by their centres [-]
  double unevenness = 0;      ///< rms of (upper - lower)/(upper + lower) over the packed cells; 0 without such
  double floor_occupancy = 0; ///< mean of the lowest halves over that of the packed cells; 0 without such
};

/// Takes figures of steps on either processor.
class Measures {
public:
  Measures(const Setup& setup, const fluid::Domain& domain);

  /// On a device it is waited for once.
  template <Execution E> FiguresOfStep of_step(const Step<E>& step) const;
  /// On a device it is waited for twice. Throws OutOfDeviceMemory.
  template <Execution E> FiguresOfBed of_bed(Step<E>& step);

  static constexpr std::int64_t height_bins = 4096;

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void fill_halves(const Step<E>& step, Array<double>& halves) const;
  template <Execution E> void fill_heights(const Step<E>& step);

private:
  double weight(double mass, double volume) const;
  double height_99(const std::vector<std::uint64_t>& heights) const;

  const Setup& setup_;
  const fluid::Domain& domain_;
  Array<std::uint64_t> heights_; ///< volume in layers: whole numbers of small units
};

} // namespace corral::mppic
