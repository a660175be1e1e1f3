#include "engine/cpu/order/bucket_sort.hpp"
#include "engine/cpu/order/counting_sort.hpp"
#include "engine/cpu/order/sparse_sort.hpp"
#include "engine/shared/field_support.hpp"
#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace corral {
namespace {

std::array<shared::AxisGroups, 3> axis_groups(const Grid& grid, std::array<Offset, 3> offset) {
  for (const Offset o : offset)
    if (o > Offset::half)
      throw Error("offset number " + std::to_string(static_cast<int>(o)) + " (Offset has no such value)");
  return {shared::AxisGroups::of(grid.axis(0), offset[0] == Offset::half),
          shared::AxisGroups::of(grid.axis(1), offset[1] == Offset::half),
          shared::AxisGroups::of(grid.axis(2), offset[2] == Offset::half)};
}

/// Sorts with indices of the type that the order's size asks for.
template <class T, class Index>
void sort_by(Cpu cpu, typename CellOrder<T>::Data& order, const Positions<T>& positions, Array<Index>& permutation,
             SortScratch<T, Index>& scratch) {
  if (cpu::SparseSort<T>::suits(order)) cpu::SparseSort<T>(cpu, order)(positions);
  else {
    order.sparse_groups.resize(0);
    if (cpu::BucketSort<T, Index>::suits(order, positions))
      cpu::BucketSort<T, Index>(cpu, order, permutation, scratch)(positions);
    else cpu::CountingSort<T, Index>(cpu, order, permutation, scratch)(positions);
  }
  const std::int64_t* const end = order.begin.data() + order.group_count();
  order.counts = {end[0], end[1] - end[0], end[2] - end[1]};
}

/// A value that is moved whatever its type.
template <class Word> struct [[gnu::may_alias]] Value {
  Word of;
};

/// to[i * to_stride] = from[source(i) * stride], a chunk at a time: `work` gets its arguments by value, or each store
/// might change what the loop reads of its closure.
template <class U, class Source>
void move_values(Cpu cpu, std::int64_t n, const U* from, std::int64_t stride, U* to, std::int64_t to_stride,
                 Source source) {
  const auto work = [](std::int64_t begin, std::int64_t end, const U* f, std::int64_t s, U* t, std::int64_t ts,
                       Source of) {
    for (std::int64_t i = begin; i < end; ++i) t[i * ts] = f[of(i) * s];
  };
  for_each_chunk(cpu, n, chunk_size,
                 [&](std::int64_t begin, std::int64_t end) { work(begin, end, from, stride, to, to_stride, source); });
}

/// to[i] = from[source of place i]
template <class T, class U>
void gather_values(Cpu cpu, const typename CellOrder<T>::Data& order, const U* from, std::int64_t stride, U* to) {
  order.require(shared::Residence::host);
  const auto gather = [&](auto source) { move_values(cpu, order.size, from, stride, to, 1, source); };
  if (order.identity) gather([](std::int64_t i) { return i; });
  else if (order.wide())
    gather([p = order.permutation64.data()](std::int64_t i) { return static_cast<std::int64_t>(p[i]); });
  else gather([p = order.permutation32.data()](std::int64_t i) { return std::int64_t{p[i]}; });
}

template <class T, class U>
void permute_column(Cpu cpu, typename CellOrder<T>::Data& order, U* data, std::int64_t stride) {
  order.column_copy.resize((order.size * static_cast<std::int64_t>(sizeof(U)) + 7) / 8);
  U* copy = reinterpret_cast<U*>(order.column_copy.data());
  gather_values<T>(cpu, order, data, stride, copy);
  move_values(cpu, order.size, static_cast<const U*>(copy), 1, data, stride, [](std::int64_t i) { return i; });
}

/// Looks at all columns before any is changed. The caller holds the order's flag.
template <class T>
void permute_columns(Cpu cpu, typename CellOrder<T>::Data& order, std::span<const detail::ColumnMemory> columns) {
  shared::check_reordered(columns, order.size);
  order.require(shared::Residence::host);
  if (order.identity) return;
  for (const detail::ColumnMemory& column : columns) {
    void* const data = const_cast<void*>(column.data);
    if (column.bytes == 4) permute_column<T>(cpu, order, static_cast<Value<std::uint32_t>*>(data), column.stride);
    else permute_column<T>(cpu, order, static_cast<Value<std::uint64_t>*>(data), column.stride);
  }
}

} // namespace

template <class T>
CellOrder<T>::Data::Data(const Grid& g, std::array<Offset, 3> offset) : grid(g), groups(axis_groups(g, offset)) {
  shared::require_resolved<T>(grid);
  for (int d = 0; d < 3; ++d) {
    key.axis[d] = shared::AxisKey<T>(grid.axis(d), groups[d]);
    key.groups[d] = groups[d].count;
  }
  begin.resize(group_count() + 3, 0);
}

template <class T> bool CellOrder<T>::Data::wide() const {
  return size > narrow_limit || group_count() + 2 > narrow_limit;
}

template <class T> void CellOrder<T>::Data::require(shared::Residence wanted) const {
  if (residence == wanted) return;
  if (residence == shared::Residence::none) throw Error("an order whose last sort failed (sort it again)");
  const bool host = wanted == shared::Residence::host;
  const std::string here = host ? "CPU" : "GPU", call = host ? "Cpu{}" : "Gpu{}", other = host ? "Gpu{}" : "Cpu{}";
  throw Error("a call on the " + here + " with an order that was not sorted there (sort it with " + call +
              ", or make the call with " + other + ")");
}

template <class T>
CellOrder<T>::CellOrder(const Grid& grid, std::array<Offset, 3> offset)
    : data_(std::make_unique<Data>(grid, offset)) {}
template <class T> CellOrder<T>::~CellOrder() = default;
template <class T> CellOrder<T>::CellOrder(CellOrder&&) noexcept = default;
template <class T> CellOrder<T>& CellOrder<T>::operator=(CellOrder&&) noexcept = default;
template <class T> typename CellOrder<T>::Data& CellOrder<T>::data() const {
  if (!data_) throw Error("an order that was moved from (another one has its particles) make or assign a new one");
  return *data_;
}

template <class T> SortCounts CellOrder<T>::sort(Cpu cpu, const Positions<T>& positions) {
  shared::check_positions(positions);
  Data& order = data();
  const shared::ExclusiveUse use(order.in_use);
  order.size = positions.size();
  order.identity = false;
  order.residence = shared::Residence::host;
  try {
    if (order.wide()) {
      sort_by(cpu, order, positions, order.permutation64, order.sort64);
    } else {
      order.permutation64.resize(0);
      sort_by(cpu, order, positions, order.permutation32, order.sort32);
    }
  } catch (...) { // of two sorts, neither: maps that run now must not find one's offsets with the other's positions
    order.size = 0;
    order.sparse_groups.resize(0);
    order.counts = {};
    order.begin.fill(0);
    order.identity = true;
    throw;
  }
  return order.counts;
}

template <class T> void CellOrder<T>::reorder(Cpu c, std::span<const detail::ColumnMemory> columns) {
  const shared::ExclusiveUse use(data().in_use);
  permute_columns<T>(c, data(), columns);
  data().identity = true;
}
template <class T> void CellOrder<T>::permute(Cpu c, std::span<const detail::ColumnMemory> columns) {
  const shared::ExclusiveUse use(data().in_use);
  permute_columns<T>(c, data(), columns);
}
template <class T> void CellOrder<T>::gather(Cpu c, const double* from, double* to) const {
  const shared::ExclusiveUse use(data().in_use);
  if (size() > 0) shared::require_memory(from), shared::require_memory(to);
  gather_values<T>(c, data(), from, 1, to);
}
template <class T> void CellOrder<T>::gather(Cpu c, const std::uint64_t* from, std::uint64_t* to) const {
  const shared::ExclusiveUse use(data().in_use);
  if (size() > 0) shared::require_memory(from), shared::require_memory(to);
  gather_values<T>(c, data(), from, 1, to);
}
template <class T> void CellOrder<T>::forget_permutation() {
  const shared::ExclusiveUse use(data().in_use);
  data().identity = true;
}

template <class T> const Grid& CellOrder<T>::grid() const { return data().grid; }
template <class T> const SortCounts& CellOrder<T>::counts() const {
  if (data().residence == shared::Residence::device) fetch_counts();
  return data().counts;
}
template <class T> std::int64_t CellOrder<T>::size() const { return data().size; }
template <class T> bool CellOrder<T>::identity() const { return data().identity; }
template <class T> std::int64_t CellOrder<T>::source(std::int64_t i) const {
  data().require(shared::Residence::host);
  return data().source(i);
}
template <class T> std::int64_t CellOrder<T>::group_begin(std::int64_t g) const {
  data().require(shared::Residence::host);
  return data().begin[g];
}
template <class T> OrderView<T> CellOrder<T>::view(Cpu) const {
  const Data& d = data();
  d.require(shared::Residence::host);
  return {.groups = groups(),
          .size = d.size,
          .fraction = {d.fraction[0].data(), d.fraction[1].data(), d.fraction[2].data()},
          .begin64 = d.begin.data(),
          .begin32 = nullptr,
          .source64 = d.identity || d.permutation64.empty() ? nullptr : d.permutation64.data(),
          .source32 = d.identity || !d.permutation64.empty() ? nullptr : d.permutation32.data()};
}
template <class T> std::array<std::int64_t, 3> CellOrder<T>::groups() const {
  return {data().groups[0].count, data().groups[1].count, data().groups[2].count};
}
template <class T> std::int64_t CellOrder<T>::bytes() const {
  const Data& d = data();
  return d.begin.bytes() + d.sparse_groups.bytes() + d.permutation32.bytes() + d.permutation64.bytes() + d.fraction[0].bytes() +
         d.fraction[1].bytes() + d.fraction[2].bytes() + d.sort32.bytes() + d.sort64.bytes() + d.column_copy.bytes() +
         d.side_by_side.bytes() + d.bricks.bytes() + d.padded.bytes() + d.sort_reduce.weights.bytes() +
         d.sort_reduce.sums.bytes() + device_bytes();
}

template class CellOrder<float>;
template class CellOrder<double>;

} // namespace corral
