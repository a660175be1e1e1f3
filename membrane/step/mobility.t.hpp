#pragma once

/// Loops of mobility.hpp, for either processor.

#include "membrane/step/mobility.hpp"
#include "structure/values.t.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <cstddef>

namespace corral::membrane {

template <Execution E> void Mobility<E>::get_forces(E execution, MarkerVectors& to) const {
  each([&](const Population& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d) structure::values::copy(execution, p.points(), p.forces()[d], to[d].data() + first);
  });
}

template <Execution E> void Mobility<E>::put_forces(E execution, const MarkerVectors& from) const {
  each([&](Population& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d) structure::values::copy(execution, p.points(), from[d].data() + first, p.forces()[d]);
  });
}

template <Execution E> double Mobility<E>::product(E execution, const MarkerVectors& a, const MarkerVectors& b) const {
  Together<E> sums(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    const double *x = a[d].data(), *y = b[d].data();
    sums.sum(size_, [=] CORRAL_BODY(std::int64_t i) { return x[i] * y[i]; });
  }
  const auto& of = sums.values();
  return of[0] + of[1] + of[2];
}

} // namespace corral::membrane
