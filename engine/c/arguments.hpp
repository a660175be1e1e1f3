#pragma once

/// What the functions of <corral/corral.h> do with their arguments and with what is thrown.

#include "engine/c/guard.hpp"

#include <corral/cell_order.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>

struct corral_grid {
  corral::Grid grid;
};

struct corral_order {
  std::variant<corral::CellOrder<double>, corral::CellOrder<float>> order;
  int threads;  ///< most that a call uses; 0: no limit of its own
  bool on_gpu;
  corral::Gpu gpu;
};

namespace corral::c {

static_assert(without_padding<corral_column, corral_order_options, corral_counts, corral_field>);
static_assert(sizeof(corral_axis) == 64 && sizeof(corral_map_options) == 40); // the same of structs with numbers

template <> inline constexpr std::size_t first_size<corral_field> = offsetof(corral_field, extent);
template <> inline constexpr std::size_t first_size<corral_axis> = offsetof(corral_axis, global_cells);
template <> inline constexpr std::size_t first_size<corral_map_options> = offsetof(corral_map_options, beta);

LastError& last_error() noexcept;
template <class F> int guarded(F&& body) noexcept { return guarded(last_error(), body); }

inline Staggering staggering(std::int32_t value) {
  return enumerator<Staggering>(value, static_cast<std::int32_t>(all_staggerings.size()), "corral_staggering");
}

/// The column as one of an order's.
template <class T> Column<T> typed(const corral_column& column) { return typed<T>(column, "the order is"); }

/// Calls `work(execution, order)` with the order of its precision, where it sorts and maps, on no more threads than it
/// allows.
template <class F> void with_order(corral_order* handle, F&& work) {
  require_pointer(handle, "order");
  const auto run = [&] {
    std::visit([&](auto& order) { handle->on_gpu ? work(handle->gpu, order) : work(Cpu{}, order); }, handle->order);
  };
  with_threads(handle->threads, run);
}

} // namespace corral::c
