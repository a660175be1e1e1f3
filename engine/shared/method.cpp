#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace corral {
namespace {

struct Entry {
  Method method;
  std::string_view name;
  bool on_cpu = true, on_gpu = true;
};
constexpr bool yes = true, no = false;
constexpr std::array table{
    Entry{Method::automatic, "automatic"},
    Entry{Method::serial, "serial", yes, no},
    Entry{Method::cells, "cells", yes, no},
    Entry{Method::stencils, "stencils"},
    Entry{Method::tiles, "tiles"},
    Entry{Method::sort_reduce, "sort_reduce"},
    Entry{Method::sort_reduce_buffered, "sort_reduce_buffered"},
    Entry{Method::sort_reduce_on_the_fly, "sort_reduce_on_the_fly", yes, no},
    Entry{Method::columns, "columns", yes, no},
    Entry{Method::columns_pruned, "columns_pruned", yes, no},
    Entry{Method::coloured_cells, "coloured_cells", yes, no},
    Entry{Method::atomic, "atomic"},
    Entry{Method::grid_gather, "grid_gather"},
    Entry{Method::octet, "octet", no, yes},
    Entry{Method::corners, "corners", no, yes},
    Entry{Method::zhao, "zhao", no, yes},
    Entry{Method::hybrid, "hybrid", no, yes},
    Entry{Method::tensor_core, "tensor_core", no, yes},
};

template <bool Entry::*place> constexpr auto methods_on() {
  constexpr auto count = std::count_if(table.begin(), table.end(), [](const Entry& e) { return e.*place; });
  std::array<Method, static_cast<std::size_t>(count)> some{};
  std::size_t n = 0;
  for (const Entry& e : table)
    if (e.*place) some[n++] = e.method;
  return some;
}

constexpr auto methods = [] {
  std::array<Method, table.size()> all{};
  for (std::size_t i = 0; i < table.size(); ++i) all[i] = table[i].method;
  return all;
}();
constexpr auto cpu_methods = methods_on<&Entry::on_cpu>();
constexpr auto gpu_methods = methods_on<&Entry::on_gpu>();

bool among(Method method, std::span<const Method> some) {
  return std::find(some.begin(), some.end(), method) != some.end();
}

} // namespace

std::string_view name(Method method) {
  for (const Entry& e : table)
    if (e.method == method) return e.name;
  return "unknown";
}

void shared::require_known(Method method) {
  if (!among(method, methods))
    throw Error("method number " + std::to_string(static_cast<int>(method)) + " (Method has no such value) take "
                "automatic, or one of all_methods()");
}

bool interpolates(Method method) {
  return method == Method::automatic || method == Method::serial || method == Method::cells ||
         method == Method::stencils || method == Method::tiles;
}

bool serves_any_kernel(Method method) {
  return method != Method::cells && method != Method::octet && method != Method::corners && method != Method::zhao;
}

bool runs_on(Method method, Cpu) { return among(method, cpu_methods); }
bool runs_on(Method method, Gpu) { return among(method, gpu_methods); }

std::span<const Method> all_methods() { return methods; }
std::span<const Method> all_methods(Cpu) { return cpu_methods; }
std::span<const Method> all_methods(Gpu) { return gpu_methods; }

} // namespace corral
