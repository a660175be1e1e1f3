#pragma once

#include "structure/radial/sphere/spiral.hpp"

#include <array>

namespace corral::structure::radial {

/// Degree to which the operators are exact.
inline constexpr int harmonic_degree = 5;
/// Spherical harmonics up to that degree.
inline constexpr int harmonic_count = (harmonic_degree + 1) * (harmonic_degree + 1);

/// A smooth function at a site of the unit sphere: its value, and its first and second derivatives by the arc lengths of
/// the great circles that leave the site along the frame's vectors: 1, 2, 11, 12, 22.
using SiteValues = std::array<double, 6>;

/// Real spherical harmonics at a site, with squares of mean 1, by degree l and within it by order m: cos, sin.
std::array<SiteValues, harmonic_count> harmonics(const Direction& site, const Frame& frame);

/// Whether half a turn leaves each harmonic as it is; it changes the sign of the others.
std::array<bool, harmonic_count> even_harmonics();

} // namespace corral::structure::radial
