#pragma once

/// The loops of watch.hpp, for either processor.

#include "mppic/output/watch.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

/// When a watch looks closer.
struct Doubtful {
  static constexpr std::int64_t window = 100, within = 20; ///< steps over which what leaves is added up, after which it is looked at
  static constexpr double bulk = 0.01;     ///< of all solids: more than a handful of strays
  static constexpr double thrown = 1.5;    ///< times what is blown in: what leaves is thrown out
  static constexpr double packed = 0.1;    ///< solids fraction over close packing that no sampling of parcels explains [-]
  static constexpr double overfull = 1.05; ///< of close packing: what displacement does not let stand
  static constexpr std::int64_t most_overfull_steps = 100; ///< in a row: it cannot help
};

/// Of all solids, those in cells that hold more than `theta`.
template <Execution E> double share_packed_beyond(E execution, double theta, const StepState& state) {
  const fluid::OwnRange own = state.own(Staggering::centre);
  const double* t = state.flow.solids_fraction.data() + own.first;
  Together<E> sums(execution);
  const int all = sums.sum(own.count, [=] CORRAL_BODY(std::int64_t c) { return t[c]; });
  const int packed = sums.sum(own.count, [=] CORRAL_BODY(std::int64_t c) { return t[c] > theta ? t[c] : 0.0; });
  const auto found = state.over_planes(sums.values(), {all, packed}, {});
  return found[all] > 0 ? found[packed] / found[all] : 0;
}

template <Execution E> void Watch::look(const Step<E>& step, const Fastest& parcel, double time, double dt) {
  time_ = time;
  if (setup_.solids.frozen) return;
  look_at_speeds(step, parcel, dt);
  look_at_outlets(step, dt);
  if (setup_.solids.packing) look_at_packing(step, dt);
}

template <Execution E> void Watch::look_at_speeds(const Step<E>& step, const Fastest& parcel, double dt) {
  const double crossed = dt * parcel.rate;
  if (!(crossed > std::max(1.0, fast_.worst()))) return;
  const Grid grid = domain_.grid();
  const std::array<double*, 3> velocity = run::pointers(step.parcels().velocity);
  const Parcels& parcels = step.parcels();
  const double faster = parcels.ranks.total(sum(step.execution(), parcels.size(), [=] CORRAL_BODY(std::int64_t i) {
    bool crosses = false;
    for (int d = 0; d < 3; ++d) crosses |= grid.axis(d).cells > 1 && std::abs(velocity[d][i]) * dt > grid.axis(d).spacing;
    return crosses ? 1.0 : 0.0;
  }));
  if (faster > setup_.time.outliers * static_cast<double>(parcels.total())) warn_of_speeds(faster, crossed, parcel.rate, dt);
}

/// What is carried out leaves in no larger volume than what is blown in; what is thrown out does. Where gravity leads
/// out, solids may fall out.
template <Execution E> void Watch::look_at_outlets(const Step<E>& step, double dt) {
  if (!add_to_window(step.report(), dt)) return;
  if (steps_ % Doubtful::within == 0 && left_ > Doubtful::thrown * carried_ && left_ > 0) {
    const double* volume = step.parcels().volume.data();
    warn_of_outlets(step.parcels().ranks.total(
        sum(step.execution(), step.parcels().size(), [=] CORRAL_BODY(std::int64_t i) { return volume[i]; })));
  }
  if (steps_ == Doubtful::window) steps_ = 0, left_ = carried_ = 0;
}

template <Execution E> void Watch::look_at_packing(const Step<E>& step, double dt) {
  const double theta = step.report().theta_max, most = Doubtful::overfull * setup_.solids.stress.theta_cp;
  const double share = theta > most ? share_packed_beyond(step.execution(), most, step.state()) : 0;
  count_overfull(share > Doubtful::bulk, step.state(), share, dt);
  if (theta > setup_.solids.stress.theta_cp + Doubtful::packed) warn_of_packing(theta);
}

} // namespace corral::mppic
