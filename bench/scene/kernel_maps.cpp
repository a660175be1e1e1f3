#include "bench/scene/scene.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <memory>
#include <optional>
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
  std::shared_ptr<const void> kept; // the kernel, to which its weights refer
  std::optional<WeightsOn<E, T>> weights;
  const bool known = kernels::with_kernel(name, [&]<class K>(const K& shipped) {
    const auto kernel = std::make_shared<const K>(shipped);
    kept = kernel;
    maps.support = widest(*kernel);
    weights = WeightsOn<E, T>::of(*kernel);
  });
  if (!known) throw Error("no kernel '" + std::string(name) + "' (docs/kernels.md lists those that there are)");
  // What the public calls do with any kernel, compiled once for all 48.
  maps.spread = [kept, w = *weights](const CellOrder<T>& order, std::span<const Spread<T>> terms, Method method) {
    detail::spread<T>(E{}, order, w, terms, method);
  };
  maps.direct_spread = [kept, w = *weights](const Grid& grid, const Positions<T>& positions,
                                            std::span<const Spread<T>> terms, Method method) {
    detail::spread<T>(E{}, grid, positions, w, terms, method);
  };
  maps.direct_interpolate = [kept, w = *weights](const Grid& grid, const Positions<T>& positions,
                                                 std::span<const Interpolate<T>> terms, Method method) {
    detail::interpolate<T>(E{}, grid, positions, w, terms, method);
  };
  maps.interpolate = [kept, w = *weights](const CellOrder<T>& order, std::span<const Interpolate<T>> terms,
                                          Method method) { detail::interpolate<T>(E{}, order, w, terms, method); };
  return maps;
}

template KernelMaps<float> kernel_maps<float, Cpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Cpu>(std::string_view);
template KernelMaps<float> kernel_maps<float, Gpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Gpu>(std::string_view);

} // namespace corral::bench
