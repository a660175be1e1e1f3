#pragma once

/// Sums over parcels and cells that a step asks for, for either processor.

#include "fluid/faces.hpp"
#include "mppic/flow.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>
#include <corral/host_device.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// 0 of none; NaN where one is.
template <Execution E> double largest_magnitude(E execution, std::int64_t n, const double* values) {
  return maximum(execution, n, 0, [=] CORRAL_BODY(std::int64_t i) { return std::abs(values[i]); });
}

// What follows adds sums to those that come to the host together: numbers of these.

/// Of n values; 0 at least.
template <class Sums> int add_largest(Sums& sums, std::int64_t n, const double* values) {
  return sums.maximum(n, 0, [=] CORRAL_BODY(std::int64_t i) { return values[i]; });
}
/// 0 of none; NaN where one is.
template <class Sums> int add_largest_magnitude(Sums& sums, std::int64_t n, const double* values) {
  return sums.maximum(n, 0, [=] CORRAL_BODY(std::int64_t i) { return std::abs(values[i]); });
}
template <class Sums> int add_total(Sums& sums, std::int64_t n, const double* values) {
  return sums.sum(n, [=] CORRAL_BODY(std::int64_t i) { return values[i]; });
}

/// How far the mapped solids fraction is from what the last step foresaw, over cells of its own.
struct Drift {
  int most, sum_of_squares;
};
template <class Sums> Drift add_drift(Sums& sums, const fluid::OwnRange& cells, const FlowView& flow) {
  const double *theta = flow.solids_fraction + cells.first, *predicted = flow.predicted_fraction + cells.first;
  const int most = sums.maximum(cells.count, 0, [=] CORRAL_BODY(std::int64_t c) { return std::abs(theta[c] - predicted[c]); });
  return {most, sums.sum(cells.count, [=] CORRAL_BODY(std::int64_t c) {
            return std::abs(theta[c] - predicted[c]) * std::abs(theta[c] - predicted[c]);
          })};
}

template <Execution E> void scale(E execution, const std::vector<fluid::OwnRange>& points, Array<double>& values, double factor) {
  double* to = values.data();
  fluid::for_each_point(execution, points, [=] CORRAL_BODY(std::int64_t i) { to[i] *= factor; });
}

/// Volume [m3] and mass [kg] of the parcels marked as leaving through a side, 1 + side; mass is `factor` times its sum.
struct Leaving {
  int volume, mass;
  double factor;
};
template <class Sums> Leaving add_leaving(Sums& sums, const Parcels& parcels, const std::uint8_t* gone, int mark) {
  const double* volume = parcels.volume.data();
  const ParcelProperty rho = parcels.density();
  const int own = sums.sum(parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return gone[i] == mark ? volume[i] : 0.0; });
  if (!rho.solid) return {own, own, rho.all};
  return {own, sums.sum(parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return gone[i] == mark ? rho[i] * volume[i] : 0.0; }), 1};
}

/// Mass of all parcels [kg], times a factor.
struct Mass {
  int number;
  double rho; ///< of one density [kg/m3], else 1
  template <class Values> double operator()(const Values& values, double factor) const { return factor * rho * values[number]; }
};
template <class Sums> Mass add_mass(Sums& sums, const Parcels& parcels) {
  const double* volume = parcels.volume.data();
  const ParcelProperty rho = parcels.density();
  if (!rho.solid) return {add_total(sums, parcels.size(), volume), rho.all};
  return {sums.sum(parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return rho[i] * volume[i]; }), 1};
}

/// Mechanical energy of parcels of several densities whose velocities take them by `step`, in a gas of density rho [J]:
/// kinetic, and what they have lifted in it.
struct EnergyOnTheWay {
  std::array<double, 3> gravity; ///< [m/s2]
  double gas_density;            ///< [kg/m3]
  ParcelProperty density;        ///< [kg/m3]
  const double* volume;
  std::array<double*, 3> velocity;
  std::array<const double*, 3> step;

  template <std::int64_t rows> struct Terms {
    double energy[rows];
  };
  template <std::int64_t rows> CORRAL_HOST_DEVICE void add(const Terms<rows>& terms, std::int64_t k, double& sum) const {
    sum += terms.energy[k];
  }

  template <class Terms> CORRAL_HOST_DEVICE void operator()(std::int64_t i, std::int64_t k, Terms& terms) const {
    const double rho = density.of_its_solid(i);
    double kinetic = 0, lifted = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      kinetic += 0.5 * velocity[d][i] * velocity[d][i];
      lifted -= gravity[d] * step[d][i];
    }
    terms.energy[k] = volume[i] * (rho * kinetic + (rho - gas_density) * lifted);
  }
};
template <Execution E> double energy_on_the_way(E execution, std::int64_t parcels, const EnergyOnTheWay& energy) {
  return accumulate_in_vectors(execution, parcels, 0.0, energy, AddInPlace{});
}

/// Planes of cells across z, of all ranks that share these: in which their parcels lie, and one beside these on both sides.
template <Execution E>
distributed::PiecesOfRanks planes_around_parcels(E execution, const Grid& grid, const fluid::Planes& planes, const Parcels& parcels) {
  const Axis& axis = grid.axis(2);
  const double *z = parcels.places()[2], last = static_cast<double>(axis.cells - 1);
  const auto cell = [=](std::int64_t i) { return std::clamp(std::floor(axis.index(z[i])), 0.0, last); };
  distributed::Piece mine;
  if (const std::int64_t n = parcels.size(); n > 0) {
    mine.begin = static_cast<std::int64_t>(-maximum(execution, n, -last, [=](std::int64_t i) { return -cell(i); })) - 1;
    mine.end = static_cast<std::int64_t>(maximum(execution, n, 0, cell)) + 2;
  }
  return planes.asked(mine);
}

/// What the next step's drift is measured against where nothing was foreseen.
template <Execution E> void predict_as_is(E execution, const std::vector<fluid::OwnRange>& cells, const FlowView& flow) {
  fluid::for_each_point(execution, cells, [=] CORRAL_BODY(std::int64_t c) { flow.predicted_fraction[c] = flow.solids_fraction[c]; });
}

} // namespace corral::mppic
