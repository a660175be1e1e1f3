#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/step.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// What a bed is like at the moment, in single numbers.
class Measures {
public:
  Measures(const Setup& setup, const fluid::Domain& domain) : setup_(setup), domain_(domain) {}

  /// Mean pressure of the floor's faces less that of the top's, less the gas's own head, of the last step [Pa].
  double pressure_drop(const Step<Cpu>& step) const;
  double floor_contact(const Step<Cpu>& step) const; ///< what contact puts on the floor, of the last step [Pa]
  double weight(const Step<Cpu>& step) const;        ///< of the parcels in the gas, over the floor's area [Pa]
  double solids_volume(const Step<Cpu>& step) const; ///< [m3]
  double mass(const Step<Cpu>& step) const;          ///< of the parcels [kg]
  double speed_rms(const Step<Cpu>& step) const;     ///< weighted by volume [m/s]
  double velocity_z(const Step<Cpu>& step) const;    ///< of the centre of mass, without displacement [m/s]
  double centre_z(const Step<Cpu>& step) const;      ///< of mass; 0 without parcels [m]
  double height_99(const Step<Cpu>& step) const;     ///< below which 99 % of the solids lie [m]

private:
  double centre_of_mass(const Step<Cpu>& step, const Array<double>& column) const;

  const Setup& setup_;
  const fluid::Domain& domain_;
};

/// What the parcels whose centres lie in the half cells along z fill of them. Packed are cells of a mapped solids
/// fraction of at least .9 of close packing.
class HalfCells {
public:
  HalfCells(const Setup& setup, const Grid& grid, const Step<Cpu>& step);

  double largest_cell() const; ///< of cells, not halves
  double unevenness() const;   ///< rms of (upper - lower)/(upper + lower) over the packed cells; 0 without such
  double floor() const;        ///< mean of the lowest halves over that of the packed cells; 0 without such

private:
  double low(std::int64_t c) const { return share_[2 * c]; }
  double high(std::int64_t c) const { return share_[2 * c + 1]; }

  const Array<double>& theta_;
  double packed_;
  std::int64_t plane_; ///< cells on the floor
  std::vector<double> share_;
};

} // namespace corral::mppic
