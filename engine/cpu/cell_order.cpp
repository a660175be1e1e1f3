#include "engine/cpu/cell_keys.hpp"
#include "engine/cpu/coordinate_batch.hpp"
#include "engine/cpu/huge_pages.hpp"
#include "engine/shared/order_data.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <hwy/cache_control.h>

#include <algorithm>
#include <string>
#include <type_traits>

namespace corral {
namespace {

std::array<shared::AxisGroups, 3> axis_groups(const Grid& grid, std::array<Offset, 3> offset) {
  return {shared::AxisGroups::of(grid.axis(0), offset[0] == Offset::half),
          shared::AxisGroups::of(grid.axis(1), offset[1] == Offset::half),
          shared::AxisGroups::of(grid.axis(2), offset[2] == Offset::half)};
}

/// Particles below which a thread of its own costs more than it gains.
constexpr std::int64_t particles_per_thread = 16384;

/// Particles ahead of which memory is asked for: a random place in it takes longer to come than the work on one takes.
constexpr std::int64_t ahead = 32;

/// The coordinates of the particles source[begin .. begin + n), n <= capacity; source holds `size` values.
template <class T> struct GatheredCoordinates {
  static constexpr std::int64_t capacity = 256;
  alignas(64) T x[3][capacity];

  template <class Index>
  void gather(const Positions<T>& p, const Index* source, std::int64_t begin, std::int64_t n, std::int64_t size) {
    const Column<const T> from_x = p.axis[0], from_y = p.axis[1], from_z = p.axis[2];
    for (std::int64_t i = 0; i < n; ++i) {
      const auto next = static_cast<std::int64_t>(source[std::min(begin + i + ahead, size - 1)]);
      const auto s = static_cast<std::int64_t>(source[begin + i]);
      hwy::Prefetch(&from_x[next]), hwy::Prefetch(&from_y[next]), hwy::Prefetch(&from_z[next]);
      x[0][i] = from_x[s], x[1][i] = from_y[s], x[2][i] = from_z[s];
    }
  }
};

/// Stable counting sort. Each thread counts and places one run of the input; because the sort is stable, the
/// result is the same however many runs there are.
template <class T, class Index> class CountingSort {
public:
  CountingSort(Cpu cpu, typename CellOrder<T>::Data& order, Array<Index>& keys, Array<Index>& permutation,
               Array<Index>& histogram)
      : cpu_(cpu), order_(order), keys_(keys), permutation_(permutation), histogram_(histogram),
        buckets_(order.group_count() + 2) {
    runs_ = std::clamp<std::int64_t>(order.size / particles_per_thread, 1, current_threads());
    run_length_ = (order.size + runs_ - 1) / runs_;
  }

  void operator()(const Positions<T>& positions) {
    cpu::resize_on_huge_pages(keys_, order_.size);
    cpu::resize_on_huge_pages(permutation_, order_.size);
    cpu::resize_on_huge_pages(histogram_, runs_ * buckets_);
    order_.begin.resize(buckets_ + 1);
    for_each_chunk(cpu_, order_.size, run_length_,
                   [&](std::int64_t begin, std::int64_t end) { count(positions, begin, end); });
    if (order_.size == 0) histogram_.fill(0);
    accumulate();
    for_each_chunk(cpu_, order_.size, run_length_, [&](std::int64_t begin, std::int64_t end) { place(begin, end); });
    const std::int64_t groups = buckets_ - 2;
    order_.counts = {order_.begin[groups], order_.begin[groups + 1] - order_.begin[groups],
                     order_.size - order_.begin[groups + 1]};
    pack(positions);
  }

private:
  Index* histogram_of(std::int64_t begin) {
    return histogram_.data() + (run_length_ > 0 ? begin / run_length_ : 0) * buckets_;
  }

  void count(const Positions<T>& p, std::int64_t begin, std::int64_t end) {
    Index* const histogram = histogram_of(begin);
    std::fill(histogram, histogram + buckets_, Index{0});
    cpu::CoordinateBatch<T> batch;
    for (; begin < end; begin += batch.capacity) {
      const std::int64_t n = std::min(batch.capacity, end - begin);
      const auto x = batch.stretch(p, begin, n);
      set_keys(x, n, keys_.data() + begin);
      for (std::int64_t i = begin; i < begin + n; ++i) ++histogram[keys_[i]];
    }
  }

  void set_keys(const std::array<const T*, 3>& x, std::int64_t n, Index* key) const {
    if constexpr (std::is_same_v<Index, std::uint32_t>)
      if (buckets_ <= cpu::vector_groups) {
        cpu::cell_keys(order_.key, x, n, key);
        return;
      }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t group = order_.key(x[0][i], x[1][i], x[2][i]).group;
      key[i] = static_cast<Index>(group >= 0 ? group : buckets_ - 3 - group);
    }
  }

  void accumulate() {
    std::int64_t total = 0;
    for (std::int64_t b = 0; b < buckets_; ++b) {
      order_.begin[b] = total;
      for (std::int64_t r = 0; r < runs_; ++r) {
        Index& h = histogram_[r * buckets_ + b];
        const Index n = h;
        h = static_cast<Index>(total);
        total += static_cast<std::int64_t>(n);
      }
    }
    order_.begin[buckets_] = total;
  }

  void place(std::int64_t begin, std::int64_t end) {
    Index* const next = histogram_of(begin);
    const Index* const key = keys_.data();
    Index* const permutation = permutation_.data();
    for (std::int64_t i = begin; i < end; ++i) {
      if (i + ahead < end) hwy::Prefetch(permutation + next[key[i + ahead]]);
      permutation[next[key[i]]++] = static_cast<Index>(i);
    }
  }

  void pack(const Positions<T>& p) {
    const std::int64_t n = order_.counts.inside;
    for (auto& f : order_.fraction) cpu::resize_on_huge_pages(f, n);
    for_each_chunk(cpu_, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
      GatheredCoordinates<T> batch;
      for (; begin < end; begin += batch.capacity) {
        const std::int64_t count = std::min(batch.capacity, end - begin);
        batch.gather(p, permutation_.data(), begin, count, n);
        for (std::size_t d = 0; d < 3; ++d)
          cpu::cell_fractions(order_.key.axis[d], batch.x[d], count, order_.fraction[d].data() + begin);
      }
    });
  }

  Cpu cpu_;
  typename CellOrder<T>::Data& order_;
  Array<Index>& keys_;
  Array<Index>& permutation_;
  Array<Index>& histogram_;
  std::int64_t buckets_, runs_, run_length_;
};

/// to[i] = from[source of place i]
template <class T, class U>
void gather_values(Cpu cpu, const typename CellOrder<T>::Data& order, const U* from, std::int64_t stride, U* to) {
  if (order.identity)
    for_each(cpu, order.size, [=](std::int64_t i) { to[i] = from[i * stride]; });
  else if (order.wide())
    for_each(cpu, order.size, [=, p = order.permutation64.data()](std::int64_t i) {
      to[i] = from[static_cast<std::int64_t>(p[i]) * stride];
    });
  else
    for_each(cpu, order.size,
             [=, p = order.permutation32.data()](std::int64_t i) { to[i] = from[std::int64_t{p[i]} * stride]; });
}

template <class T, class U>
void permute_column(Cpu cpu, typename CellOrder<T>::Data& order, U* data, std::int64_t size, std::int64_t stride) {
  if (order.identity) return;
  order.column_copy.resize((size * static_cast<std::int64_t>(sizeof(U)) + 7) / 8);
  U* copy = reinterpret_cast<U*>(order.column_copy.data());
  gather_values<T>(cpu, order, data, stride, copy);
  for_each(cpu, size, [=](std::int64_t i) { data[i * stride] = copy[i]; });
}

} // namespace

template <class T>
CellOrder<T>::Data::Data(const Grid& g, std::array<Offset, 3> offset) : grid(g), groups(axis_groups(g, offset)) {
  for (int d = 0; d < 3; ++d) {
    key.axis[d] = shared::AxisKey<T>(grid.axis(d), groups[static_cast<std::size_t>(d)]);
    key.groups[d] = groups[static_cast<std::size_t>(d)].count;
  }
  begin.resize(group_count() + 3, 0);
}

template <class T> bool CellOrder<T>::Data::wide() const {
  return size > narrow_limit || group_count() + 2 > narrow_limit;
}

template <class T>
CellOrder<T>::CellOrder(const Grid& grid, std::array<Offset, 3> offset)
    : data_(std::make_unique<Data>(grid, offset)) {}
template <class T> CellOrder<T>::~CellOrder() = default;
template <class T> CellOrder<T>::CellOrder(CellOrder&&) noexcept = default;
template <class T> CellOrder<T>& CellOrder<T>::operator=(CellOrder&&) noexcept = default;

template <class T> SortCounts CellOrder<T>::sort(Cpu cpu, const Positions<T>& positions) {
  for (const auto& column : positions.axis)
    if (column.size != positions.size())
      throw Error("coordinates of " + std::to_string(column.size) + " and " + std::to_string(positions.size()) +
                  " particles (the three columns must be equally long)");
  Data& order = *data_;
  order.size = positions.size();
  order.identity = false;
  try {
    if (order.wide()) {
      CountingSort<T, std::uint64_t>(cpu, order, order.key64, order.permutation64, order.histogram64)(positions);
    } else {
      order.permutation64.resize(0);
      CountingSort<T, std::uint32_t>(cpu, order, order.key32, order.permutation32, order.histogram32)(positions);
    }
  } catch (...) { // of two sorts, neither: maps that run now must not find one's offsets with the other's positions
    order.size = 0;
    order.counts = {};
    order.begin.fill(0);
    order.identity = true;
    throw;
  }
  return order.counts;
}

template <class T> void CellOrder<T>::require_size(std::int64_t size) const {
  if (size != data_->size)
    throw Error("a column of " + std::to_string(size) + " values cannot be reordered (the order holds " +
                std::to_string(data_->size) + " particles) hand over columns as long as the positions");
}
template <class T> void CellOrder<T>::permute(Cpu c, float* p, std::int64_t n, std::int64_t s) {
  require_size(n);
  permute_column<T>(c, *data_, p, n, s);
}
template <class T> void CellOrder<T>::permute(Cpu c, double* p, std::int64_t n, std::int64_t s) {
  require_size(n);
  permute_column<T>(c, *data_, p, n, s);
}
template <class T> void CellOrder<T>::permute(Cpu c, std::int32_t* p, std::int64_t n, std::int64_t s) {
  require_size(n);
  permute_column<T>(c, *data_, p, n, s);
}
template <class T> void CellOrder<T>::permute(Cpu c, std::int64_t* p, std::int64_t n, std::int64_t s) {
  require_size(n);
  permute_column<T>(c, *data_, p, n, s);
}
template <class T> void CellOrder<T>::permute(Cpu c, std::uint64_t* p, std::int64_t n, std::int64_t s) {
  require_size(n);
  permute_column<T>(c, *data_, p, n, s);
}
template <class T> void CellOrder<T>::gather(Cpu c, const double* from, double* to) const {
  gather_values<T>(c, *data_, from, 1, to);
}
template <class T> void CellOrder<T>::gather(Cpu c, const std::uint64_t* from, std::uint64_t* to) const {
  gather_values<T>(c, *data_, from, 1, to);
}
template <class T> void CellOrder<T>::forget_permutation() { data_->identity = true; }

template <class T> const Grid& CellOrder<T>::grid() const { return data_->grid; }
template <class T> const SortCounts& CellOrder<T>::counts() const { return data_->counts; }
template <class T> std::int64_t CellOrder<T>::size() const { return data_->size; }
template <class T> bool CellOrder<T>::identity() const { return data_->identity; }
template <class T> std::int64_t CellOrder<T>::source(std::int64_t i) const { return data_->source(i); }
template <class T> std::int64_t CellOrder<T>::group_begin(std::int64_t g) const { return data_->begin[g]; }
template <class T> std::array<std::int64_t, 3> CellOrder<T>::groups() const {
  return {data_->groups[0].count, data_->groups[1].count, data_->groups[2].count};
}
template <class T> std::int64_t CellOrder<T>::bytes() const {
  const Data& d = *data_;
  return d.begin.bytes() + d.permutation32.bytes() + d.permutation64.bytes() + d.fraction[0].bytes() +
         d.fraction[1].bytes() + d.fraction[2].bytes() + d.key32.bytes() + d.key64.bytes() + d.histogram32.bytes() +
         d.histogram64.bytes() + d.column_copy.bytes() + d.side_by_side.bytes() + d.padded.bytes() + d.sort_reduce.weights.bytes() +
         d.sort_reduce.sums.bytes();
}

template class CellOrder<float>;
template class CellOrder<double>;

} // namespace corral
