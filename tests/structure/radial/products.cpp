#include "structure/radial/sphere/products.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <vector>

namespace corral::test {
namespace {

using namespace structure::radial;

/// Any numbers between -1 and 1.
std::vector<double> numbers(std::int64_t count, double seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = std::sin(seed = 1.7 * seed + 3.1 - 10 * std::floor((1.7 * seed + 3.1) / 10));
  return values;
}

bool multiplies_in_one() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

} // namespace

TEST_CASE("a product's elements are sums in the order of terms, whatever is computed beside them") {
  for (const std::int64_t rows : {1, 3, 8, 21})
    for (const std::int64_t columns : {4, 12, 24, 64})
      for (const bool transposed : {false, true}) {
        const std::int64_t terms = 37, stored = transposed ? rows : terms;
        const std::vector<double> a = numbers(rows * terms, 0.3), x = numbers(terms * columns, 0.4);
        std::vector<double> y = numbers(rows * columns, 0.5), expected = y;
        const Factor factor{a.data(), transposed ? 1 : stored, transposed ? stored : 1};
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t k = 0; k < terms; ++k) {
              const double f = a[r * factor.row_step + k * factor.term_step];
              const double value = x[k * columns + c];
              double& sum = expected[r * columns + c];
              sum = multiplies_in_one() ? std::fma(f, value, sum) : sum + f * value;
            }
        add_product(rows, terms, columns, factor, x.data(), y.data());
        INFO(rows << " rows, " << columns << " columns" << (transposed ? ", transposed" : ""));
        CHECK(y == expected);
      }
}

} // namespace corral::test
