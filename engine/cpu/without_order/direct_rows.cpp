#include "engine/cpu/without_order/direct_rows.hpp"

#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/order/sort_keys.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <utility>

namespace corral::cpu {

namespace {

constexpr std::int64_t points_per_task = 8192;

} // namespace

template <class T> bool SideBySide<T>::repays(const PaddedLayout& layout, std::int64_t particles) {
  return layout.size() < vector_groups && particles >= layout.size();
}

template <class T>
SideBySide<T>::SideBySide(const DirectSupport<T>& support, PaddedLayout layout, std::size_t fields)
    : layout_(std::move(layout)), key_(support.key) {
  // A group's number along an axis is the padded index of its particles' lowest point; with the pitches of the layout
  // in the place of the groups, the key of a particle is that point.
  key_.groups[0] = layout_.stride(1);
  key_.groups[1] = layout_.stride(2) / layout_.stride(1);
  key_.groups[2] = layout_.size() / layout_.stride(2);
  const int width = fields <= 2 ? 2 : 4;
  resize_on_huge_pages(values_, layout_.size() * width);
  field_.resize(layout_.size(), T(0)); // the ends of its rows remain 0
  rows_ = {values_.data(), width, layout_.stride(1), layout_.stride(2)};
}

template <class T> void SideBySide<T>::fill_from(Cpu cpu, std::span<const Interpolate<T>> terms) {
  clear(cpu);
  for (std::size_t f = 0; f < terms.size(); ++f) {
    layout_.fill_from(cpu, terms[f].field, field_.data());
    for_each_chunk(cpu, points(), points_per_task, [&](std::int64_t begin, std::int64_t end) {
      T* const to = values_.data() + f;
      for (std::int64_t p = begin; p < end; ++p) to[p * rows_.width] = field_[p];
    });
  }
}

template <class T> void SideBySide<T>::clear(Cpu cpu) {
  for_each_chunk(cpu, values_.size(), points_per_task, [&](std::int64_t begin, std::int64_t end) {
    std::fill(values_.begin() + begin, values_.begin() + end, T(0));
  });
}

template <class T> void SideBySide<T>::fold_into(Cpu cpu, std::span<const Spread<T>> terms) {
  for (std::size_t f = 0; f < terms.size(); ++f) {
    for_each_chunk(cpu, points(), points_per_task, [&](std::int64_t begin, std::int64_t end) {
      const T* const from = values_.data() + f;
      for (std::int64_t p = begin; p < end; ++p) field_[p] = from[p * rows_.width];
    });
    layout_.fold_into(cpu, field_.data(), terms[f].field);
  }
}

template <class T>
SortCounts SideBySide<T>::place(const Positions<T>& p, std::int64_t begin, int n, TrilinearBatch<T>& batch) const {
  CoordinateBatch<T> copy;
  static_assert(CoordinateBatch<T>::capacity >= TrilinearBatch<T>::capacity);
  const auto x = copy.stretch(p, begin, n);
  cell_keys(key_, x, n, batch.point);
  for (std::size_t d = 0; d < 3; ++d) cell_fractions(key_.axis[d], x[d], n, batch.u[d]);
  SortCounts counts;
  for (int i = 0; i < n; ++i) {
    counts.outside += batch.point[i] == static_cast<std::uint64_t>(points()) ? 1 : 0;
    counts.not_finite += batch.point[i] > static_cast<std::uint64_t>(points()) ? 1 : 0;
  }
  counts.inside = n - counts.outside - counts.not_finite;
  return counts;
}

template <class T>
void SideBySide<T>::choose(const TrilinearBatch<T>& batch, int n, const PointRange& range,
                           ChosenParticles& chosen) const {
  // In 32 bits, which hold every point, so that compilers compare many at once.
  const auto begin = static_cast<std::uint32_t>(std::max<std::int64_t>(range.begin - rows_.plane, 0));
  const auto end = static_cast<std::uint32_t>(std::min(range.end, points()));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    chosen.particle[count] = i;
    count += batch.point[i] >= begin && batch.point[i] < end ? 1 : 0;
  }
  chosen.count = count;
}

template class SideBySide<float>;
template class SideBySide<double>;

} // namespace corral::cpu
