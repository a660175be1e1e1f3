#pragma once

/// The loops of collisions.hpp, for either processor.

#include "mppic/collisions/collisions.hpp"
#include "mppic/collisions/moments.hpp"
#include "mppic/gas/gathering.hpp"

#include <corral/boxes.hpp>
#include <corral/for_each.hpp>
#include <corral/together.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::mppic {

template <Execution E>
void FarCollisions::advance(E execution, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums,
                            const Flow& flow) {
  const std::int64_t n = parcels.size();
  give_back();
  for (Array<double>* cells : {&f_, &first_}) scratch_.fields.take_cells(domain_.grid(), *cells);
  for (Array<double>* column : {&mean_at_[0], &mean_at_[1], &mean_at_[2], &radius_at_, &first_of_, &second_of_})
    scratch_.take_column(parcels, *column);
  Gathering gathering(domain_.grid(), n);
  for (std::size_t d = 0; d < 3; ++d) gathering.add(sums.mean_velocity[d], Staggering::centre, mean_at_[d]);
  gathering.add(sums.sauter_radius, Staggering::centre, radius_at_);
  gathering.run(execution, order);

  const std::array<double*, 3> velocity = run::pointers(parcels.velocity);
  const fluid::ConstFacePointers mean = fluid::pointers(mean_at_);
  const double *volume = parcels.volume.data(), *diameter = parcels.diameter.data(), *radius = radius_at_.data();
  double *first_of = first_of_.data(), *second_of = second_of_.data();
  for_each_in_vectors(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += (velocity[d][i] - mean[d][i]) * (velocity[d][i] - mean[d][i]);
    const double r = 0.5 * diameter[i], g = CollisionRates::approach(r, radius[i], std::sqrt(square));
    first_of[i] = volume[i] / (r * r * r) * g; // n_p nu_p but for a factor that nu does not know
    second_of[i] = first_of[i] * g;
  });
  for (Array<double>* field : {&first_, &f_}) fluid::fill(execution, *field, 0);
  const BoxTerm terms[] = {{first_of, first_.data()}, {second_of, f_.data()}};
  spread_to_boxes(execution, order, parcels.places(), terms);
  parcels.ranks.add({&first_, &f_});
  scratch_.columns.give_back(mean_at_, radius_at_, first_of_, second_of_);

  const double *theta = flow.solids_fraction.data(), *r32 = sums.sauter_radius.data(), *first = first_.data();
  double* f = f_.data();
  for_each(execution, f_.size(), [=] CORRAL_BODY(std::int64_t c) {
    f[c] = first[c] > 0 && r32[c] > 0 ? theta[c] / (r32[c] * r32[c] * r32[c]) * (f[c] / first[c]) : 0;
  });
  scratch_.fields.give_back(first_);
}

namespace isotropy {

/// A group as it comes. Its fluctuations are those about the smooth mean and about their own mean.
struct Before {
  Moments of_smooth, of_centre;  ///< of the velocities less the smooth mean; less `centre`, which is near them
  Vector centre;                 ///< [m/s]
  double temperature = 0;        ///< a third of the mean square of the fluctuations [m2/s2]

  CORRAL_HOST_DEVICE double mean(int d) const { return centre[d] + of_centre.mean(d); }
  CORRAL_HOST_DEVICE double mass() const { return of_centre.mass; }
  /// sum m |u|^2.
  CORRAL_HOST_DEVICE double energy() const {
    double sum = of_centre.about_mean();
    for (int d = 0; d < 3; ++d) sum += mass() * mean(d) * mean(d);
    return sum;
  }
};

/// Of the cells around a group.
struct Around {
  double theta, radius; ///< solids fraction [-], r32 [m]
  double restitution;   ///< [-]
};

template <Execution E> struct OfGroup {
  Grid grid;
  std::array<std::int64_t, 3> groups;
  PositionColumns place;
  std::array<const double*, 3> mean;
  const double *theta, *radius, *restitution, *volume, *diameter, *weight; ///< weight: mass, but for a factor of all
  const std::uint64_t* id;
  Motion motion;
  CollisionRates rates;
  bool far;
  run::Random random;
  double dt;
  std::int64_t step;
  double *momentum_change, *energy_change;

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t fewest = 3;
    if (end - begin < fewest) return;
    const groups::Corners corners(grid, group);
    const SmoothMean smooth = smooth_mean(corners);
    const Before before = look(smooth, begin, end);
    if (!(before.temperature > 0)) return;
    if (!redirect_some(smooth, before, chance(smooth, corners, before, begin, end), begin, end)) return;
    const std::int64_t g = group[0] + groups[0] * (group[1] + groups[1] * group[2]);
    restore(before, begin, end, momentum_change[g], energy_change[g]);
  }

private:
  CORRAL_HOST_DEVICE void apart_from(const Vector& from, std::int64_t i, Vector& out) const {
    for (int d = 0; d < 3; ++d) out[d] = motion.parcels.velocity[d][i] - from[d];
  }

  CORRAL_HOST_DEVICE SmoothMean smooth_mean(const groups::Corners& at) const {
    double v[3][groups::corner_count];
    for (std::size_t c = 0; c < groups::corner_count; ++c)
      for (std::size_t d = 0; d < 3; ++d) v[d][c] = mean[d][at.cell_index(grid, c)];
    return {{at.fraction(place, 0), at.fraction(place, 1), at.fraction(place, 2)},
            {groups::Trilinear(v[0]), groups::Trilinear(v[1]), groups::Trilinear(v[2])}};
  }

  CORRAL_HOST_DEVICE Before look(const SmoothMean& smooth, std::int64_t begin, std::int64_t end) const {
    Before b;
    smooth(begin, b.centre);
    double* const velocity[3] = {motion.parcels.velocity[0], motion.parcels.velocity[1], motion.parcels.velocity[2]};
    OverGroup<E>::add_moments(smooth, b.centre, velocity, weight, begin, end, b.of_smooth, b.of_centre);
    b.temperature = b.of_smooth.about_mean() / (3 * b.of_smooth.mass);
    return b;
  }

  /// nu r_32^3/theta of the fluctuations [m3/s].
  CORRAL_HOST_DEVICE double approach(const SmoothMean& smooth, const Before& b, double r32, std::int64_t begin,
                                     std::int64_t end) const {
    Vector beside;
    for (int d = 0; d < 3; ++d) beside[d] = b.of_smooth.mean(d);
    const Approaching parcels{{motion.parcels.velocity[0], motion.parcels.velocity[1], motion.parcels.velocity[2]}, volume, diameter, r32};
    return OverGroup<E>::approach(smooth, beside, parcels, begin, end);
  }

  /// Means of the cells around, of the radius by what they hold.
  CORRAL_HOST_DEVICE Around around(const groups::Corners& at) const {
    double filled = 0, over_r = 0, kept = 0;
    for (std::size_t c = 0; c < groups::corner_count; ++c) {
      const std::int64_t cell = at.cell_index(grid, c);
      filled += theta[cell];
      if (!(radius[cell] > 0)) continue;
      const double surface = theta[cell] / radius[cell];
      over_r += surface;
      if (restitution) kept += restitution[cell] * surface;
    }
    return {filled / static_cast<double>(groups::corner_count), filled / over_r,
            restitution ? kept / over_r : rates.restitution};
  }

  /// With which probability a parcel is turned about.
  CORRAL_HOST_DEVICE double chance(const SmoothMean& smooth, const groups::Corners& at, const Before& b,
                                   std::int64_t begin, std::int64_t end) const {
    const Around cells = around(at);
    const double r = cells.radius;
    const double rate =
        far ? rates.isotropy_far(cells.restitution, cells.theta, cells.theta / (r * r * r) * approach(smooth, b, r, begin, end))
            : rates.isotropy(cells.restitution, cells.theta, std::sqrt(3 * b.temperature), r);
    return -std::expm1(-dt * rate);
  }

  /// False where no parcel is chosen.
  CORRAL_HOST_DEVICE bool redirect_some(const SmoothMean& smooth, const Before& b, double probability, std::int64_t begin,
                               std::int64_t end) const {
    const double speed = std::sqrt(b.temperature);
    bool any = false;
    constexpr std::int64_t at_once = OverGroup<E>::at_once;
    std::uint64_t drawn[at_once];
    const auto limit = static_cast<std::uint64_t>(probability * 0x1p63); // of the upper 63 bits
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t n = std::min(at_once, end - first);
      OverGroup<E>::draw(random, step, id + first, n, drawn);
      for (std::int64_t k = 0; k < n; ++k) {
        if (drawn[k] >> 1 >= limit) continue;
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
      motion.parcels.velocity[d][i] =
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
      turned.add(weight[i], c);
    }
    const double rest = turned.about_mean(), scale = rest > 0 ? std::sqrt(b.of_centre.about_mean() / rest) : 1;
    for (int d = 0; d < 3; ++d) shift[d] = own[d] + turned.mean(d);
    double energy = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      double square = 0, slip = 0;
      apart_from(shift, i, c);
      for (int d = 0; d < 3; ++d) {
        const double u = own[d] + scale * c[d];
        if (motion.way.slip) slip += (motion.at.gas[d][i] - u) * (motion.at.gas[d][i] - u);
        motion.parcels.velocity[d][i] = u;
        momentum[d] += weight[i] * u;
        square += u * u;
      }
      energy += weight[i] * square;
      if (motion.way.slip) motion.way.slip[i] = slip;
    }
    double change = 0;
    for (int d = 0; d < 3; ++d) change += (momentum[d] - b.mass() * own[d]) * (momentum[d] - b.mass() * own[d]);
    const double both = energy + b.energy();
    momentum_of_group = std::sqrt(change / (2 * b.mass() * both));
    energy_of_group = std::abs(energy - b.energy()) / both;
  }
};

} // namespace isotropy

template <Execution E>
Isotropy::Report Isotropy::advance(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                   const FaceSums& sums, const Flow& flow, const Motion& motion, std::int64_t step) {
  const OrderView<double> view = order.view(execution);
  for (Array<double>* groups : {&momentum_, &energy_}) scratch_.fields.take(view.group_count(), *groups);
  fluid::fill(execution, momentum_, 0);
  fluid::fill(execution, energy_, 0);
  for_each_group(execution, domain_.grid(), view, 0,
                        isotropy::OfGroup<E>{.grid = domain_.grid(),
                                          .groups = view.groups,
                                          .place = parcels.places(),
                                          .mean = fluid::pointers(sums.mean_velocity),
                                          .theta = flow.solids_fraction.data(),
                                          .radius = sums.sauter_radius.data(),
                                          .restitution = sums.view().restitution,
                                          .volume = parcels.volume.data(),
                                          .diameter = parcels.diameter.data(),
                                          .weight = sums.weights(parcels),
                                          .id = parcels.id.data(),
                                          .motion = motion,
                                          .rates = rates_,
                                          .far = far_,
                                          .random = random_,
                                          .dt = motion.dt,
                                          .step = step,
                                          .momentum_change = momentum_.data(),
                                          .energy_change = energy_.data()});
  const double *momentum = momentum_.data(), *energy = energy_.data();
  Together<E> all(execution);
  const int most_momentum = all.maximum(momentum_.size(), 0, [=] CORRAL_BODY(std::int64_t g) { return momentum[g]; });
  const int most_energy = all.maximum(energy_.size(), 0, [=] CORRAL_BODY(std::int64_t g) { return energy[g]; });
  const auto worst = parcels.ranks.totals(all.values(), {}, {most_momentum, most_energy});
  const Report report{worst[most_momentum], worst[most_energy]};
  scratch_.fields.give_back(momentum_, energy_);
  return report;
}

} // namespace corral::mppic
