#pragma once

#include <array>

/// What windows of P = 2 to 16 points err by in non-uniform FFTs with twofold oversampling, relative, in the mean over
/// modes and particles: measured by tests/engine/maps/transforms.cpp, told by docs/kernels.md.
namespace corral::test {

inline constexpr std::array kaiser_bessel_errors{3.8e-2,  3.7e-3,  4.1e-4,  4.6e-5,  5.1e-6,
                                                 5.8e-7,  5.8e-8,  5.7e-9,  5.8e-10, 6.0e-11,
                                                 6.3e-12, 6.7e-13, 7.7e-14, 1.1e-14, 1.0e-14};
inline constexpr std::array exponential_semicircle_errors{4.8e-2,  4.8e-3,  5.3e-4,  6.7e-5,  7.6e-6,
                                                          9.2e-7,  9.2e-8,  1.0e-8,  1.2e-9,  1.4e-10,
                                                          1.5e-11, 1.5e-12, 1.7e-13, 2.0e-14, 1.0e-14};

} // namespace corral::test
