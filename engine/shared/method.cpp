#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace corral {
namespace {

struct NamedMethod {
  Method method;
  std::string_view name;
  bool on_cpu = true, on_gpu = true;
};
constexpr bool yes = true, no = false;
constexpr std::array table{
    NamedMethod{Method::automatic, "automatic"},
    NamedMethod{Method::serial, "serial", yes, no},
    NamedMethod{Method::cells, "cells", yes, no},
    NamedMethod{Method::stencils, "stencils"},
    NamedMethod{Method::tiles, "tiles"},
    NamedMethod{Method::sort_reduce, "sort_reduce"},
    NamedMethod{Method::sort_reduce_buffered, "sort_reduce_buffered"},
    NamedMethod{Method::sort_reduce_on_the_fly, "sort_reduce_on_the_fly", yes, no},
    NamedMethod{Method::columns, "columns", yes, no},
    NamedMethod{Method::columns_pruned, "columns_pruned", yes, no},
    NamedMethod{Method::coloured_cells, "coloured_cells", yes, no},
    NamedMethod{Method::atomic, "atomic"},
    NamedMethod{Method::grid_gather, "grid_gather"},
    NamedMethod{Method::octet, "octet", no, yes},
    NamedMethod{Method::corners, "corners", no, yes},
    NamedMethod{Method::zhao, "zhao", no, yes},
    NamedMethod{Method::stream, "stream", no, yes},
    NamedMethod{Method::hybrid, "hybrid", no, yes},
    NamedMethod{Method::tensor_core, "tensor_core", no, yes},
    NamedMethod{Method::towers, "towers", no, yes},
    NamedMethod{Method::bricks, "bricks", no, yes},
};

template <bool NamedMethod::*place> constexpr auto methods_on() {
  constexpr auto count = std::count_if(table.begin(), table.end(), [](const NamedMethod& e) { return e.*place; });
  std::array<Method, static_cast<std::size_t>(count)> some{};
  std::size_t n = 0;
  for (const NamedMethod& e : table)
    if (e.*place) some[n++] = e.method;
  return some;
}

constexpr auto methods = [] {
  std::array<Method, table.size()> all{};
  for (std::size_t i = 0; i < table.size(); ++i) all[i] = table[i].method;
  return all;
}();
constexpr auto cpu_methods = methods_on<&NamedMethod::on_cpu>();
constexpr auto gpu_methods = methods_on<&NamedMethod::on_gpu>();

bool among(Method method, std::span<const Method> some) {
  return std::find(some.begin(), some.end(), method) != some.end();
}

} // namespace

std::string_view name(Method method) {
  for (const NamedMethod& e : table)
    if (e.method == method) return e.name;
  return "unknown";
}

void shared::require_known(Method method) {
  if (!among(method, methods))
    throw Error("method number " + std::to_string(static_cast<int>(method)) + " (Method has no such value) take "
                "automatic, or one of all_methods()");
}

bool spreads(Method method) { return method != Method::bricks; }

bool interpolates(Method method) {
  return method == Method::automatic || method == Method::serial || method == Method::cells ||
         method == Method::stencils || method == Method::tiles || method == Method::stream || method == Method::bricks;
}

bool serves_any_kernel(Method method) {
  return method != Method::cells && method != Method::octet && method != Method::corners && method != Method::zhao &&
         method != Method::stream;
}

bool runs_on(Method method, Cpu) { return among(method, cpu_methods); }
bool runs_on(Method method, Gpu) { return among(method, gpu_methods); }

std::span<const Method> all_methods() { return methods; }
std::span<const Method> all_methods(Cpu) { return cpu_methods; }
std::span<const Method> all_methods(Gpu) { return gpu_methods; }

} // namespace corral
