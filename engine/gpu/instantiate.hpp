#pragma once

/// The calls on the GPU, for explicit instantiation within namespace corral: where they are defined, and where a build
/// without CUDA refuses them.

#define CORRAL_INSTANTIATE_SORT(T)                                                                                     \
  template void CellOrder<T>::sort(Gpu, const Positions<T>&);                                                          \
  template void CellOrder<T>::fetch_counts() const;                                                                    \
  template OrderView<T> CellOrder<T>::view(Gpu) const;                                                                 \
  template std::int64_t CellOrder<T>::device_bytes() const;

#define CORRAL_INSTANTIATE_REORDER(T)                                                                                  \
  template void CellOrder<T>::reorder(Gpu, std::span<const detail::ColumnMemory>);                                     \
  template void CellOrder<T>::permute(Gpu, std::span<const detail::ColumnMemory>);                                     \
  template void CellOrder<T>::gather(Gpu, const double*, double*) const;                                               \
  template void CellOrder<T>::gather(Gpu, const std::uint64_t*, std::uint64_t*) const;

#define CORRAL_INSTANTIATE_MAPS(T)                                                                                     \
  template void detail::spread(Gpu, const CellOrder<T>&, const DeviceKernelWeights<T>&, std::span<const Spread<T>>,    \
                               Method);                                                                                \
  template void detail::interpolate(Gpu, const CellOrder<T>&, const DeviceKernelWeights<T>&,                           \
                                    std::span<const Interpolate<T>>, Method);                                          \
  template SortCounts detail::spread(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&,             \
                                     std::span<const Spread<T>>, Method);                                              \
  template SortCounts detail::interpolate(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&,        \
                                          std::span<const Interpolate<T>>, Method);
