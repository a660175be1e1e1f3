#pragma once

#include "fluid/spectral/box_layout.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::fluid::spectral {

/// True where n is a product of 2, 3, 5 and 7.
bool is_transformed(std::int64_t n);

/// The largest such number that is at most n, and the smallest that is at least n; n is 1 or more.
std::int64_t length_below(std::int64_t n);
std::int64_t length_above(std::int64_t n);

/// Throws Error where n is no such number, which names the nearest ones.
void require_length(std::int64_t n);

/// The two-point difference along a periodic axis, for each mode. With theta = 2 pi m/n and spacing h the gradient, a
/// centre's value less the one before it, is G = (1 - e^(-i theta))/h; the divergence, which looks the other way, is
/// -conj(G), and one after the other -|G|^2.
class DifferenceSymbols {
public:
  DifferenceSymbols(std::int64_t n, double spacing);

  std::int64_t size() const { return re_.size(); }
  double re(std::int64_t m) const { return re_[m]; }         ///< [1/m]
  double im(std::int64_t m) const { return im_[m]; }         ///< [1/m]
  double square(std::int64_t m) const { return square_[m]; } ///< |G|^2 [1/m2]

private:
  Array<double> re_, im_, square_;
};

/// What the eight lines of a column have along x and along rows.
struct ColumnSymbols {
  alignas(64) double x_re[8], x_im[8], row_re[8], row_im[8]; ///< G [1/m]
  alignas(64) double square[8];                              ///< |G_x|^2 + |G_row|^2 [1/m2]
  alignas(64) double divisor[8];                             ///< the same, 1 where that is 0
};

/// The symbols of every column of a plane's spectrum. Lines beyond the last mode or row have G = 0.
class PlaneSymbols {
public:
  PlaneSymbols(const SpectrumShape& shape, double x_spacing, double row_spacing);

  ColumnSymbols column(std::int64_t c) const;

private:
  SpectrumShape shape_;
  DifferenceSymbols x_, rows_;
};

} // namespace corral::fluid::spectral
