#include "fluid/spectral/symbols.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>
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

DifferenceSymbols::DifferenceSymbols(std::int64_t n, double spacing) : re_(n), im_(n), square_(n) {
  for (std::int64_t m = 0; m < n; ++m) {
    const bool mirrored = 2 * m > n; // conjugate numbers of conjugate modes, to the bit
    const double half = std::numbers::pi * static_cast<double>(mirrored ? n - m : m) / static_cast<double>(n);
    const double twice = 2 * std::sin(half) / spacing;
    re_[m] = twice * std::sin(half); // as a difference from 1 it would lose its digits at small angles
    im_[m] = 2 * m == n ? 0 : (mirrored ? -twice : twice) * std::cos(half);
    square_[m] = re_[m] * re_[m] + im_[m] * im_[m];
  }
}

PlaneSymbols::PlaneSymbols(const SpectrumShape& shape, double x_spacing, double row_spacing)
    : shape_(shape), x_(shape.nx, x_spacing), rows_(shape.rows, row_spacing) {}

ColumnSymbols PlaneSymbols::column(std::int64_t c) const {
  const std::int64_t in_blocks = shape_.blocks() * shape_.rows;
  ColumnSymbols s{};
  for (std::int64_t l = 0; l < SpectrumShape::lanes; ++l) {
    const bool lone = c >= in_blocks;
    const std::int64_t k = lone ? shape_.modes() - 1 : c / shape_.rows * SpectrumShape::lanes + l;
    const std::int64_t row = lone ? (c - in_blocks) * SpectrumShape::lanes + l : c % shape_.rows;
    if (k < shape_.modes() && row < shape_.rows) {
      s.x_re[l] = x_.re(k);
      s.x_im[l] = x_.im(k);
      s.row_re[l] = rows_.re(row);
      s.row_im[l] = rows_.im(row);
      s.square[l] = x_.square(k) + rows_.square(row);
    }
    s.divisor[l] = s.square[l] > 0 ? s.square[l] : 1;
  }
  return s;
}

} // namespace corral::fluid::spectral
