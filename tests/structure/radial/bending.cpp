#include "tests/catch.hpp"
#include "tests/structure/radial/body.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

namespace corral::test {
namespace {

using namespace structure;

/// Bending energy of a prolate or oblate spheroid with semi-axes a, a, c, per kappa: 2 times the integral of H^2, by
/// Simpson's rule over the polar angle.
double spheroid_energy(double a, double c) {
  const int steps = 2000;
  const auto integrand = [&](double t) {
    const double w = std::sqrt(a * a * std::cos(t) * std::cos(t) + c * c * std::sin(t) * std::sin(t));
    const double mean = (a * c / (w * w * w) + c / (a * w)) / 2; // of the meridian's curvature and the parallel's
    return 2 * mean * mean * 2 * std::numbers::pi * a * std::sin(t) * w;
  };
  double sum = 0;
  const double h = std::numbers::pi / steps;
  for (int k = 0; k < steps; k += 2)
    sum += h / 3 * (integrand(k * h) + 4 * integrand((k + 1) * h) + integrand((k + 2) * h));
  return sum;
}

} // namespace

TEST_CASE("a sphere that would be flat costs 8 pi kappa whatever its size, and bending does not move it") {
  for (const RadialForces rule : {RadialForces::collocated, RadialForces::variational})
    for (const double r : {1e-6, 1e-3}) {
      Body body(shared_sites(217, 2000), [&](const Point3& site) { return sphere(site, r); },
                helfrich(RestCurvature::flat), rule);
      body.find_forces();
      CHECK(body.measured().bending_energy == Approx(8 * std::numbers::pi * 2e-19).epsilon(1e-10));
      const double scale = 2e-19 / (r * r * r) * 4 * std::numbers::pi * r * r / 2000; // kappa/R^3 times a site's area
      double most = 0;
      for (std::int64_t i = 0; i < 2000; ++i)
        for (std::size_t d = 0; d < 3; ++d) most = std::max(most, std::abs(body.force(i)[d]));
      // Fourth derivatives multiply round-off by some thousands; the variational rule has the quadrature's error in
      // products of two functions of single data sites.
      CHECK(most / scale < (rule == RadialForces::collocated ? 1e-10 : 2e-2));
    }
}

TEST_CASE("spheroids have the bending energy of their curvatures") {
  for (const double c : {0.8, 1.25}) {
    const Point3 semi{3e-6, 3e-6, 3e-6 * c};
    Body body(paper_sites(), [&](const Point3& site) { return ellipsoid(site, semi); },
              helfrich(RestCurvature::flat));
    const double exact = 2e-19 * spheroid_energy(semi[0], semi[2]);
    CHECK(body.measured().bending_energy == Approx(exact).epsilon(sanitized ? 1e-4 : 1e-6));
  }
}

TEST_CASE("bending pushes where curvature is greatest, and tangentially where the rest's curvature changes") {
  // A prolate spheroid that would be flat: poles are pushed inwards, as they curve most.
  Body flat(paper_sites(), [](const Point3& site) { return ellipsoid(site, {3e-6, 3e-6, 4e-6}); },
            helfrich(RestCurvature::flat));
  flat.find_forces();
  CHECK(flat.force(0)[2] > 0);
  CHECK(flat.force(flat.sites->samples().count() - 1)[2] < 0);

  // A sphere whose material would curve as an ellipsoid does: h is not zero, and the force has a part along the surface.
  Body curved(paper_sites(), rest_ellipsoid, helfrich(RestCurvature::reference));
  curved.place([](const Point3& site) { return sphere(site, red_cell_radius); });
  curved.find_forces();
  double along = 0, across = 0;
  for (std::int64_t i = 0; i < curved.sites->samples().count(); ++i) {
    const Point3 f = curved.force(i), n = curved.sites->samples().point(i);
    along = std::max(along, std::sqrt(dot(cross(n, f), cross(n, f))));
    across = std::max(across, std::abs(dot(n, f)));
  }
  CHECK(along > 0.01 * across);
}

} // namespace corral::test
