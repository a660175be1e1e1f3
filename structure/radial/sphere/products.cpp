#include "structure/radial/sphere/site_table.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace corral::structure::radial {

namespace {

/// One block of a product: some rows, some columns, all terms. `step`: of x and y from row to row.
using Block = void (*)(std::int64_t terms, const Factor& a, const double* x, double* y, std::int64_t step);

/// Blocks by number of columns, widest first, each for many rows and for a single one. Eigen's products are built for
/// the oldest processor of the kind, for Debian's; these reach two to four times their speed, and read an operator that
/// is used for a few columns as fast as memory gives it.
struct Width {
  std::int64_t columns, rows;
  Block many, one;
};

template <int rows, int columns>
void plain_block(std::int64_t terms, const Factor& a, const double* x, double* y, std::int64_t step) {
  double sum[rows][columns];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) sum[r][c] = y[r * step + c];
  for (std::int64_t k = 0; k < terms; ++k)
    for (int r = 0; r < rows; ++r) {
      const double factor = a.first[r * a.row_step + k * a.term_step];
      for (int c = 0; c < columns; ++c) sum[r][c] += factor * x[k * step + c];
    }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) y[r * step + c] = sum[r][c];
}

constexpr Width plain_widths[] = {{4, 4, plain_block<4, 4>, plain_block<1, 4>}};

#if defined(__x86_64__)

template <int rows, int vectors>
__attribute__((target("avx2,fma"))) void avx2_block(std::int64_t terms, const Factor& a, const double* x, double* y,
                                                    std::int64_t step) {
  __m256d sum[rows][vectors];
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) sum[r][v] = _mm256_loadu_pd(y + r * step + 4 * v);
  const double* factors = a.first;
  for (std::int64_t k = 0; k < terms; ++k, factors += a.term_step, x += step) {
    __m256d values[vectors];
    for (int v = 0; v < vectors; ++v) values[v] = _mm256_loadu_pd(x + 4 * v);
    for (int r = 0; r < rows; ++r) {
      const __m256d factor = _mm256_broadcast_sd(factors + r * a.row_step);
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm256_fmadd_pd(factor, values[v], sum[r][v]);
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) _mm256_storeu_pd(y + r * step + 4 * v, sum[r][v]);
}

template <int rows, int vectors>
__attribute__((target("avx512f"))) void avx512_block(std::int64_t terms, const Factor& a, const double* x, double* y,
                                                     std::int64_t step) {
  __m512d sum[rows][vectors];
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) sum[r][v] = _mm512_loadu_pd(y + r * step + 8 * v);
  const double* factors = a.first;
  for (std::int64_t k = 0; k < terms; ++k, factors += a.term_step, x += step) {
    __m512d values[vectors];
    for (int v = 0; v < vectors; ++v) values[v] = _mm512_loadu_pd(x + 8 * v);
    for (int r = 0; r < rows; ++r) {
      const __m512d factor = _mm512_set1_pd(factors[r * a.row_step]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm512_fmadd_pd(factor, values[v], sum[r][v]);
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) _mm512_storeu_pd(y + r * step + 8 * v, sum[r][v]);
}

constexpr Width avx2_widths[] = {{12, 4, avx2_block<4, 3>, avx2_block<1, 3>}, {4, 8, avx2_block<8, 1>, avx2_block<1, 1>}};
constexpr Width avx512_widths[] = {{24, 8, avx512_block<8, 3>, avx512_block<1, 3>},
                                   {12, 4, avx2_block<4, 3>, avx2_block<1, 3>},
                                   {4, 8, avx2_block<8, 1>, avx2_block<1, 1>}};
#endif

struct Widths {
  const Width *begin, *end;
};

template <int n> Widths widths_of(const Width (&widths)[n]) { return {widths, widths + n}; }

Widths choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return widths_of(avx512_widths);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return widths_of(avx2_widths);
#endif
  return widths_of(plain_widths);
}

} // namespace

void add_product(std::int64_t rows, std::int64_t terms, std::int64_t columns, const Factor& a, const double* x,
                 double* y) {
  static const Widths widths = choose();
  std::int64_t c = 0;
  for (const Width* width = widths.begin; width != widths.end; ++width)
    for (; columns - c >= width->columns; c += width->columns) {
      std::int64_t r = 0;
      const auto next = [&](std::int64_t count, Block block) {
        for (; rows - r >= count; r += count)
          block(terms, {a.first + r * a.row_step, a.row_step, a.term_step}, x + c, y + r * columns + c, columns);
      };
      next(width->rows, width->many);
      next(1, width->one);
    }
}

} // namespace corral::structure::radial
