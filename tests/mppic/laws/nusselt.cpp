#include "mppic/laws/nusselt.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>

namespace corral::mppic {
namespace {

constexpr std::array<double, 4> reynolds{1, 10, 100, 1000};

NusseltModel model(NusseltLaw law, double prandtl) { return {law, 2, std::cbrt(prandtl)}; }

TEST_CASE("Nusselt numbers are those of Ranz and Marshall, and of Gunn", "[heat]") {
  constexpr std::array ranz_marshall{2.5327, 3.6847, 7.3274, 18.847}, gunn{6.6608, 10.044, 22.267, 76.023}; // Pr .7
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(nusselt(model(NusseltLaw::ranz_marshall, 0.7), 0.4, reynolds[i]) == Approx(ranz_marshall[i]).epsilon(3e-5));
    CHECK(nusselt(model(NusseltLaw::gunn, 0.7), 0.4, reynolds[i]) == Approx(gunn[i]).epsilon(3e-5));
    CHECK(nusselt(model(NusseltLaw::constant, 0.7), 0.4, reynolds[i]) == 2);
  }
  // 1 mm at 1 m/s in air of 1.2 kg/m3, 1.8e-5 Pa s, 1005 J/(kg K), .026 W/(m K)
  CHECK(nusselt(model(NusseltLaw::ranz_marshall, 1.8e-5 * 1005 / 0.026), 1, 1.2 * 1e-3 / 1.8e-5) ==
        Approx(6.3410).epsilon(1e-5));
}

TEST_CASE("Gunn's law is as its author wrote it, with powers as the library has them", "[heat]") {
  const NusseltModel m = model(NusseltLaw::gunn, 0.7);
  for (const double eps : {0.35, 0.5, 0.8, 1.0})
    for (double re = 1e-6; re < 1e6; re *= 3.7) {
      const double expected =
          (7 - 10 * eps + 5 * eps * eps) * (1 + 0.7 * std::pow(re, 0.2) * std::cbrt(0.7)) +
          (1.33 - 2.4 * eps + 1.2 * eps * eps) * std::pow(re, 0.7) * std::cbrt(0.7);
      CHECK(nusselt(m, eps, re) == Approx(expected).epsilon(1e-13));
    }
  for (double x = 1e-60; x < 1e60; x *= 97.3) CHECK(fifth_root(x) == Approx(std::pow(x, 0.2)).epsilon(1e-14));
}

TEST_CASE("Nusselt numbers are finite at rest, and beyond the fit's gas fractions those of its end", "[heat]") {
  const NusseltModel m = model(NusseltLaw::gunn, 0.7);
  CHECK(nusselt(m, 1, 0) == Approx(2).epsilon(1e-11));
  CHECK(nusselt(m, 0.05, 10) == nusselt(m, NusseltModel::least_eps, 10));
  CHECK(nusselt(m, 1.0000001, 10) == nusselt(m, 1, 10));
  CHECK(nusselt(model(NusseltLaw::ranz_marshall, 0.7), 0.4, 0) == 2);
}

} // namespace
} // namespace corral::mppic
