#include "engine/cpu/stencils/brick.hpp"
#include "engine/cpu/stencils/wide_call.hpp"

#include <optional>

// Each particle its own stencil on the caller's fields. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/stencils.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/stencils/batch_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// Particles whose rows are asked for before they are needed: few markers in a large field find nothing in the cache.
template <class T> HWY_INLINE int rows_ahead(const typename CellOrder<T>::Data& order) {
  constexpr std::int64_t few = 8; // cells per particle
  return order.counts.inside * few < order.group_count() ? 8 : 0;
}

/// The points along one axis of a particle's stencil that boundaries leave.
template <class T> struct FoldedAxis {
  int n = 0;
  std::array<std::int64_t, WideSpread<T>::most_points> offset;
  std::array<T, WideSpread<T>::most_points> weight;

  HWY_INLINE FoldedAxis(const AxisPoints<T>& points, const WeightSet<T>& set, int particle) {
    for (int i = 0; i < set.support.support; ++i) {
      const auto p = static_cast<std::size_t>(set.first[particle] + i);
      if (points.sign[p] == 0) continue;
      offset[n] = points.offset[p];
      weight[n++] = points.sign[p] * set.weight(i, particle);
    }
  }
};

/// Calls f(offset in the field, weight) for the points of particle p's stencil that boundaries leave, one by one.
template <class T, class Point, class F>
HWY_INLINE void for_each_point(const LanedField<T, Point>& laned, const LanedSets<T>& sets, int p, const F& f) {
  const FoldedAxis<T> x(laned.points[0], sets.x, p), y(laned.points[1], sets.y, p), z(laned.points[2], sets.z, p);
  for (std::size_t c = 0; c < static_cast<std::size_t>(z.n); ++c)
    for (std::size_t b = 0; b < static_cast<std::size_t>(y.n); ++b) {
      const std::int64_t row = z.offset[c] + y.offset[b];
      const T weight = z.weight[c] * y.weight[b];
      for (std::size_t a = 0; a < static_cast<std::size_t>(x.n); ++a) f(row + x.offset[a], weight * x.weight[a]);
    }
}
template <class T>
HWY_INLINE void add_points(const LanedField<T, T>& laned, const LanedSets<T>& sets, int p, const T* value) {
  for (int lane = 0; lane < laned.lanes; ++lane) {
    T* field = laned.data + lane;
    const T q = value[lane * BatchRows<T>::capacity];
    for_each_point(laned, sets, p, [=](std::int64_t at, T weight) { field[at] += weight * q; });
  }
}
template <class T>
HWY_INLINE void sum_points(const LanedField<T, const T>& laned, const LanedSets<T>& sets, int p, T* value) {
  for (int lane = 0; lane < laned.lanes; ++lane) {
    const T* field = laned.data + lane;
    T sum = 0;
    for_each_point(laned, sets, p, [&](std::int64_t at, T weight) { sum += weight * field[at]; });
    value[lane * BatchRows<T>::capacity] = sum;
  }
}

/// Sorts the particles of a batch into those whose stencils are plain rows, and others: which[0 .. plain) and
/// others[0 .. n - plain). Returns the number of plain ones.
template <class T, class Point>
HWY_INLINE int plain_first(const LanedField<T, Point>& laned, const LanedSets<T>& sets, int n, std::int32_t* which,
                           std::int32_t* others) {
  int plain = 0;
  for (std::int32_t p = 0; p < n; ++p) {
    const bool is_plain = laned.plain(sets.x.first[p], sets.y.first[p], sets.z.first[p]);
    which[plain] = others[p - plain] = p; // one of them stays
    plain += is_plain ? 1 : 0;
  }
  return plain;
}

/// Where the rows of a batch begin in the field.
template <class T, class Point>
HWY_INLINE TabledRows at_field(const LanedField<T, Point>& laned, const LanedSets<T>& sets, int n, BatchRows<T>& rows) {
  for (int p = 0; p < n; ++p) rows.at[p] = laned.points[0].offset[sets.x.first[p]];
  return {rows.at, laned.points[1].offset.data(), laned.points[2].offset.data(), sets.y.first, sets.z.first};
}

/// The stencils take the fields that lie like the i-th, too.
template <class Wide, class Rows> HWY_INLINE void take_alike(const Wide& wide, std::size_t i, Rows& stencils) {
  stencils.fields = wide.laned_fields[i].alike;
  for (int f = 1; f < stencils.fields; ++f) stencils.data[f] = wide.laned_fields[i + static_cast<std::size_t>(f)].data;
}

/// The sums of one group that holds many particles, in copies of the points around it: these, and not the fields, take
/// its particles one after another.
template <class T> class HeavyGroup {
public:
  explicit HeavyGroup(const WideSpread<T>& wide) : wide_(wide) {}

  /// Whether the copies take a batch: one of single precision whose particles all lie in one group.
  static HWY_INLINE bool takes(const ParticleBatch<T>& batch) {
    const int last = batch.n - 1; // particles come in the order of groups
    return sizeof(T) < sizeof(double) && batch.n == batch.capacity && batch.group[0][0] == batch.group[0][last] &&
           batch.group[1][0] == batch.group[1][last] && batch.group[2][0] == batch.group[2][last];
  }
  /// Makes the copies ready for a batch.
  HWY_INLINE void add(const ParticleBatch<T>& batch) {
    const std::array<std::int64_t, 3> group{batch.group[0][0], batch.group[1][0], batch.group[2][0]};
    if (particles_ > 0 && (group != group_.low || particles_ >= block_particles<T>)) hand_on();
    if (particles_ == 0) begin(group);
    particles_ += batch.n;
  }
  /// The fields += the copies.
  HWY_INLINE void hand_on() {
    if (particles_ == 0) return;
    for (std::size_t i = 0; i < copies_.size(); ++i) add_copy(wide_.laned_fields[i], copies_[i], copies_[i].points());
    particles_ = 0;
  }
  BrickCopy<T>& copy(std::size_t field) { return copies_[field]; }

private:
  void begin(const std::array<std::int64_t, 3>& group) {
    if (!memory_) {
      memory_.emplace(wide_.call.order.bricks);
      copies_ = brick_copies<T>(wide_.laned_fields, {1, 1, 1}, memory_->array);
    }
    group_ = {group, {group[0] + 1, group[1] + 1, group[2] + 1}};
    for (BrickCopy<T>& copy : copies_) {
      copy.move_to(group_);
      copy.clear();
    }
  }

  const WideSpread<T>& wide_;
  std::optional<typename shared::ScratchPool<T>::Lease> memory_; ///< once there is such a group
  std::vector<BrickCopy<T>> copies_;
  GroupBox group_{};
  std::int64_t particles_ = 0;
};

template <class T> void spread_stencils_in(const WideSpread<T>& wide, const GroupBox& box) {
  const auto soon = [&](std::int64_t first, std::int64_t end) { prefetch_particles(wide.call, first, end); };
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  HeavyGroup<T> heavy(wide);
  for_each_batch<T>(wide.call.order, box, soon, [&](const ParticleBatch<T>& batch) HWY_ATTR {
    sets.set(batch);
    const bool taken = heavy.takes(batch);
    if (taken) heavy.add(batch);
    for (std::size_t i = 0, alike = 1; i < wide.laned_fields.size(); i += alike) {
      const auto& laned = wide.laned_fields[i];
      alike = taken ? 1 : static_cast<std::size_t>(laned.alike);
      const LanedSets<T> s(sets, laned);
      for (std::size_t f = 0; f < alike; ++f) read_values(wide.call, wide.laned_fields[i + f], batch, rows.value + f * batch.capacity);
      if (taken) {
        set_x(s.x, laned, rows.value, batch.n, rows);
        add_stencils(rows_in_copy(laned, s, heavy.copy(i), batch.n, particles_apart(laned), rows), laned.lanes);
        continue;
      }
      std::int32_t others[ParticleBatch<T>::capacity];
      const int plain = plain_first(laned, s, batch.n, rows.which, others);
      auto stencils = stencil_rows(laned, s, laned.data, at_field(laned, s, batch.n, rows), rows);
      stencils.n = plain;
      stencils.ahead = rows_ahead<T>(wide.call.order);
      take_alike(wide, i, stencils);
      stencils.x_apart = batch.capacity * rows.pitch;
      for (std::size_t f = 0; f < alike; ++f)
        set_x(s.x, laned, rows.value + f * batch.capacity, batch.n, rows, static_cast<int>(f));
      add_stencils(stencils, laned.lanes);
      for (int l = 0; l < batch.n - plain; ++l)
        for (std::size_t f = 0; f < alike; ++f)
          add_points(wide.laned_fields[i + f], s, others[l], rows.value + f * batch.capacity + others[l]);
    }
  });
  heavy.hand_on();
}

template <class T> void interpolate_stencils_in(const WideInterpolate<T>& wide, const GroupBox& box) {
  const auto soon = [&](std::int64_t first, std::int64_t end) { prefetch_particles(wide.call, first, end); };
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  for_each_batch<T>(wide.call.order, box, soon, [&](const ParticleBatch<T>& batch) HWY_ATTR {
    sets.set(batch);
    for (std::size_t i = 0, alike = 1; i < wide.laned_fields.size(); i += alike) {
      const auto& laned = wide.laned_fields[i];
      alike = static_cast<std::size_t>(laned.alike);
      const LanedSets<T> s(sets, laned);
      std::int32_t others[ParticleBatch<T>::capacity];
      const int plain = plain_first(laned, s, batch.n, rows.which, others);
      auto stencils = stencil_rows(laned, s, laned.data, at_field(laned, s, batch.n, rows), rows);
      stencils.n = plain;
      stencils.ahead = rows_ahead<T>(wide.call.order);
      take_alike(wide, i, stencils);
      set_x<T>(s.x, laned, nullptr, batch.n, rows);
      std::fill(std::begin(rows.value), std::end(rows.value), T(0));
      sum_stencils(stencils, laned.lanes, rows.value);
      for (std::size_t f = 0; f < alike; ++f) {
        const auto& own = wide.laned_fields[i + f];
        T* const value = rows.value + f * batch.capacity;
        for (int l = 0; l < batch.n - plain; ++l) sum_points(own, s, others[l], value + others[l]);
        write_values(wide.call, own, batch, value);
      }
    }
  });
}

void spread_stencils_float(const WideSpread<float>& call, const GroupBox& box) {
  spread_stencils_in(call, box);
}
void spread_stencils_double(const WideSpread<double>& call, const GroupBox& box) {
  spread_stencils_in(call, box);
}
void interpolate_stencils_float(const WideInterpolate<float>& call, const GroupBox& box) {
  interpolate_stencils_in(call, box);
}
void interpolate_stencils_double(const WideInterpolate<double>& call, const GroupBox& box) {
  interpolate_stencils_in(call, box);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {
namespace {

HWY_EXPORT(spread_stencils_float);
HWY_EXPORT(spread_stencils_double);
HWY_EXPORT(interpolate_stencils_float);
HWY_EXPORT(interpolate_stencils_double);

void spread_box(const WideSpread<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_stencils_float)(call, box);
}
void spread_box(const WideSpread<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_stencils_double)(call, box);
}
void interpolate_box(const WideInterpolate<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_stencils_float)(call, box);
}
void interpolate_box(const WideInterpolate<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_stencils_double)(call, box);
}

} // namespace

template <class T> void spread_stencils(const SpreadCall<T>& call) {
  const WideSpread<T> wide(call);
  Slabs::of<T>(call.order, wide.reach()).for_each_apart(call.cpu, [&](const GroupBox& box) { spread_box(wide, box); });
}
template <class T> void interpolate_stencils(const InterpolateCall<T>& call) {
  const WideInterpolate<T> wide(call);
  Slabs::of<T>(call.order, 1).for_each_slab(call.cpu, [&](const GroupBox& box) { interpolate_box(wide, box); });
}

template void spread_stencils(const SpreadCall<float>&);
template void spread_stencils(const SpreadCall<double>&);
template void interpolate_stencils(const InterpolateCall<float>&);
template void interpolate_stencils(const InterpolateCall<double>&);

} // namespace corral::cpu
#endif
