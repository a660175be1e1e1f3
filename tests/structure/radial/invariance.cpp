#include "tests/catch.hpp"
#include "tests/structure/radial/body.hpp"
#include "tests/tolerance.hpp"

#include <corral/execution.hpp>

#include <algorithm>
#include <cmath>

namespace corral::test {
namespace {

using namespace structure;

Material everything() {
  Material material = skalak();
  material.bending_law = BendingLaw::helfrich;
  material.bending_modulus = 2e-19;
  material.volume_stiffness = 100;
  material.area_stiffness = 1e-4;
  return material;
}

constexpr RadialForces rules[] = {RadialForces::collocated, RadialForces::variational};

/// About (1, 2, 2)/3 by a third of a turn and a bit.
Point3 rotated(const Point3& x) {
  const Point3 axis{1.0 / 3, 2.0 / 3, 2.0 / 3};
  const double c = std::cos(2.2), s = std::sin(2.2), along = dot(axis, x);
  const Point3 around = cross(axis, x);
  Point3 turned;
  for (std::size_t d = 0; d < 3; ++d) turned[d] = c * x[d] + s * around[d] + (1 - c) * along * axis[d];
  return turned;
}

double largest(const PointArrays& x) {
  double most = 0;
  for (const Array<double>& component : x)
    for (const double value : component) most = std::max(most, std::abs(value));
  return most;
}

std::vector<double> all_bits(const Body& body) {
  std::vector<double> values;
  for (const PointArrays* points : {&body.force_points, &body.forces})
    for (const Array<double>& component : *points) values.insert(values.end(), component.begin(), component.end());
  std::vector<MembraneMeasures> measures(static_cast<std::size_t>(body.membranes->count()));
  body.membranes->measure(Cpu{}, const_points(body.markers), measures.data());
  for (const MembraneMeasures& m : measures) {
    for (const double value : {m.volume, m.area, m.elastic_energy, m.bending_energy, m.constraint_energy, m.longest_stretch})
      values.push_back(value);
    values.insert(values.end(), m.centroid.begin(), m.centroid.end());
    values.insert(values.end(), m.second_moments.begin(), m.second_moments.end());
  }
  return values;
}

} // namespace

TEST_CASE("forces turn with a membrane and do not change where it goes") {
  for (const RadialForces rule : rules) {
    Body here(shared_sites(217, 881), rest_red_cell, everything(), rule), there(here.sites, rest_red_cell, everything(), rule);
    const Point3 far{8e-5, -3e-5, 5e-5}; // some boxes away
    here.strain(deformed);
    there.strain([&](const Point3& x) {
      const Point3 y = rotated(deformed(x));
      return Point3{y[0] + far[0], y[1] + far[1], y[2] + far[2]};
    });
    here.find_forces();
    there.find_forces();
    // Round-off of positions is that of where the membrane is, 25 radii; second derivatives of curvature multiply it by
    // their sums of absolute terms, some hundred each.
    const double accuracy = 25 * 1e4 * round_off(1), most = largest(here.forces);
    for (std::int64_t i = 0; i < here.sites->samples().count(); ++i) {
      const Point3 expected = rotated(here.force(i)), found = there.force(i);
      for (std::size_t d = 0; d < 3; ++d) REQUIRE(std::abs(found[d] - expected[d]) < accuracy * most);
    }
    const MembraneMeasures a = here.measured(), b = there.measured();
    CHECK(b.volume == Approx(a.volume).epsilon(25 * 1e3 * round_off(1)));
    CHECK(b.elastic_energy == Approx(a.elastic_energy).epsilon(accuracy));
    CHECK(b.bending_energy == Approx(a.bending_energy).epsilon(accuracy));
    const Point3 centre = rotated(a.centroid);
    for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(b.centroid[d] - centre[d] - far[d]) < 1e3 * round_off(25) * 4e-6);
  }
}

TEST_CASE("units are free: powers of two in length and force scale results to the bit") {
  const double length = std::ldexp(1, 18), force = std::ldexp(1, 30);
  Material material = everything();
  material.shear_modulus *= force / length;
  material.bending_modulus *= force * length;
  material.volume_stiffness *= force / length / length;
  material.area_stiffness *= force / length;
  for (const RadialForces rule : rules) {
    const auto scaled = [&](const Point3& x) { return Point3{length * x[0], length * x[1], length * x[2]}; };
    Body small(shared_sites(217, 881), rest_red_cell, everything(), rule);
    Body large(small.sites, [&](const Point3& site) { return scaled(rest_red_cell(site)); }, material, rule);
    small.strain(deformed);
    large.place([&](const Point3& site) { return scaled(deformed(rest_red_cell(site))); });
    small.find_forces();
    large.find_forces();
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < small.forces[d].size(); ++i) REQUIRE(large.forces[d][i] == force * small.forces[d][i]);
    CHECK(large.measured().elastic_energy == force * length * small.measured().elastic_energy);
    CHECK(large.measured().bending_energy == force * length * small.measured().bending_energy);
  }
}

TEST_CASE("forces and measures have the same bits for any number of threads") {
  for (const RadialForces rule : rules) {
    const auto bits = [&](int threads) {
      std::vector<double> found;
      run_with_threads(threads, [&] {
        Body body(shared_sites(217, 881), rest_red_cell, everything(), rule, 3);
        for (std::int64_t which = 0; which < 3; ++which)
          body.place([&](const Point3& site) {
            Point3 x = deformed(rest_red_cell(site));
            x[0] *= 1 + 0.01 * static_cast<double>(which);
            return x;
          }, which);
        body.find_forces();
        found = all_bits(body);
      });
      return found;
    };
    const auto one = bits(1);
    CHECK(bits(2) == one);
    CHECK(bits(3) == one);
  }
}

TEST_CASE("a membrane's forces have the same bits whatever is beside it") {
  const std::int64_t count = 18; // more than a group
  Material material = everything();
  material.tether_stiffness = 1e6;
  for (const RadialForces rule : rules) {
    Body many(shared_sites(100, 301), rest_ellipsoid, material, rule, count);
    const auto shape = [&](std::int64_t which) {
      return [which](const Point3& site) {
        const Point3 x = deformed(rest_ellipsoid(site));
        const double s = 1 + 0.01 * static_cast<double>(which);
        return Point3{s * x[0] + 1e-5 * static_cast<double>(which), x[1], x[2] / s};
      };
    };
    const auto anchored = [&](std::int64_t which) {
      return [which](const Point3& site) {
        const Point3 x = rest_ellipsoid(site);
        return Point3{x[0] + 1e-5 * static_cast<double>(which), x[1], x[2]};
      };
    };
    for (std::int64_t which = 0; which < count; ++which) many.place(anchored(which), which);
    many.membranes->set_anchors(Cpu{}, const_points(many.markers));
    for (std::int64_t which = 0; which < count; ++which) many.place(shape(which), which);
    many.find_forces();
    std::vector<MembraneMeasures> measures(static_cast<std::size_t>(count));
    many.membranes->measure(Cpu{}, const_points(many.markers), measures.data());
    for (const std::int64_t which : {std::int64_t{0}, std::int64_t{7}, count - 1}) {
      Body one(many.sites, rest_ellipsoid, material, rule);
      one.place(anchored(which));
      one.membranes->set_anchors(Cpu{}, const_points(one.markers));
      one.place(shape(which));
      one.find_forces();
      for (std::int64_t i = 0; i < 301; ++i) {
        CHECK(one.force(i) == many.force(which * 301 + i));
        CHECK(one.force_point(i) == many.force_point(which * 301 + i));
      }
      CHECK(one.measured().bending_energy == measures[which].bending_energy);
      CHECK(one.measured().tether_energy == measures[which].tether_energy);
      CHECK(one.measured().volume == measures[which].volume);
    }
  }
}

} // namespace corral::test
