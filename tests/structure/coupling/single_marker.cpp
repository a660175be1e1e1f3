#include "tests/catch.hpp"
#include "tests/structure/coupling/stokes_box.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numbers>

namespace corral::test {
namespace {

/// The radius in cells of the sphere that moves as fast in a periodic array of the box's length (Hasimoto 1959).
double radius_of(double mobility, double length) {
  double low = 0, high = 0.25 * length;
  for (int i = 0; i < 60; ++i) {
    const double R = 0.5 * (low + high), share = R / length;
    const double faster = (1 - 2.837297 * share + 4.18879 * share * share * share) / (6 * std::numbers::pi * R);
    (faster > mobility ? low : high) = R;
  }
  return low;
}

struct Radius {
  double mean; ///< over places in the cell [cells]
  double spread; ///< largest less smallest over the mean
};

/// The mean is that over the 64 places of which eight represent all, for the cell is the same seen from either side. It is
/// largest and smallest where points lie on faces or midway.
Radius measure(StokesBox& box, const std::string& kernel) {
  const auto at = [&](double a, double b, double c) {
    const double middle = 0.5 * box.length();
    PointForces point;
    point.add({middle + a, middle + b, middle + c}, {1, 0, 0});
    box.solve(point, kernel);
    return radius_of(point.velocity[0][0], box.length());
  };
  double mean = 0, least = box.length(), most = 0;
  const auto over = [&](const std::array<double, 2>& places, auto f) {
    for (const double a : places)
      for (const double b : places)
        for (const double c : places) f(at(a, b, c));
  };
  over({0.125, 0.375}, [&](double R) { mean += R / 8; });
  over({0, 0.5}, [&](double R) { least = std::min(least, R), most = std::max(most, R); });
  return {mean, (most - least) / mean};
}

struct Expected {
  double mean, spread, tolerance; ///< the last of the spread
};
const std::map<std::string, Expected> known{{"linear", {0.668, 0.85, 0.03}},
                                            {"roma3", {0.906, 0.043, 0.001}},
                                            {"peskin4", {1.255, 0.014, 0.0005}},
                                            {"ib6", {1.4685, 0.0005, 0.0001}}};

void judge(const std::string& kernel, const Radius& R) {
  INFO(kernel << ": " << R.mean << " cells, spread " << R.spread);
  const auto found = known.find(kernel);
  if (found == known.end()) return;
  // Linear's varies so much that its mean depends on which places it is taken over.
  CHECK(R.mean == Approx(found->second.mean).epsilon(kernel == "linear" ? 0.02 : 0.0015));
  CHECK(R.spread == Approx(found->second.spread).margin(found->second.tolerance));
}

} // namespace

TEST_CASE("A single marker has the kernel's hydrodynamic radius, wherever it is in its cell") {
  StokesBox box(32);
  for (const auto& [kernel, expected] : known) judge(kernel, measure(box, kernel));
}

TEST_CASE("hydrodynamic radii of all kernels that membranes take, in 64^3 cells", "[.][long]") {
  StokesBox box(64);
  std::printf("kernel             radius/h  spread\n");
  for_each_membrane_kernel([&](const std::string& kernel, const auto&) {
    const Radius R = measure(box, kernel);
    std::printf("%-18s %8.4f %6.2f %%\n", kernel.c_str(), R.mean, 100 * R.spread);
    judge(kernel, R);
  });
}

} // namespace corral::test
