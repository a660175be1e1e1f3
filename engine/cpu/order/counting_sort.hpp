#pragma once

#include "engine/cpu/order/pack_fractions.hpp"

namespace corral::cpu {

/// The stable counting sort for particles that lie nearly in order: what it reaches through the permutation then
/// streams. Sets all of an order but its size.
template <class T, class Index> class CountingSort {
public:
  CountingSort(Cpu cpu, typename CellOrder<T>::Data& order, Array<Index>& permutation, SortScratch<T, Index>& scratch)
      : cpu_(cpu), order_(order), keys_(scratch.keys), permutation_(permutation), histogram_(scratch.histogram),
        buckets_(order.group_count() + 2), runs_(SortRuns::of(order.size, buckets_)) {}

  void operator()(const Positions<T>& positions) {
    resize_on_huge_pages(keys_, order_.size);
    resize_on_huge_pages(permutation_, order_.size);
    resize_on_huge_pages(histogram_, runs_.count * buckets_);
    order_.begin.resize(buckets_ + 1);
    runs_.for_each_run(cpu_, order_.size, [&](std::int64_t run, std::int64_t begin, std::int64_t end) {
      count(positions, begin, end, histogram_.data() + run * buckets_);
    });
    if (order_.size == 0) histogram_.fill(0);
    accumulate();
    runs_.for_each_run(cpu_, order_.size, [&](std::int64_t run, std::int64_t begin, std::int64_t end) {
      place(begin, end, histogram_.data() + run * buckets_);
    });
    pack_fractions(cpu_, order_, permutation_, order_.begin[buckets_ - 2], positions);
  }

private:
  void count(const Positions<T>& p, std::int64_t begin, std::int64_t end, Index* histogram) {
    std::fill(histogram, histogram + buckets_, Index{0});
    for_each_coordinates(p, begin, end, [&](std::int64_t first, std::int64_t n, const std::array<const T*, 3>& x) {
      sort_keys<T>(order_, x, n, keys_.data() + first);
      for (std::int64_t i = first; i < first + n; ++i) ++histogram[keys_[i]];
    });
  }

  void accumulate() {
    std::int64_t total = 0;
    for (std::int64_t b = 0; b < buckets_; ++b) {
      order_.begin[b] = total;
      for (std::int64_t r = 0; r < runs_.count; ++r) {
        Index& h = histogram_[r * buckets_ + b];
        const Index n = h;
        h = static_cast<Index>(total);
        total += static_cast<std::int64_t>(n);
      }
    }
    order_.begin[buckets_] = total;
  }

  void place(std::int64_t begin, std::int64_t end, Index* next) {
    const Index* const key = keys_.data();
    Index* const permutation = permutation_.data();
    for (std::int64_t i = begin; i < end; ++i) {
      if (i + particles_ahead < end) hwy::Prefetch(permutation + next[key[i + particles_ahead]]);
      permutation[next[key[i]]++] = static_cast<Index>(i);
    }
  }

  Cpu cpu_;
  typename CellOrder<T>::Data& order_;
  Array<Index>& keys_;
  Array<Index>& permutation_;
  Array<Index>& histogram_;
  std::int64_t buckets_;
  SortRuns runs_;
};

} // namespace corral::cpu
