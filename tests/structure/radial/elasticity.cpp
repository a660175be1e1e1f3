#include "structure/radial/elasticity.hpp"

#include "tests/catch.hpp"
#include "tests/structure/radial/body.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using namespace structure;

constexpr radial::SurfaceTensor square{1e-12, 0, 1e-12}; ///< a metric of a piece at rest [m2]

radial::SurfaceTensor stretched(double l1, double l2) { return {l1 * l1 * 1e-12, 0, l2 * l2 * 1e-12}; }

/// Tension along a stretch over the shear modulus, where the other direction is free.
double uniaxial(const Material& material, double stretch) {
  double narrow = 0.1, wide = 1; // the free direction's stretch: below, it is pushed apart, above, pulled
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (narrow + wide) / 2;
    const double across = radial::principal_tensions(square, stretched(stretch, middle), material).smaller;
    (across > 0 ? wide : narrow) = middle;
  }
  return radial::principal_tensions(square, stretched(stretch, wide), material).larger / material.shear_modulus;
}

} // namespace

TEST_CASE("uniaxial tension is the published one") {
  const double stretches[] = {1.1, 1.2, 1.5, 2};
  const double of_neo_hookean[] = {.28691, .55381, 1.29279, 2.47487}, of_skalak[] = {.33270, .74566, 2.78730, 11.25486};
  for (int k = 0; k < 4; ++k) {
    CHECK(uniaxial(neo_hookean(), stretches[k]) == Approx(of_neo_hookean[k]).margin(1e-5)); // the digits that are given
    CHECK(uniaxial(skalak(1), stretches[k]) == Approx(of_skalak[k]).margin(1e-5));
  }
}

TEST_CASE("principal stretches and tensions don't depend on the parameters") {
  // The same strain, 1.3 and .9 at an angle, seen in two bases: columns of `basis` are the reference's tangents.
  const double c = std::cos(0.4), s = std::sin(0.4);
  const double rotated[2][2] = {{1.3 * c * c + 0.9 * s * s, 0.4 * c * s}, {0.4 * c * s, 1.3 * s * s + 0.9 * c * c}};
  const double bases[2][2][2] = {{{1e-6, 0}, {0, 1e-6}}, {{2e-6, 0.3e-6}, {-1e-6, 0.7e-6}}};
  for (const auto& basis : bases) {
    double now[2][2]; // rotated times basis
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) now[i][j] = rotated[i][0] * basis[0][j] + rotated[i][1] * basis[1][j];
    const auto metric = [](const double (&m)[2][2]) {
      return radial::SurfaceTensor{m[0][0] * m[0][0] + m[1][0] * m[1][0], m[0][0] * m[0][1] + m[1][0] * m[1][1],
                                   m[0][1] * m[0][1] + m[1][1] * m[1][1]};
    };
    const auto [larger, smaller] = radial::principal_stretches(metric(basis), metric(now));
    CHECK(larger == Approx(1.3).epsilon(round_off(32)));
    CHECK(smaller == Approx(0.9).epsilon(round_off(32)));
    const auto expected = radial::principal_tensions(square, stretched(1.3, 0.9), skalak(2));
    const auto found = radial::principal_tensions(metric(basis), metric(now), skalak(2));
    CHECK(found.larger == Approx(expected.larger).epsilon(round_off(64)));
    CHECK(found.smaller == Approx(expected.smaller).epsilon(round_off(64)));
  }
}

TEST_CASE("laws' derivatives are those of their energies") {
  for (const Material& material : {skalak(3), neo_hookean()})
    for (const double i1 : {-0.2, 0.4})
      for (const double i2 : {-0.3, 0.5}) {
        const double h = 1e-4, bound = truncation(2, h, 100) * material.shear_modulus;
        const radial::LawAt here = radial::law_at(material, i1, i2);
        const radial::LawAt up1 = radial::law_at(material, i1 + h, i2), down1 = radial::law_at(material, i1 - h, i2);
        const radial::LawAt up2 = radial::law_at(material, i1, i2 + h), down2 = radial::law_at(material, i1, i2 - h);
        CHECK(std::abs((up1.energy - down1.energy) / (2 * h) - here.w1) < bound);
        CHECK(std::abs((up2.energy - down2.energy) / (2 * h) - here.w2) < bound);
        CHECK(std::abs((up1.w1 - down1.w1) / (2 * h) - here.w11) < bound);
        CHECK(std::abs((up2.w2 - down2.w2) / (2 * h) - here.w22) < bound);
        CHECK(up1.w2 == down1.w2);
        CHECK(up2.w1 == down2.w1);
      }
}

TEST_CASE("an inflated sphere's tension and force are Laplace's") {
  const double r = 3e-6, stretch = 1.2;
  for (const Material& material : {skalak(1), neo_hookean()})
    for (const RadialForces rule : {RadialForces::collocated, RadialForces::variational}) {
      Body body(shared_sites(217, 2000), [&](const Point3& site) { return sphere(site, r); }, material, rule);
      body.strain([&](const Point3& x) { return Point3{stretch * x[0], stretch * x[1], stretch * x[2]}; });
      body.find_forces();
      // dW/dl of equal stretches l is 2 l T: W per area at rest, T per length now.
      const double l2 = stretch * stretch, g = material.shear_modulus;
      const double tension = material.law == ElasticLaw::skalak
                                 ? g * (l2 - 1 + material.area_ratio * l2 * (l2 * l2 - 1))
                                 : g * (1 - 1 / (l2 * l2 * l2));
      const std::int64_t n = body.markers[0].size();
      std::vector<double> larger(static_cast<std::size_t>(n)), smaller = larger;
      body.membranes->describe_markers(Cpu{}, const_points(body.markers), {nullptr, larger.data(), smaller.data()});
      for (std::size_t j = 0; j < larger.size(); ++j) {
        CHECK(larger[j] == Approx(tension).epsilon(300 * round_off(217)));
        CHECK(smaller[j] == Approx(tension).epsilon(300 * round_off(217)));
      }
      const double pressure = 2 * tension / (stretch * r);
      // The variational force at a site is known as well as the quadrature integrates functions of single data sites.
      const double accuracy = rule == RadialForces::collocated ? 1e-10 : 3e-4;
      for (std::int64_t i = 0; i < body.sites->samples().count(); ++i) {
        const Point3& normal = body.sites->samples().point(i);
        const double area = body.sites->sample_weights()[i] * l2 * r * r;
        for (std::size_t d = 0; d < 3; ++d)
          REQUIRE(std::abs(body.force(i)[d] + pressure * area * normal[d]) < accuracy * pressure * area);
      }
      CHECK(body.measured().longest_stretch == Approx(stretch).epsilon(100 * round_off(217)));
      CHECK(body.measured().largest_area_ratio == Approx(l2).epsilon(100 * round_off(217)));
      CHECK(body.measured().least_area_ratio == Approx(l2).epsilon(100 * round_off(217)));
    }
}

TEST_CASE("markers know tensions along and across") {
  // The middle one of an odd number of sites is (1, 0, 0): a sphere stretched along y and z is stretched by that there.
  Body body(shared_sites(217, 881), [](const Point3& site) { return sphere(site, 3e-6); }, skalak(1));
  body.strain([](const Point3& x) { return Point3{0.9 * x[0], 1.1 * x[1], 1.4 * x[2]}; });
  std::vector<double> larger(217), smaller(217);
  body.membranes->describe_markers(Cpu{}, const_points(body.markers), {nullptr, larger.data(), smaller.data()});
  const auto expected = radial::principal_tensions(square, stretched(1.4, 1.1), skalak(1));
  CHECK(expected.larger > expected.smaller);
  CHECK(larger[108] == Approx(expected.larger).epsilon(300 * round_off(217)));
  CHECK(smaller[108] == Approx(expected.smaller).epsilon(300 * round_off(217)));
  // Its longest stretch is there and all around x.
  CHECK(body.measured().longest_stretch == Approx(1.4).epsilon(2e-3)); // of sample sites near it
  CHECK(body.measured().largest_area_ratio == Approx(1.1 * 1.4).epsilon(2e-3)); // across x
  CHECK(body.measured().least_area_ratio == Approx(0.9 * 1.1).epsilon(5e-3));   // across z
}

TEST_CASE("a membrane in its reference shape is at rest, whatever the shape") {
  for (const RadialForces rule : {RadialForces::collocated, RadialForces::variational})
    for (Material material : {skalak(), neo_hookean()}) {
      material.bending_law = BendingLaw::helfrich;
      material.bending_modulus = 2e-19;
      material.volume_stiffness = 100;
      material.area_stiffness = 1e-4;
      Body body(shared_sites(217, 881), rest_red_cell, material, rule);
      body.find_forces();
      const double step = red_cell_radius / 30; // about the distance of sites
      for (std::int64_t i = 0; i < body.sites->samples().count(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
          // The moduli's forces, of strains of round-off that second derivatives multiply by some hundred.
          REQUIRE(std::abs(body.force(i)[d]) < 100 * round_off(217) * material.shear_modulus * 201 * step);
      CHECK(body.measured().bending_energy == 0);
    }
}

TEST_CASE("collocated forces converge at the order of second derivatives") {
  // Against the finest numbers, by the force per area of the sphere at places near each other: the resultant of the
  // northern half, which is the tension through the equator.
  const auto pull = [](std::int64_t data, std::int64_t samples) {
    Body body(shared_sites(data, samples), rest_red_cell, skalak(10));
    body.strain(deformed);
    body.find_forces();
    // a smooth weight, so that the quadrature is as good as it is on the whole sphere
    double sum = 0;
    for (std::int64_t i = 0; i < samples; ++i)
      sum += std::exp(body.sites->samples().point(i)[0]) * body.force(i)[0];
    return sum;
  };
  const std::int64_t samples = sanitized ? 880 : 3520;
  const double coarse = pull(108, samples), middle = pull(216, samples), fine = pull(432, samples);
  const double order = std::log(std::abs(coarse - fine) / std::abs(middle - fine)) / std::log(std::sqrt(2.0));
  INFO("order " << order);
  CHECK(order > 5);
}

} // namespace corral::test
