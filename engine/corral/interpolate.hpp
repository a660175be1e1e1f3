#pragma once

#include <corral/cell_order.hpp>
#include <corral/export.h>
#include <corral/kernel_weights.hpp>
#include <corral/method.hpp>
#include <corral/views.hpp>

#include <initializer_list>
#include <span>

namespace corral {

/// One term of an interpolation: which field is read, and the column that receives its values.
template <class T> struct Interpolate {
  FieldView<const T> field;
  Column<T> column;
};

namespace detail {
template <class T>
CORRAL_PUBLIC void interpolate(Cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                               std::span<const Interpolate<T>> terms, Method method);
extern template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                                 std::span<const Interpolate<float>>, Method);
extern template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                                 std::span<const Interpolate<double>>, Method);
template <class T>
CORRAL_PUBLIC SortCounts interpolate(Cpu, const Grid&, const Positions<T>&, const KernelWeights<T>&,
                                std::span<const Interpolate<T>>, Method);
extern template SortCounts interpolate(Cpu, const Grid&, const Positions<float>&, const KernelWeights<float>&,
                                   std::span<const Interpolate<float>>, Method);
extern template SortCounts interpolate(Cpu, const Grid&, const Positions<double>&, const KernelWeights<double>&,
                                   std::span<const Interpolate<double>>, Method);
template <class T>
CORRAL_PUBLIC void interpolate(Gpu, const CellOrder<T>& order, const DeviceKernelWeights<T>& kernel,
                         std::span<const Interpolate<T>> terms, Method method);
extern template void interpolate(Gpu, const CellOrder<float>&, const DeviceKernelWeights<float>&,
                           std::span<const Interpolate<float>>, Method);
extern template void interpolate(Gpu, const CellOrder<double>&, const DeviceKernelWeights<double>&,
                           std::span<const Interpolate<double>>, Method);
template <class T>
CORRAL_PUBLIC SortCounts interpolate(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&,
                               std::span<const Interpolate<T>>, Method);
extern template SortCounts interpolate(Gpu, const Grid&, const Positions<float>&, const DeviceKernelWeights<float>&,
                                 std::span<const Interpolate<float>>, Method);
extern template SortCounts interpolate(Gpu, const Grid&, const Positions<double>&, const DeviceKernelWeights<double>&,
                                 std::span<const Interpolate<double>>, Method);
} // namespace detail

/// Grid to particle, the exact adjoint of spread: for each term, column = sum over points of phi_x phi_y phi_z field,
/// in one pass. Overwrites the columns, of which two terms must not share one; particles that the order skipped
/// (outside, not finite) keep what they had. A column gets the same bits for any number of threads and whatever other
/// terms are in the call (docs/maps.md, "Bits", has an exception).
/// Throws Error, and has then changed nothing, where a column or a field does not fit the order, for a method that does
/// not interpolate or does not serve the kernel, and for kernels of more than 64 points along an axis (automatic,
/// stencils and tiles); std::bad_alloc where memory does not suffice, and columns may then be partly written.
template <class K, class T, Execution E>
void interpolate(E execution, const CellOrder<T>& order, const K& kernel, std::span<const Interpolate<T>> terms,
            Method method = Method::automatic) {
  detail::interpolate<T>(execution, order, WeightsOn<E, T>::of(kernel), terms, method);
}
template <class K, class T, Execution E>
void interpolate(E execution, const CellOrder<T>& order, const K& kernel, std::initializer_list<Interpolate<T>> terms,
            Method method = Method::automatic) {
  detail::interpolate<T>(execution, order, WeightsOn<E, T>::of(kernel), {terms.begin(), terms.size()}, method);
}

/// The same for particles without an order, for a single map, which does not repay a sort: particle after particle, as
/// they come. Methods: serial, and automatic (any number of threads, the bits of serial). Particles outside or not
/// finite are counted and keep what they had.
/// Throws Error where a column or a field does not fit the positions and the grid, or for another method, and has then
/// changed nothing; std::bad_alloc as above.
template <class K, class T, Execution E>
SortCounts interpolate(E execution, const Grid& grid, const Positions<T>& positions, const K& kernel,
                  std::span<const Interpolate<T>> terms, Method method = Method::automatic) {
  return detail::interpolate<T>(execution, grid, positions, WeightsOn<E, T>::of(kernel), terms, method);
}
template <class K, class T, Execution E>
SortCounts interpolate(E execution, const Grid& grid, const Positions<T>& positions, const K& kernel,
                  std::initializer_list<Interpolate<T>> terms, Method method = Method::automatic) {
  return detail::interpolate<T>(execution, grid, positions, WeightsOn<E, T>::of(kernel), {terms.begin(), terms.size()},
                                  method);
}

} // namespace corral
