#pragma once

#include "fluid/faces.hpp"

#include <corral/together.hpp>

#include <cassert>
#include <concepts>
#include <cstdint>

namespace corral::fluid {

namespace detail {

/// What calls f for an index, told how far it is from the first of a range.
template <class All, class F> auto from_first(const OwnRange& own, F f) {
  if constexpr (std::same_as<All, Together<Cpu>>) {
    return [first = own.first, f](std::int64_t k) { return f(first + k); };
  } else {
    assert(own.first == 0); // devices share no planes
    return f;
  }
}

} // namespace detail

/// Numbers of `all`: the sum of value(index), or the largest and `floor`, over cells or faces of its own planes. What all ranks have
/// together Planes::totals and Planes::largest say.
template <class All, class F> int add_sum(All& all, const OwnRange& own, F value) {
  return all.sum(own.count, detail::from_first<All>(own, value));
}
template <class All, class F> int add_maximum(All& all, const OwnRange& own, double floor, F value) {
  return all.maximum(own.count, floor, detail::from_first<All>(own, value));
}

} // namespace corral::fluid
