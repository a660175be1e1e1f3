#include "fluid/spectral/lengths.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::fluid::spectral {

bool is_transformed(std::int64_t n) {
  if (n < 1) return false;
  for (const std::int64_t factor : {2, 3, 5, 7})
    while (n % factor == 0) n /= factor;
  return n == 1;
}

std::int64_t length_below(std::int64_t n) {
  while (!is_transformed(n)) --n;
  return n;
}

std::int64_t length_above(std::int64_t n) {
  while (!is_transformed(n)) ++n;
  return n;
}

void require_length(std::int64_t n) {
  if (is_transformed(n)) return;
  if (n < 1) throw Error("a Fourier transform of " + std::to_string(n) + " points (one at least is needed)");
  throw Error(std::to_string(n) +
              " cells along an axis that is Fourier transformed (lengths are products of 2, 3, 5 and "
              "7) take " +
              std::to_string(length_below(n)) + " or " + std::to_string(length_above(n)));
}

} // namespace corral::fluid::spectral
