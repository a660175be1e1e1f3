#pragma once

#include <corral/cell_order.hpp>
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
void interpolate(Cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms, Method method);
extern template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                                 std::span<const Interpolate<float>>, Method);
extern template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                                 std::span<const Interpolate<double>>, Method);
} // namespace detail

/// Grid to particle, the exact adjoint of spread: for each term, column = sum over points of phi_x phi_y phi_z field,
/// in one pass. Overwrites the columns; particles that the order skipped (outside, not finite) keep what they had.
/// Throws Error where a column or a field does not fit the order.
template <class K, class T>
void interpolate(Cpu cpu, const CellOrder<T>& order, const K& kernel, std::span<const Interpolate<T>> terms,
            Method method = Method::automatic) {
  detail::interpolate<T>(cpu, order, KernelWeights<T>::of(kernel), terms, method);
}
template <class K, class T>
void interpolate(Cpu cpu, const CellOrder<T>& order, const K& kernel, std::initializer_list<Interpolate<T>> terms,
            Method method = Method::automatic) {
  detail::interpolate<T>(cpu, order, KernelWeights<T>::of(kernel), {terms.begin(), terms.size()}, method);
}

} // namespace corral
