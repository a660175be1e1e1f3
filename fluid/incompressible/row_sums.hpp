#pragma once

#include <cstdint>

namespace corral::fluid {

/// Sums over n values of a row, by eight sums side by side, as one alone would wait for each addition: the same bits on every
/// processor.
double sum_of_row(std::int64_t n, const double* a);
double sum_of_products(std::int64_t n, const double* a, const double* b);
double sum_of_squared_differences(std::int64_t n, const double* a, const double* b);
/// Largest |a[i]|, side by side likewise; NaN where one of them is NaN or infinite.
double largest_of_row(std::int64_t n, const double* a);

} // namespace corral::fluid
