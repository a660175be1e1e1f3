#pragma once

#include <corral/grid.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>
#include <corral/views.hpp>

#include <functional>
#include <span>
#include <string_view>

namespace corral::bench {

/// The kernels whose plain loops are compiled for them: those of the suites. A loop for each of all 48 takes minutes to compile.
using InlinedKernels = kernels::List<kernels::Linear, kernels::Roma3, kernels::Peskin4, kernels::KaiserBessel<4>,
                                     kernels::KaiserBessel<8>, kernels::KaiserBessel<14>>;

/// What the engine is compared with: the serial loop that one writes for the purpose, particle by particle with all
/// fields of the call in it, no order needed. `InlinedKernels` are inlined, and the number of fields up to three is known
/// at compile time; other kernels and more fields share a version where both are learnt at run time. Periodic grids only.
/// All fields stand on one staggering and have the same strides, or they are three on face_x, face_y and face_z; at most `max_fields`.
template <class T> struct PlainLoop {
  /// Adds to the fields, as corral::spread does.
  std::function<void(const Grid&, const Positions<T>&, std::span<const Spread<T>>)> spread;
  std::function<void(const Grid&, const Positions<T>&, std::span<const Interpolate<T>>)> interpolate;
};

/// Throws Error where corral ships no kernel of that name.
template <class T> PlainLoop<T> plain_loop(std::string_view kernel);

} // namespace corral::bench
