#pragma once

#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>
#include <corral/views.hpp>

#include <cmath>
#include <cstdint>
#include <string>

/// What sums ask of columns before they write anything.
namespace corral::stokes {

/// Throws Error where the column has another length.
template <class C> void require_column(const C& column, std::int64_t size, const std::string& what) {
  if (column.size != size)
    throw Error(what + " has " + std::to_string(column.size) + " values (there are " + std::to_string(size) +
                " points)");
}

/// Throws Error where a number is not finite.
inline void require_finite(Cpu cpu, const Column<const double>& strength, const std::string& what) {
  const double bad = sum(cpu, strength.size, [&](std::int64_t i) { return std::isfinite(strength[i]) ? 0.0 : 1.0; });
  if (bad > 0)
    throw Error(what + " is not finite at " + std::to_string(static_cast<std::int64_t>(bad)) + " sources");
}

} // namespace corral::stokes
