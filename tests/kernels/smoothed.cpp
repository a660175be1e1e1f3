#include "tests/kernels/offsets.hpp"

/// Smoothed kernels are their base kernels averaged over one grid spacing.
namespace corral::test {
namespace {

/// The integral of phi from a to b by Gauss-Legendre quadrature of five points on short pieces; the ends of the pieces
/// include all multiples of 1/2, between which phi is smooth.
template <class K> double integral(const K& phi, double a, double b) {
  const double node[] = {0, 0.53846931010568309, 0.90617984593866399};
  const double weight[] = {128. / 225, 0.47862867049936647, 0.23692688505618909};
  double sum = 0;
  while (a < b) {
    const double end = std::min(b, (std::floor(a * 128) + 1) / 128), half = 0.5 * (end - a), middle = a + half;
    sum += half * weight[0] * phi(middle);
    for (int i = 1; i < 3; ++i) sum += half * weight[i] * (phi(middle - half * node[i]) + phi(middle + half * node[i]));
    a = end;
  }
  return sum;
}

template <class Base, class K> void require_average(double at_zero) {
  INFO(std::string(K::name));
  static_assert(K::support == Base::support + 1);
  double worst = 0;
  for (int i = 0; i <= 400; ++i) {
    const double r = 0.5 * K::support * i / 400;
    worst = std::max(worst, std::abs(K{}(r) - integral(Base{}, r - 0.5, r + 0.5)));
  }
  CHECK(worst <= round_off(128)); // pieces
  CHECK(std::abs(K{}(0.0) - at_zero) < 1e-6);
}

} // namespace

TEST_CASE("Smoothed kernels are averages of their base over one spacing") {
  using namespace kernels;
  require_average<Linear, SmoothedLinear>(0.75);
  require_average<Roma3, SmoothedRoma3>(0.618200);
  require_average<Peskin4, SmoothedPeskin4>(0.473175);
  require_average<Cosine4, SmoothedCosine4>(0.475079);
}

} // namespace corral::test
