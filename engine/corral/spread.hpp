#pragma once

#include <corral/cell_order.hpp>
#include <corral/export.h>
#include <corral/kernel_weights.hpp>
#include <corral/method.hpp>
#include <corral/views.hpp>

#include <initializer_list>
#include <span>

namespace corral {

/// One term of a spread: what is spread, and to which field.
template <class T> struct Spread {
  Column<const T> column;
  FieldView<T> field;
};

namespace detail {
template <class T>
CORRAL_PUBLIC void spread(Cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                          std::span<const Spread<T>> terms, Method method);
extern template void spread(Cpu, const CellOrder<float>&, const KernelWeights<float>&, std::span<const Spread<float>>,
                            Method);
extern template void spread(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                            std::span<const Spread<double>>, Method);
template <class T>
CORRAL_PUBLIC SortCounts spread(Cpu, const Grid&, const Positions<T>&, const KernelWeights<T>&,
                                std::span<const Spread<T>>, Method);
extern template SortCounts spread(Cpu, const Grid&, const Positions<float>&, const KernelWeights<float>&,
                                   std::span<const Spread<float>>, Method);
extern template SortCounts spread(Cpu, const Grid&, const Positions<double>&, const KernelWeights<double>&,
                                   std::span<const Spread<double>>, Method);
template <class T>
CORRAL_PUBLIC void spread(Gpu, const CellOrder<T>& order, const DeviceKernelWeights<T>& kernel,
                         std::span<const Spread<T>> terms, Method method);
extern template void spread(Gpu, const CellOrder<float>&, const DeviceKernelWeights<float>&,
                           std::span<const Spread<float>>, Method);
extern template void spread(Gpu, const CellOrder<double>&, const DeviceKernelWeights<double>&,
                           std::span<const Spread<double>>, Method);
template <class T>
CORRAL_PUBLIC SortCounts spread(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&,
                               std::span<const Spread<T>>, Method);
extern template SortCounts spread(Gpu, const Grid&, const Positions<float>&, const DeviceKernelWeights<float>&,
                                 std::span<const Spread<float>>, Method);
extern template SortCounts spread(Gpu, const Grid&, const Positions<double>&, const DeviceKernelWeights<double>&,
                                 std::span<const Spread<double>>, Method);
} // namespace detail

/// Particle to grid: for each term, field(x) += sum over particles of phi_x phi_y phi_z column, in one pass.
/// Adds to the fields and never divides by a volume. Fields may have different staggerings, and several terms the
/// same column; two terms that add to one value, and two points of a field that share one, are refused. But for
/// Method::atomic a field gets the same bits for any number of threads and whatever other terms are in the call
/// (docs/maps.md, "Bits", has the exceptions).
/// Throws Error, and has then changed nothing, where a column or a field does not fit the order, for a method that does
/// not serve the kernel, and for kernels of more than 64 points along an axis (automatic, stencils and tiles);
/// std::bad_alloc where memory does not suffice, and fields may then be partly written.
template <class K, class T, Execution E>
void spread(E execution, const CellOrder<T>& order, const K& kernel, std::span<const Spread<T>> terms,
            Method method = Method::automatic) {
  detail::spread<T>(execution, order, WeightsOn<E, T>::of(kernel), terms, method);
}
template <class K, class T, Execution E>
void spread(E execution, const CellOrder<T>& order, const K& kernel, std::initializer_list<Spread<T>> terms,
            Method method = Method::automatic) {
  detail::spread<T>(execution, order, WeightsOn<E, T>::of(kernel), {terms.begin(), terms.size()}, method);
}

/// The same for particles without an order, for a single map, which does not repay a sort: particle after particle, as
/// they come. Methods: serial; atomic (any number of threads, bits differ from run to run); automatic (any number of
/// threads, the bits of serial). Particles outside or not finite are counted and skipped.
/// Throws Error where a column or a field does not fit the positions and the grid, or the method needs an order, and
/// has then changed nothing; std::bad_alloc as above.
template <class K, class T, Execution E>
SortCounts spread(E execution, const Grid& grid, const Positions<T>& positions, const K& kernel,
                  std::span<const Spread<T>> terms, Method method = Method::automatic) {
  return detail::spread<T>(execution, grid, positions, WeightsOn<E, T>::of(kernel), terms, method);
}
template <class K, class T, Execution E>
SortCounts spread(E execution, const Grid& grid, const Positions<T>& positions, const K& kernel,
                  std::initializer_list<Spread<T>> terms, Method method = Method::automatic) {
  return detail::spread<T>(execution, grid, positions, WeightsOn<E, T>::of(kernel), {terms.begin(), terms.size()},
                             method);
}

} // namespace corral
