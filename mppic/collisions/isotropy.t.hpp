#pragma once

/// The loops of isotropy.hpp, for either processor.

#include "mppic/boxes/boxes.t.hpp"
#include "mppic/collisions/isotropy.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::mppic {

namespace isotropy {

using Vector = double[3];

/// The mean velocity between eight cells' centres, a trilinear function, as parcels are given it.
struct SmoothMean {
  boxes::Fraction at[3];
  boxes::Trilinear u[3];

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, Vector& out) const {
    const double r = at[0](i), s = at[1](i), t = at[2](i);
    for (int d = 0; d < 3; ++d) out[d] = u[d](r, s, t);
  }
};

/// Sums of m, m c and m |c|^2: what is left of them about the mean of c.
struct Moments {
  double mass = 0, square = 0;
  Vector first = {};

  CORRAL_HOST_DEVICE void add(double m, const Vector& c) {
    mass += m;
    for (int d = 0; d < 3; ++d) first[d] += m * c[d], square += m * c[d] * c[d];
  }
  CORRAL_HOST_DEVICE double mean(int d) const { return first[d] / mass; }
  CORRAL_HOST_DEVICE double about_mean() const {
    double rest = square;
    for (const double sum : first) rest -= sum * sum / mass;
    return std::max(rest, 0.0);
  }
};

/// A group as it comes. Its fluctuations are those about the smooth mean and about their own mean.
struct Before {
  Moments of_smooth, of_centre;  ///< of the velocities less the smooth mean; less `centre`, which is near them
  Vector centre;                 ///< [m/s]
  double radius = 0;             ///< r32 [m]
  double speed = 0, energy = 0;  ///< sums of m |u| and m |u|^2
  double temperature = 0;        ///< a third of the mean square of the fluctuations [m2/s2]

  CORRAL_HOST_DEVICE double mean(int d) const { return centre[d] + of_centre.mean(d); }
};

struct OfGroup {
  Grid grid;
  std::array<std::int64_t, 3> groups;
  Boxes::Place place;
  std::array<const double*, 3> mean;
  const double *theta, *volume, *diameter;
  const std::uint64_t* id;
  MoveColumns columns; ///< where densities differ what moments are weighted by is mass, else volume
  CollisionRates rates;
  bool far;
  run::Random random;
  double dt;
  std::int64_t step;
  double *momentum_change, *energy_change;

  CORRAL_HOST_DEVICE void operator()(const boxes::Group& group, std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t fewest = 3;
    if (end - begin < fewest) return;
    const boxes::Corners corners = boxes::corners_of(grid, group);
    const SmoothMean smooth = smooth_mean(corners);
    const Before before = look(smooth, begin, end);
    if (!(before.temperature > 0)) return;
    if (!turn(smooth, before, chance(smooth, corners, before, begin, end), begin, end)) return;
    const std::int64_t g = group[0] + groups[0] * (group[1] + groups[1] * group[2]);
    restore(before, begin, end, momentum_change[g], energy_change[g]);
  }

private:
  CORRAL_HOST_DEVICE double weight(std::int64_t i) const {
    return columns.density.solid ? columns.density[i] * volume[i] : volume[i];
  }

  CORRAL_HOST_DEVICE void apart_from(const Vector& from, std::int64_t i, Vector& out) const {
    for (int d = 0; d < 3; ++d) out[d] = columns.velocity[d][i] - from[d];
  }

  CORRAL_HOST_DEVICE SmoothMean smooth_mean(const boxes::Corners& at) const {
    double v[3][boxes::corner_count];
    for (std::size_t c = 0; c < boxes::corner_count; ++c)
      for (std::size_t d = 0; d < 3; ++d) v[d][c] = mean[d][at.cell_index(grid, c)];
    return {{at.fraction(place, 0), at.fraction(place, 1), at.fraction(place, 2)},
            {boxes::Trilinear(v[0]), boxes::Trilinear(v[1]), boxes::Trilinear(v[2])}};
  }

  CORRAL_HOST_DEVICE Before look(const SmoothMean& smooth, std::int64_t begin, std::int64_t end) const {
    Before b;
    smooth(begin, b.centre);
    double filled = 0, over_d = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double m = weight(i);
      Vector at, c;
      smooth(i, at);
      apart_from(at, i, c);
      b.of_smooth.add(m, c);
      apart_from(b.centre, i, c);
      b.of_centre.add(m, c);
      double square = 0;
      for (int d = 0; d < 3; ++d) square += columns.velocity[d][i] * columns.velocity[d][i];
      b.energy += m * square;
      b.speed += m * std::sqrt(square);
      filled += volume[i];
      over_d += volume[i] / diameter[i];
    }
    b.radius = 0.5 * filled / over_d;
    b.temperature = b.of_smooth.about_mean() / (3 * b.of_smooth.mass);
    return b;
  }

  /// sum N f_p^2/sum N f_p r32^3/theta of the fluctuations [m3/s].
  CORRAL_HOST_DEVICE double approach(const SmoothMean& smooth, const Before& b, std::int64_t begin,
                                     std::int64_t end) const {
    double first = 0, second = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      Vector at, c;
      smooth(i, at);
      apart_from(at, i, c);
      double square = 0;
      for (int d = 0; d < 3; ++d) square += (c[d] - b.of_smooth.mean(d)) * (c[d] - b.of_smooth.mean(d));
      const double r = 0.5 * diameter[i], g = CollisionRates::approach(r, b.radius, std::sqrt(square));
      first += volume[i] / (r * r * r) * g;
      second += volume[i] / (r * r * r) * g * g;
    }
    return first > 0 ? second / first : 0;
  }

  /// With which probability a parcel is turned about.
  CORRAL_HOST_DEVICE double chance(const SmoothMean& smooth, const boxes::Corners& at, const Before& b,
                                   std::int64_t begin, std::int64_t end) const {
    double filled = 0;
    for (std::size_t c = 0; c < boxes::corner_count; ++c)
      filled += theta[at.cell_index(grid, c)] / static_cast<double>(boxes::corner_count);
    const double rate =
        far ? rates.isotropy_far(filled, filled / (b.radius * b.radius * b.radius) * approach(smooth, b, begin, end))
            : rates.isotropy(filled, std::sqrt(3 * b.temperature), b.radius);
    return -std::expm1(-dt * rate);
  }

  /// False where no parcel is chosen.
  CORRAL_HOST_DEVICE bool turn(const SmoothMean& smooth, const Before& b, double probability, std::int64_t begin,
                               std::int64_t end) const {
    const double speed = std::sqrt(b.temperature);
    bool any = false;
    constexpr std::int64_t at_once = 32;
    double drawn[at_once];
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t n = std::min(at_once, end - first);
      CORRAL_INDEPENDENT_ITERATIONS
      for (std::int64_t k = 0; k < n; ++k) drawn[k] = random.uniform(run::Purpose::isotropy, step, id[first + k]);
      for (std::int64_t k = 0; k < n; ++k) {
        if (drawn[k] >= probability) continue;
        any = true;
        redirect(smooth, b, speed, first + k);
      }
    }
    return any;
  }

  CORRAL_HOST_DEVICE void redirect(const SmoothMean& smooth, const Before& b, double speed, std::int64_t i) const {
    Vector at;
    smooth(i, at);
    for (int d = 0; d < 3; ++d)
      columns.velocity[d][i] =
          at[d] + b.of_smooth.mean(d) + speed * random.normal(run::Purpose::isotropy, step, id[i], 1 + d);
  }

  /// Gives the group its momentum and energy back, and says what round-off has left of their change.
  CORRAL_HOST_DEVICE void restore(const Before& b, std::int64_t begin, std::int64_t end, double& momentum_of_group,
                                  double& energy_of_group) const {
    Vector own, c, shift, momentum = {};
    for (int d = 0; d < 3; ++d) own[d] = b.mean(d);
    Moments turned;
    for (std::int64_t i = begin; i < end; ++i) {
      apart_from(own, i, c);
      turned.add(weight(i), c);
    }
    const double rest = turned.about_mean(), scale = rest > 0 ? std::sqrt(b.of_centre.about_mean() / rest) : 1;
    for (int d = 0; d < 3; ++d) shift[d] = own[d] + turned.mean(d);
    double speed = 0, energy = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      double square = 0, slip = 0;
      apart_from(shift, i, c);
      for (int d = 0; d < 3; ++d) {
        const double u = own[d] + scale * c[d], of_gas = columns.gas[d][i] - u;
        columns.velocity[d][i] = u;
        momentum[d] += weight(i) * u;
        square += u * u;
        slip += of_gas * of_gas;
      }
      speed += weight(i) * std::sqrt(square);
      energy += weight(i) * square;
      columns.slip[i] = slip;
    }
    double change = 0;
    for (int d = 0; d < 3; ++d)
      change += (momentum[d] - b.of_centre.mass * own[d]) * (momentum[d] - b.of_centre.mass * own[d]);
    momentum_of_group = std::sqrt(change) / (speed + b.speed);
    energy_of_group = std::abs(energy - b.energy) / (energy + b.energy);
  }
};

} // namespace isotropy

template <Execution E>
Isotropy::Report Isotropy::advance(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                   const FaceSums& sums, const Flow& flow, const MoveColumns& columns, double dt,
                                   std::int64_t step) {
  const OrderView<double> view = order.view(execution);
  momentum_.resize(view.group_count());
  energy_.resize(view.group_count());
  fluid::fill(execution, momentum_, 0);
  fluid::fill(execution, energy_, 0);
  boxes::for_each_group(execution, domain_.grid(), view, 0,
                        isotropy::OfGroup{.grid = domain_.grid(),
                                          .groups = view.groups,
                                          .place = parcels.places(),
                                          .mean = fluid::pointers(sums.mean_velocity),
                                          .theta = flow.solids_fraction.data(),
                                          .volume = parcels.volume.data(),
                                          .diameter = parcels.diameter.data(),
                                          .id = parcels.id.data(),
                                          .columns = columns,
                                          .rates = rates_,
                                          .far = far_,
                                          .random = random_,
                                          .dt = dt,
                                          .step = step,
                                          .momentum_change = momentum_.data(),
                                          .energy_change = energy_.data()});
  const double *momentum = momentum_.data(), *energy = energy_.data();
  return {maximum(execution, momentum_.size(), 0, [=] CORRAL_HOST_DEVICE(std::int64_t g) { return momentum[g]; }),
          maximum(execution, energy_.size(), 0, [=] CORRAL_HOST_DEVICE(std::int64_t g) { return energy[g]; })};
}

} // namespace corral::mppic
