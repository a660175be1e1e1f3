#pragma once

#include <corral/interpolate.hpp>
#include <corral/method.hpp>
#include <corral/spread.hpp>

#include <functional>
#include <span>
#include <string_view>

namespace corral::bench {

/// The engine's maps with a kernel chosen at run time.
template <class T> struct KernelMaps {
  int support = 0; ///< points per axis, of the wider kernel where a composite one has two
  std::function<void(const CellOrder<T>&, std::span<const Spread<T>>, Method)> spread;
  std::function<void(const CellOrder<T>&, std::span<const Interpolate<T>>, Method)> interpolate;
  /// Without an order.
  std::function<void(const Grid&, const Positions<T>&, std::span<const Spread<T>>, Method)> direct_spread;
  std::function<void(const Grid&, const Positions<T>&, std::span<const Interpolate<T>>, Method)> direct_interpolate;
};

/// Those of an execution. Throws Error where corral ships no kernel of that name.
template <class T, Execution E> KernelMaps<T> kernel_maps(std::string_view kernel);

} // namespace corral::bench
