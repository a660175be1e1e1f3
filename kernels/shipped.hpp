#pragma once

/// Every kernel that corral ships.

#include <corral/kernels/bspline.hpp>
#include <corral/kernels/composite.hpp>
#include <corral/kernels/cosine4.hpp>
#include <corral/kernels/exponential_semicircle.hpp>
#include <corral/kernels/ib5.hpp>
#include <corral/kernels/ib6.hpp>
#include <corral/kernels/kaiser_bessel.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/kernels/nearest.hpp>
#include <corral/kernels/peskin4.hpp>
#include <corral/kernels/roma3.hpp>
#include <corral/kernels/smoothed.hpp>

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace corral::kernels {

template <class... K> struct List {};
template <class... A, class... B> List<A..., B...> operator+(List<A...>, List<B...>);

template <class Widths> struct SpectralKernels;
template <int... From2> struct SpectralKernels<std::integer_sequence<int, From2...>> {
  using type = List<KaiserBessel<From2 + 2>..., ExponentialSemicircle<From2 + 2>...>;
};

/// All that serve every axis alike, and all that have a kernel per axis.
using ShippedKernels = decltype(List<Nearest, Linear, Roma3, Peskin4, Cosine4, Ib5, Ib6, BSpline<3>, BSpline<4>,
                                     BSpline<5>, BSpline<6>, SmoothedRoma3, SmoothedPeskin4, SmoothedCosine4>{} +
                                SpectralKernels<std::make_integer_sequence<int, 15>>::type{});
using ShippedComposites = List<Composite32, Composite43, Composite54, Composite65>;

template <class K, class Of> inline constexpr bool is_one_of = false;
template <class K, class... Of> inline constexpr bool is_one_of<K, List<Of...>> = (std::is_same_v<K, Of> || ...);

/// The place of K in a list that holds it.
template <class K, class... Of> consteval int index_of(List<Of...>) {
  int index = 0;
  (void)((std::is_same_v<K, Of> || (++index, false)) || ...);
  return index;
}

/// Whether K is one of corral's own: those that the engine evaluates for a vector of particles at a time.
template <class K> inline constexpr bool is_shipped = is_one_of<K, ShippedKernels> || is_one_of<K, ShippedComposites>;
template <class K>
concept Shipped = is_shipped<K>;

using AllShipped = decltype(ShippedKernels{} + ShippedComposites{});

/// Calls f(K{}) for every type K of the list.
template <class... K, class F> void for_each_of(List<K...>, F&& f) { (f(K{}), ...); }

/// Calls f(kernel) for every shipped kernel, those with a kernel per axis (CompositeKernel) included.
template <class F> void for_each_shipped(F&& f) { for_each_of(AllShipped{}, f); }

/// Calls f(kernel) for the shipped kernel of that name; false if there is none.
template <class F> bool with_kernel(std::string_view name, F&& f) {
  const auto any = [&]<class... K>(List<K...>) { return ((K::name == name && (f(K{}), true)) || ...); };
  return any(AllShipped{});
}

/// The default beta of the Kaiser-Bessel window or exponential of semicircle of that name; 0 if there is none.
inline double default_beta(std::string_view name) {
  const auto of_one = [&]<class K>(std::type_identity<K>) {
    if constexpr (requires(const K& k) { k.beta(); }) return K::name == name ? K::default_beta : 0;
    else return 0.0;
  };
  return [&]<class... K>(List<K...>) { return (of_one(std::type_identity<K>{}) + ...); }(ShippedKernels{});
}

/// By name a window takes from half to twice its default beta: polynomials of its degree follow no others well.
inline bool takes_beta(std::string_view name, double beta) {
  const double usual = default_beta(name);
  return beta >= usual / 2 && beta <= 2 * usual && usual > 0;
}

/// Calls f(window) for the Kaiser-Bessel window or exponential of semicircle of that name and beta; false where
/// takes_beta says so.
template <class F> bool with_window(std::string_view name, double beta, F&& f) {
  if (!takes_beta(name, beta)) return false;
  const auto try_one = [&]<class K>(std::type_identity<K>) {
    if constexpr (requires(const K& k) { k.beta(); }) return K::name == name && (f(K(beta)), true);
    else return false;
  };
  return [&]<class... K>(List<K...>) { return (try_one(std::type_identity<K>{}) || ...); }(ShippedKernels{});
}

template <class... K> constexpr std::array<std::string_view, sizeof...(K)> names_of(List<K...>) { return {K::name...}; }

/// The names that with_kernel knows, for messages.
inline constexpr auto shipped_names = names_of(AllShipped{});

} // namespace corral::kernels
