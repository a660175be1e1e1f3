#include "engine/gpu/order/order.cuh"

#include "engine/gpu/instantiate.hpp"
#include "engine/gpu/tuning.cuh"

#include <corral/lent_scratch.hpp>

#include <algorithm>
#include <limits>

namespace corral {
namespace gpu {
namespace {

/// The key of the cell order, and the number it sorts by.
template <class T> struct PlaceOf {
  shared::CellKey<T> key;
  Column<const T> x, y, z;
  std::uint32_t groups;

  __device__ shared::Place<T> operator()(std::int64_t particle) const {
    return key(x[particle], y[particle], z[particle]);
  }
  __device__ std::uint32_t number(const shared::Place<T>& place) const {
    if (place.group >= 0) return static_cast<std::uint32_t>(place.group);
    return place.group == shared::Place<T>::outside ? groups : groups + 1;
  }
};

template <class T> struct Packed {
  T* u[3];
};

/// Numbers every particle by its group.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    number_global(std::int64_t n, PlaceOf<T> place_of, std::uint32_t* key, std::uint32_t* permutation) {
  const std::int64_t i = thread_number();
  if (i >= n) return;
  key[i] = place_of.number(place_of(i));
  permutation[i] = static_cast<std::uint32_t>(i);
}

/// begin[g]: the first place whose key is g or more; keys ascend.
__global__ void __launch_bounds__(tuning::range_threads, 1)
    begin_global(std::uint32_t groups_and_ends, std::int64_t n, const std::uint32_t* key, std::uint32_t* begin) {
  const std::int64_t g = thread_number();
  if (g >= groups_and_ends) return;
  std::int64_t low = 0, high = n;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (key[middle] < g) low = middle + 1;
    else high = middle;
  }
  begin[g] = static_cast<std::uint32_t>(low);
}

/// The fractions of the particles inside, in the order of `source` (null: the caller's); sets keys where they are asked
/// for.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    pack_global(std::int64_t n, PlaceOf<T> place_of, const std::uint32_t* source, Packed<T> packed,
                std::uint32_t* key) {
  const std::int64_t i = thread_number();
  if (i >= n) return;
  const shared::Place<T> place = place_of(source == nullptr ? i : static_cast<std::int64_t>(source[i]));
  if (key != nullptr) key[i] = place_of.number(place);
  if (place.group < 0) return;
  for (int d = 0; d < 3; ++d) packed.u[d][i] = place.u[d];
}

/// Adds up the particles inside (ends[0]), those and the ones outside (ends[1]), and all of them (ends[2]).
__global__ void __launch_bounds__(tuning::range_threads, 1)
    count_global(std::int64_t n, const std::uint32_t* key, std::uint32_t groups, std::uint32_t* ends) {
  const std::int64_t i = thread_number();
  const bool exists = i < n;
  const std::uint32_t number = exists ? key[i] : 0;
  const int upto[3] = {exists && number < groups, exists && number <= groups, exists};
  for (int e = 0; e < 3; ++e) {
    const int count = __syncthreads_count(upto[e]);
    if (threadIdx.x == 0 && count > 0) atomicAdd(ends + e, static_cast<unsigned>(count));
  }
}

/// Throws Error for more particles or groups than 32-bit indices tell apart.
template <class T> void require_indices_suffice(const typename CellOrder<T>::Data& order, std::int64_t particles) {
  constexpr std::int64_t most = std::int64_t{std::numeric_limits<std::uint32_t>::max()} - 3;
  if (particles > most || order.group_count() > most)
    throw Error(std::to_string(std::max(particles, order.group_count())) +
                " particles or cells on one device (at most " + std::to_string(most) + ") share them among devices");
}

template <class T> OrderData<T>& device_data(typename CellOrder<T>::Data& order) {
  if (!order.device) order.device = std::make_shared<OrderData<T>>();
  return *order.device;
}

template <class T>
PlaceOf<T> place_of(const typename CellOrder<T>::Data& order, const Positions<T>& p) {
  return {order.key, p.axis[0], p.axis[1], p.axis[2], static_cast<std::uint32_t>(order.group_count())};
}

template <class T> Packed<T> reserve_fractions(OrderData<T>& d, std::int64_t n, cudaStream_t stream) {
  Packed<T> packed{};
  for (int a = 0; a < 3; ++a) packed.u[a] = d.fraction[a].renew(n, stream);
  return packed;
}

/// Fractions, which are not there yet, as scratch of the sort.
template <class T> Array<std::uint32_t> in_place_of(Array<T>& fraction) {
  return Array<std::uint32_t>::lent(reinterpret_cast<std::uint32_t*>(fraction.data()), fraction.size(), Memory::device);
}

/// Where a sort has left its result in the scratch, it is copied.
void bring_back(cudaStream_t stream, Array<std::uint32_t>& sorted, Array<std::uint32_t>& scratch, const std::uint32_t* own,
                std::int64_t n) {
  if (sorted.data() == own) return;
  sorted.swap(scratch);
  check(cudaMemcpyAsync(sorted.data(), scratch.data(), static_cast<std::size_t>(n) * sizeof *own, cudaMemcpyDeviceToDevice, stream),
        "a sort");
}

/// Keys and permutation, sorted: CUB's radix sort is stable, and takes only the bits that keys have.
template <class T>
void sort_keys(cudaStream_t stream, OrderData<T>& d, const PlaceOf<T>& place_of, std::int64_t n) {
  std::uint32_t* const key = d.key.renew(n, stream);
  std::uint32_t* const permutation = d.permutation.renew(n, stream);
  Array<std::uint32_t> other_key = in_place_of(d.fraction[0]), other_permutation = in_place_of(d.fraction[1]);
  check(CORRAL_LAUNCH((number_global<T>), blocks_for(n, tuning::range_threads), tuning::range_threads, 0, stream, n,
                      place_of, key, permutation),
        "the keys of a sort");
  sort_pairs(stream, d.key, other_key, d.permutation, other_permutation, n, place_of.groups + 1, d.sort_scratch);
  bring_back(stream, d.key, other_key, key, n);
  bring_back(stream, d.permutation, other_permutation, permutation, n);
}

/// The ends of the particles inside, outside and not finite, on their way to the host.
template <class T> void send_counts(cudaStream_t stream, OrderData<T>& d, const std::uint32_t* ends) {
  check(cudaMemcpyAsync(d.counts.end.data(), ends, 3 * sizeof *ends, cudaMemcpyDeviceToHost, stream), "counting particles");
  check(cudaEventRecord(d.counts.arrived, stream), "counting particles");
}

} // namespace

Counts::Counts() {
  check(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming), "making an event");
}
Counts::~Counts() {
  cudaEventSynchronize(arrived);
  cudaEventDestroy(arrived);
}

template <class T> std::int64_t OrderData<T>::bytes() const {
  return begin.bytes() + key.bytes() + permutation.bytes() + fraction[0].bytes() + fraction[1].bytes() +
         fraction[2].bytes() + other_key.bytes() + other_permutation.bytes() + sort_scratch.bytes() +
         column_copy.bytes() + padded.bytes() + weights.bytes() + sums.bytes() + segments.bytes() +
         segment_places.bytes() + part_sums.bytes() + parts.bytes() + records.bytes() + crowd_sums.bytes() +
         visits.bytes();
}

template <class T> Places<T> places(const typename CellOrder<T>::Data& order) {
  order.require(shared::Residence::device);
  const OrderData<T>& d = *order.device;
  d.work.require_current_device();
  Places<T> p{order.size, static_cast<std::uint32_t>(order.group_count()), {}, d.begin.data(), d.key.data(),
              order.identity ? nullptr : d.permutation.data(), {}};
  for (int a = 0; a < 3; ++a) {
    p.per_axis[a] = static_cast<std::uint32_t>(order.groups[a].count);
    p.u[a] = d.fraction[a].data();
  }
  return p;
}

template <class T>
Places<T> place_unsorted(cudaStream_t stream, typename CellOrder<T>::Data& order, const Positions<T>& positions) {
  const std::int64_t n = positions.size();
  require_indices_suffice<T>(order, n);
  OrderData<T>& d = device_data<T>(order);
  CallOn call(d.work, stream);
  order.size = n;
  order.identity = true;
  order.residence = shared::Residence::device;
  const Packed<T> packed = reserve_fractions(d, n, stream);
  std::uint32_t* const key = d.key.renew(n, stream);
  std::uint32_t* const ends = d.begin.renew(3, stream);
  check(cudaMemsetAsync(ends, 0, 3 * sizeof *ends, stream), "placing particles");
  if (n > 0) {
    const PlaceOf<T> of = place_of<T>(order, positions);
    const unsigned blocks = blocks_for(n, tuning::range_threads);
    check(CORRAL_LAUNCH((pack_global<T>), blocks, tuning::range_threads, 0, stream, n, of, nullptr, packed, key),
          "placing particles");
    check(CORRAL_LAUNCH(count_global, blocks, tuning::range_threads, 0, stream, n, key, of.groups, ends),
          "counting particles");
  }
  send_counts(stream, d, ends);
  call.end();
  Places<T> p = places<T>(order);
  p.begin = nullptr;
  return p;
}

template <class T> T* OrderData<T>::sums_of(std::int64_t size, cudaStream_t stream) {
  return size <= lent_size ? lent : sums.renew(size, stream);
}

template struct OrderData<float>;
template struct OrderData<double>;
template Places<float> places<float>(const CellOrder<float>::Data&);
template Places<double> places<double>(const CellOrder<double>::Data&);
template Places<float> place_unsorted<float>(cudaStream_t, CellOrder<float>::Data&, const Positions<float>&);
template Places<double> place_unsorted<double>(cudaStream_t, CellOrder<double>::Data&, const Positions<double>&);

} // namespace gpu

template <class T> void CellOrder<T>::sort(Gpu gpu, const Positions<T>& positions) {
  using namespace corral::gpu;
  require_positions(positions);
  Data& order = data();
  const std::int64_t n = positions.size();
  require_indices_suffice<T>(order, n);
  const shared::ExclusiveUse use(order.in_use);
  order.residence = shared::Residence::none; // until all of it stands
  OrderData<T>& d = device_data<T>(order);
  CallOn call(d.work, gpu.stream);
  const PlaceOf<T> of = place_of<T>(order, positions);
  const std::uint32_t ends = of.groups + 3;
  std::uint32_t* const begin = d.begin.renew(ends, gpu.stream);
  const Packed<T> packed = reserve_fractions(d, n, gpu.stream);
  if (n > 0) sort_keys(gpu.stream, d, of, n);
  check(CORRAL_LAUNCH(begin_global, blocks_for(ends, tuning::range_threads), tuning::range_threads, 0, gpu.stream, ends,
                      n, d.key.data(), begin),
        "the offsets of a sort");
  if (n > 0)
    check(CORRAL_LAUNCH((pack_global<T>), blocks_for(n, tuning::range_threads), tuning::range_threads, 0, gpu.stream, n,
                        of, d.permutation.data(), packed, nullptr),
          "packing positions");
  send_counts(gpu.stream, d, begin + of.groups);
  call.end();
  order.size = n;
  order.identity = false;
  order.residence = shared::Residence::device;
}

template <class T> OrderView<T> CellOrder<T>::view(Gpu) const {
  const gpu::Places<T> p = gpu::places<T>(data());
  return {.groups = groups(),
          .size = p.size,
          .fraction = {p.u[0], p.u[1], p.u[2]},
          .begin64 = nullptr,
          .begin32 = p.begin,
          .source64 = nullptr,
          .source32 = p.source};
}

void lend_scratch(Gpu, const CellOrder<double>& order, double* memory, std::int64_t size) {
  gpu::OrderData<double>& d = *order.data().device;
  d.lent = memory;
  d.lent_size = size;
}

namespace gpu {
SortCounts wait_for_counts(const Counts& counts) {
  check(cudaEventSynchronize(counts.arrived), "a sort");
  return {counts.end[0], std::int64_t{counts.end[1]} - counts.end[0], std::int64_t{counts.end[2]} - counts.end[1]};
}
} // namespace gpu

template <class T> void CellOrder<T>::fetch_counts() const {
  data().counts = gpu::wait_for_counts(data().device->counts);
}
template <class T> std::int64_t CellOrder<T>::device_bytes() const {
  return data().device ? data().device->bytes() : 0;
}

CORRAL_INSTANTIATE_SORT(float)
CORRAL_INSTANTIATE_SORT(double)

} // namespace corral
