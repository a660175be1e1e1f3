#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <cstdint>

/// What iterations do with vectors of velocities or forces. Sums have a fixed order.
namespace corral::stokes {

inline double dot(Cpu cpu, const Array<double>& a, const Array<double>& b) {
  const double *const x = a.data(), *const y = b.data();
  return sum(cpu, a.size(), [=](std::int64_t i) { return x[i] * y[i]; });
}

/// to = keep to + factor of; what is in `to` counts for nothing where `keep` is 0.
inline void combine(Cpu cpu, double keep, Array<double>& to, double factor, const Array<double>& of) {
  double* const x = to.data();
  const double* const y = of.data();
  if (keep == 0)
    for_each(cpu, to.size(), [=](std::int64_t i) { x[i] = factor * y[i]; });
  else
    for_each(cpu, to.size(), [=](std::int64_t i) { x[i] = keep * x[i] + factor * y[i]; });
}

inline void scale(Cpu cpu, Array<double>& a, double factor) {
  double* const x = a.data();
  for_each(cpu, a.size(), [=](std::int64_t i) { x[i] *= factor; });
}

} // namespace corral::stokes
