#pragma once

#include <corral/corral.hpp>

#include <initializer_list>
#include <span>

#ifdef CORRAL_TEST_ON_GPU
#include "tests/engine/device_mirror.cuh"
#endif

/// The engine's calls as the property tests make them, on particles and fields of the host. Compiled with
/// CORRAL_TEST_ON_GPU they run on the GPU, on copies of the memory that the views reach, which are then brought back:
/// the same tests serve both.
namespace corral::test {

/// The device's code on the CPU is some hundred times slower than on a device.
#ifdef CORRAL_CUDA_ON_HOST
inline constexpr bool emulated = true;
#else
inline constexpr bool emulated = false;
#endif

/// What spreads where a method is one of interpolation alone.
inline Method spreading_method(Method method) { return spreads(method) ? method : Method::automatic; }

#ifdef CORRAL_TEST_ON_GPU
using Backend = Gpu;

template <class T> SortCounts run_sort(CellOrder<T>& order, const Positions<T>& positions) {
  DeviceMirror mirror;
  Positions<T> there = positions;
  for (auto& column : there.axis) column = mirror.of(column);
  order.sort(Gpu{}, there);
  return order.counts();
}
template <class T, class... U> void run_reorder(CellOrder<T>& order, const Column<U>&... columns) {
  DeviceMirror mirror;
  order.reorder(Gpu{}, mirror.of(columns)...);
  mirror.bring_back();
}
template <class K, class T>
void run_spread(const CellOrder<T>& order, const K& kernel, std::span<const Spread<T>> terms,
                Method method = Method::automatic) {
  DeviceMirror mirror;
  std::vector<Spread<T>> there;
  for (const Spread<T>& t : terms) {
    mirror.cover(t.column);
    mirror.cover(order.grid(), t.field);
  }
  for (const Spread<T>& t : terms) there.push_back({mirror.of(t.column), mirror.of(order.grid(), t.field)});
  spread(Gpu{}, order, kernel, std::span<const Spread<T>>(there), spreading_method(method));
  mirror.bring_back();
}
template <class K, class T>
void run_interpolate(const CellOrder<T>& order, const K& kernel, std::span<const Interpolate<T>> terms,
                     Method method = Method::automatic) {
  DeviceMirror mirror;
  std::vector<Interpolate<T>> there;
  for (const Interpolate<T>& t : terms) {
    mirror.cover(order.grid(), t.field);
    mirror.cover(t.column);
  }
  for (const Interpolate<T>& t : terms) there.push_back({mirror.of(order.grid(), t.field), mirror.of(t.column)});
  interpolate(Gpu{}, order, kernel, std::span<const Interpolate<T>>(there), method);
  mirror.bring_back();
}
template <class K, class T>
SortCounts run_spread(const Grid& grid, const Positions<T>& positions, const K& kernel, const Spread<T>& term,
                      Method method) {
  DeviceMirror mirror;
  Positions<T> there = positions;
  for (auto& column : there.axis) column = mirror.of(column);
  const Spread<T> t{mirror.of(term.column), mirror.of(grid, term.field)};
  const SortCounts counts = spread(Gpu{}, grid, there, kernel, {t}, method);
  mirror.bring_back();
  return counts;
}
template <class K, class T>
SortCounts run_interpolate(const Grid& grid, const Positions<T>& positions, const K& kernel, const Interpolate<T>& term,
                           Method method) {
  DeviceMirror mirror;
  Positions<T> there = positions;
  for (auto& column : there.axis) column = mirror.of(column);
  const Interpolate<T> t{mirror.of(grid, term.field), mirror.of(term.column)};
  const SortCounts counts = interpolate(Gpu{}, grid, there, kernel, {t}, method);
  mirror.bring_back();
  return counts;
}
#else
using Backend = Cpu;

template <class T> SortCounts run_sort(CellOrder<T>& order, const Positions<T>& positions) {
  return order.sort(Cpu{}, positions);
}
template <class T, class... U> void run_reorder(CellOrder<T>& order, const Column<U>&... columns) {
  order.reorder(Cpu{}, columns...);
}
template <class K, class T>
void run_spread(const CellOrder<T>& order, const K& kernel, std::span<const Spread<T>> terms,
                Method method = Method::automatic) {
  spread(Cpu{}, order, kernel, terms, method);
}
template <class K, class T>
void run_interpolate(const CellOrder<T>& order, const K& kernel, std::span<const Interpolate<T>> terms,
                     Method method = Method::automatic) {
  interpolate(Cpu{}, order, kernel, terms, method);
}
template <class K, class T>
SortCounts run_spread(const Grid& grid, const Positions<T>& positions, const K& kernel, const Spread<T>& term,
                      Method method) {
  return spread(Cpu{}, grid, positions, kernel, {term}, method);
}
template <class K, class T>
SortCounts run_interpolate(const Grid& grid, const Positions<T>& positions, const K& kernel, const Interpolate<T>& term,
                           Method method) {
  return interpolate(Cpu{}, grid, positions, kernel, {term}, method);
}
#endif

template <class K, class T>
void run_spread(const CellOrder<T>& order, const K& kernel, std::initializer_list<Spread<T>> terms,
                Method method = Method::automatic) {
  run_spread(order, kernel, std::span<const Spread<T>>(terms.begin(), terms.size()), method);
}
template <class K, class T>
void run_interpolate(const CellOrder<T>& order, const K& kernel, std::initializer_list<Interpolate<T>> terms,
                     Method method = Method::automatic) {
  run_interpolate(order, kernel, std::span<const Interpolate<T>>(terms.begin(), terms.size()), method);
}

/// The method itself where it has an interpolation of its own on the backend.
inline Method reading_method(Method method) {
  constexpr bool on_gpu = std::is_same_v<Backend, Gpu>;
  const bool reads = runs_on(method, Backend{}) && interpolates(method) && !(on_gpu && method == Method::tiles);
  return reads ? method : Method::automatic;
}

} // namespace corral::test
