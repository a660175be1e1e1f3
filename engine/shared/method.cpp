#include <corral/method.hpp>

#include <array>

namespace corral {
namespace {

struct Entry {
  Method method;
  std::string_view name;
};
constexpr std::array table{
    Entry{Method::automatic, "automatic"},
    Entry{Method::serial, "serial"},
    Entry{Method::cells, "cells"},
    Entry{Method::stencils, "stencils"},
    Entry{Method::tiles, "tiles"},
    Entry{Method::sort_reduce, "sort_reduce"},
    Entry{Method::sort_reduce_buffered, "sort_reduce_buffered"},
    Entry{Method::sort_reduce_on_the_fly, "sort_reduce_on_the_fly"},
    Entry{Method::columns, "columns"},
    Entry{Method::columns_pruned, "columns_pruned"},
    Entry{Method::coloured_cells, "coloured_cells"},
    Entry{Method::atomic, "atomic"},
    Entry{Method::grid_gather, "grid_gather"},
};

constexpr auto methods = [] {
  std::array<Method, table.size()> all{};
  for (std::size_t i = 0; i < table.size(); ++i) all[i] = table[i].method;
  return all;
}();

} // namespace

std::string_view name(Method method) {
  for (const Entry& e : table)
    if (e.method == method) return e.name;
  return "unknown";
}

bool interpolates(Method method) {
  return method == Method::automatic || method == Method::serial || method == Method::cells ||
         method == Method::stencils || method == Method::tiles;
}

bool serves_any_kernel(Method method) { return method != Method::cells; }

std::span<const Method> all_methods() { return methods; }

} // namespace corral
