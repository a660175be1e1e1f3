#pragma once

/// The loops of isotropy.hpp, for either processor.

#include "mppic/boxes/boxes.t.hpp"
#include "mppic/collisions/isotropy.hpp"

#include <corral/for_each.hpp>

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

struct OfGroup {
  Grid grid;
  std::array<std::int64_t, 3> groups;
  Boxes::Place place;
  std::array<const double*, 3> mean;
  const double *theta, *volume, *diameter;
  const std::uint64_t* id;
  MoveColumns columns;
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
    if (!(before.temperature > 0) || !turn(smooth, before, chance(corners, before), begin, end)) return;
    const std::int64_t g = group[0] + groups[0] * (group[1] + groups[1] * group[2]);
    restore(before, begin, end, momentum_change[g], energy_change[g]);
  }

private:
  /// Sums over a group as it comes. Its fluctuations are about the smooth mean plus `offset`.
  struct Before {
    double mass = 0, radius = 0;  ///< weights of the parcels, r32 [m]
    Vector mean = {}, offset = {}; ///< [m/s]
    double fluctuation = 0;       ///< sum m |u - mean|^2
    double temperature = 0;       ///< a third of the mean square of the fluctuations [m2/s2]
    double frequency = 0;         ///< sum N f_p^2/sum N f_p r32^3/theta [m3/s]
    double speed = 0, energy = 0; ///< sums of m |u| and m |u|^2
  };

  CORRAL_HOST_DEVICE double velocity(int d, std::int64_t i) const { return columns.velocity[d][i]; }

  CORRAL_HOST_DEVICE SmoothMean smooth_mean(const boxes::Corners& at) const {
    double v[3][boxes::corner_count];
    for (std::size_t c = 0; c < boxes::corner_count; ++c)
      for (std::size_t d = 0; d < 3; ++d) v[d][c] = mean[d][at.cell_index(grid, c)];
    return {{at.fraction(place, 0), at.fraction(place, 1), at.fraction(place, 2)},
            {boxes::Trilinear(v[0]), boxes::Trilinear(v[1]), boxes::Trilinear(v[2])}};
  }

  CORRAL_HOST_DEVICE Before look(const SmoothMean& smooth, std::int64_t begin, std::int64_t end) const {
    Before b;
    double per_radius = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double m = volume[i];
      Vector at;
      smooth(i, at);
      b.mass += m;
      per_radius += 2 * m / diameter[i];
      for (int d = 0; d < 3; ++d) {
        b.mean[d] += m * velocity(d, i);
        b.offset[d] += m * (velocity(d, i) - at[d]);
      }
    }
    b.radius = b.mass / per_radius;
    for (int d = 0; d < 3; ++d) b.mean[d] /= b.mass, b.offset[d] /= b.mass;
    double first = 0, second = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double m = volume[i], r = 0.5 * diameter[i];
      Vector at;
      smooth(i, at);
      double whole = 0, apart = 0, slip = 0;
      for (int d = 0; d < 3; ++d) {
        const double u = velocity(d, i), from_mean = u - b.mean[d], from_smooth = u - at[d] - b.offset[d];
        whole += u * u;
        apart += from_mean * from_mean;
        slip += from_smooth * from_smooth;
      }
      b.speed += m * std::sqrt(whole);
      b.energy += m * whole;
      b.fluctuation += m * apart;
      b.temperature += m * slip;
      if (!far) continue;
      const double g = CollisionRates::approach(r, b.radius, std::sqrt(slip)), often = m / (r * r * r) * g;
      first += often;
      second += often * g;
    }
    b.temperature /= 3 * b.mass;
    b.frequency = first > 0 ? second / first : 0;
    return b;
  }

  /// With which probability a parcel is turned about.
  CORRAL_HOST_DEVICE double chance(const boxes::Corners& at, const Before& b) const {
    double filled = 0;
    for (std::size_t c = 0; c < boxes::corner_count; ++c)
      filled += theta[at.cell_index(grid, c)] / static_cast<double>(boxes::corner_count);
    const double rate = far ? rates.isotropy_far(filled, filled / (b.radius * b.radius * b.radius) * b.frequency)
                            : rates.isotropy(filled, std::sqrt(3 * b.temperature), b.radius);
    return -std::expm1(-dt * rate);
  }

  /// False where no parcel is chosen.
  CORRAL_HOST_DEVICE bool turn(const SmoothMean& smooth, const Before& b, double probability, std::int64_t begin,
                               std::int64_t end) const {
    const double speed = std::sqrt(b.temperature);
    bool any = false;
    for (std::int64_t i = begin; i < end; ++i) {
      if (random.uniform(run::Purpose::isotropy, step, id[i]) >= probability) continue;
      any = true;
      Vector at;
      smooth(i, at);
      for (int d = 0; d < 3; ++d)
        columns.velocity[d][i] = at[d] + b.offset[d] + speed * random.normal(run::Purpose::isotropy, step, id[i], 1 + d);
    }
    return any;
  }

  /// Gives the group its momentum and energy back, and says what round-off has left of their change.
  CORRAL_HOST_DEVICE void restore(const Before& b, std::int64_t begin, std::int64_t end, double& momentum_of_group,
                                  double& energy_of_group) const {
    Vector turned = {};
    for (std::int64_t i = begin; i < end; ++i)
      for (int d = 0; d < 3; ++d) turned[d] += volume[i] * velocity(d, i);
    double apart = 0;
    for (int d = 0; d < 3; ++d) turned[d] /= b.mass;
    for (std::int64_t i = begin; i < end; ++i)
      for (int d = 0; d < 3; ++d) apart += volume[i] * (velocity(d, i) - turned[d]) * (velocity(d, i) - turned[d]);
    const double scale = apart > 0 ? std::sqrt(b.fluctuation / apart) : 1;
    Vector momentum = {};
    double speed = 0, energy = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      double whole = 0, slip = 0;
      for (int d = 0; d < 3; ++d) {
        const double u = b.mean[d] + scale * (velocity(d, i) - turned[d]), of_gas = columns.gas[d][i] - u;
        columns.velocity[d][i] = u;
        momentum[d] += volume[i] * u;
        whole += u * u;
        slip += of_gas * of_gas;
      }
      speed += volume[i] * std::sqrt(whole);
      energy += volume[i] * whole;
      columns.slip[i] = slip;
    }
    double change = 0;
    for (int d = 0; d < 3; ++d) change += (momentum[d] - b.mass * b.mean[d]) * (momentum[d] - b.mass * b.mean[d]);
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
