#include "bench/scene/kernel_maps.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <string>

namespace corral::bench {

namespace {

template <class K> constexpr int widest(const K& kernel) {
  if constexpr (kernels::Kernel<K>) return K::support;
  else return std::max(kernel.along.support, kernel.across.support);
}

} // namespace

template <class T, Execution E> KernelMaps<T> kernel_maps(std::string_view name) {
  KernelMaps<T> maps;
  const bool known = kernels::with_kernel(name, [&](const auto& kernel) {
    maps.support = widest(kernel);
    maps.spread = [kernel](const CellOrder<T>& order, std::span<const Spread<T>> terms, Method method) {
      corral::spread(E{}, order, kernel, terms, method);
    };
    maps.direct_spread = [kernel](const Grid& grid, const Positions<T>& positions, std::span<const Spread<T>> terms,
                                  Method method) { corral::spread(E{}, grid, positions, kernel, terms, method); };
    maps.direct_interpolate = [kernel](const Grid& grid, const Positions<T>& positions,
                                       std::span<const Interpolate<T>> terms, Method method) {
      corral::interpolate(E{}, grid, positions, kernel, terms, method);
    };
    maps.interpolate = [kernel](const CellOrder<T>& order, std::span<const Interpolate<T>> terms, Method method) {
      corral::interpolate(E{}, order, kernel, terms, method);
    };
  });
  if (!known) throw Error("no kernel '" + std::string(name) + "' (docs/kernels.md lists those that there are)");
  return maps;
}

template KernelMaps<float> kernel_maps<float, Cpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Cpu>(std::string_view);
template KernelMaps<float> kernel_maps<float, Gpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Gpu>(std::string_view);

} // namespace corral::bench
