#include "tests/catch.hpp"
#include "tests/structure/shares.hpp"
#include "tests/structure/triangles/materials.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <cmath>

namespace corral::test {

TEST_CASE("a box is measured exactly, far from the origin too") {
  const double a = 2 * um, b = 3 * um, c = 5 * um, V = a * b * c;
  const ClosedMesh mesh = box(a, b, c);
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 2);
  for (const double away : {0.0, 1e3 * um}) {
    Placed markers(mesh.points, 2);
    for (std::size_t i = 8; i < 16; ++i) markers.set(i, markers[i] + Vector{away, -2 * away, away});
    const double digits = round_off(32) * (1 + 3 * away / a); // what places have left
    const MembraneMeasures m = measures(membranes, markers)[1];
    CHECK(m.volume == Approx(V).epsilon(digits));
    CHECK(m.area == Approx(2 * (a * b + b * c + c * a)).epsilon(digits));
    const Vector error = m.centroid - Vector{away + a / 2, -2 * away + b / 2, away + c / 2};
    CHECK(length(error) < digits * a);
    const std::array<double, 6> moments{V * a * a / 12, V * b * b / 12, V * c * c / 12, 0, 0, 0};
    for (std::size_t j = 0; j < 6; ++j) CHECK(std::abs(m.second_moments[j] - moments[j]) < digits * V * c * c);
  }
}

TEST_CASE("products of inertia of a sheared box have their sign") {
  ClosedMesh mesh = box(2 * um, 2 * um, 2 * um);
  for (Vector& x : mesh.points) x = {x[0] + 0.5 * x[1], x[1] - 0.25 * x[2], x[2]};
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  // x = u + v/2, y = v - w/4, z = w about the centre, with <uu> = <vv> = <ww> = m.
  const MembraneMeasures of = measures(membranes, Placed(mesh.points))[0];
  const double m = of.volume * 4 * um * um / 12;
  const std::array<double, 6> expected{1 + 1. / 4, 1 + 1. / 16, 1, 1. / 2, 0, -1. / 4};
  for (std::size_t j = 0; j < 6; ++j) CHECK(std::abs(of.second_moments[j] - m * expected[j]) < round_off(64) * m);
}

TEST_CASE("volume and area of a red cell are the published ones") {
  const ClosedMesh mesh = red_cell(5);
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  const MembraneMeasures m = measures(membranes, Placed(mesh.points))[0];
  const double spacing = membranes.spacing() / radius;
  CHECK(m.volume / (um * um * um) == Approx(94.397).epsilon(truncation(2, spacing)));
  CHECK(m.area / (um * um) == Approx(134.187).epsilon(truncation(2, spacing)));
  CHECK(length(m.centroid) < round_off(mesh.size()) * radius);
}

TEST_CASE("a membrane turned inside out has a negative volume") {
  const ClosedMesh mesh = sphere(2);
  Placed markers(mesh.points);
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  const double volume = measures(membranes, markers)[0].volume;
  for (double& z : markers.x[2]) z = -z;
  CHECK(measures(membranes, markers)[0].volume == Approx(-volume).epsilon(round_off(64)));
}

TEST_CASE("penalties hold volume and area at those of the starting shape, not of the stress-free one") {
  const ClosedMesh mesh = sphere(3), cell = red_cell(3);
  Material material = elastic(ElasticLaw::skalak);
  material.volume_stiffness = shear / radius;
  material.area_stiffness = shear;
  TriangleMembranes membranes(cell.points, cell.triangles, material, 1, mesh.points);
  CHECK(measures(membranes, Placed(cell.points))[0].constraint_energy == 0);
  CHECK(measures(membranes, Placed(cell.points))[0].elastic_energy > 0);
  const double stretch = 1.1;
  Placed grown(cell.points);
  for (auto& component : grown.x)
    for (double& x : component) x *= stretch;
  const MembraneMeasures at_rest = measures(membranes, Placed(cell.points))[0], m = measures(membranes, grown)[0];
  const double dV = std::pow(stretch, 3) - 1, dA = std::pow(stretch, 2) - 1;
  const double expected = 0.5 * (material.volume_stiffness * at_rest.volume * dV * dV + shear * at_rest.area * dA * dA);
  CHECK(m.constraint_energy == Approx(expected).epsilon(round_off(1024)));
}

TEST_CASE("the longest stretch is that of a side, whichever it is of its triangle") {
  const ClosedMesh mesh = box(um, um, um);
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  for (std::size_t d = 0; d < 3; ++d) {
    Placed markers(mesh.points);
    for (double& x : markers.x[d]) x *= 1.3;
    CHECK(measures(membranes, markers)[0].longest_stretch == Approx(1.3).epsilon(round_off(16)));
  }
}

TEST_CASE("a box that is longer or shorter along an axis has two faces as large as before, and four others") {
  const ClosedMesh mesh = box(um, um, um);
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  for (std::size_t d = 0; d < 3; ++d)
    for (const double by : {1.3, 0.8}) {
      Placed markers(mesh.points);
      for (double& x : markers.x[d]) x *= by;
      const MembraneMeasures m = measures(membranes, markers)[0];
      CHECK(m.largest_area_ratio == Approx(std::max(by, 1.0)).epsilon(round_off(16)));
      CHECK(m.least_area_ratio == Approx(std::min(by, 1.0)).epsilon(round_off(16)));
    }
}

TEST_CASE("the side across a triangle's first corner stretches, too") {
  const ClosedMesh mesh{{{0, 0, 0}, {um, 0, 0}, {0, um, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  TriangleMembranes membranes(mesh.points, mesh.triangles, {}, 1);
  Placed markers(mesh.points); // longer along (1, -1)
  markers.set(1, {1.1 * um, -0.1 * um, 0});
  markers.set(2, {-0.1 * um, 1.1 * um, 0});
  CHECK(measures(membranes, markers)[0].longest_stretch == Approx(1.2).epsilon(round_off(16)));
}

TEST_CASE("forces by law add up to the whole force, where nothing else acts") {
  const ClosedMesh mesh = sphere(2);
  const Placed markers(deformed(mesh.points, 0.02 * radius, 8), 2);
  Material material = elastic(ElasticLaw::skalak);
  material.bending_law = BendingLaw::helfrich;
  material.bending_modulus = kappa;
  TriangleMembranes membranes(mesh.points, mesh.triangles, material, 2);
  Placed of_strain(markers.size()), of_bending(markers.size());
  const Placed whole = forces(membranes, markers);
  membranes.elastic_forces(Cpu{}, markers.view(), of_strain.writable());
  membranes.bending_forces(Cpu{}, markers.view(), of_bending.writable());
  for (std::size_t i = 0; i < whole.size(); ++i)
    CHECK(length(of_strain[i] + of_bending[i] - whole[i]) <
          round_off(16) * (length(of_strain[i]) + length(of_bending[i])));
}

TEST_CASE("a sheet has no volume to hold, but an area") {
  const ClosedMesh mesh{{{0, 0, 0}, {um, 0, 0}, {0, um, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  Material material;
  material.law = ElasticLaw::none;
  material.area_stiffness = shear;
  TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
  Placed markers(mesh.points);
  CHECK(largest(forces(membranes, markers)) == 0);
  markers.x[0][1] *= 1.1;
  CHECK(measures(membranes, markers)[0].constraint_energy == Approx(0.5 * shear * 0.01 * um * um));
  CHECK(forces(membranes, markers)[1][0] == Approx(-shear * 0.1 * um));
  CHECK(measures(membranes, markers)[0].volume == 0);
  material.volume_stiffness = shear / um;
  CHECK_THROWS_AS(TriangleMembranes(mesh.points, mesh.triangles, material, 1), Error);
}

TEST_CASE("no membranes are membranes, too") {
  const ClosedMesh mesh = sphere(1);
  TriangleMembranes membranes(mesh.points, mesh.triangles, elastic(ElasticLaw::skalak), 0);
  CHECK(forces(membranes, Placed(0)).size() == 0);
  CHECK(measures(membranes, Placed(0)).empty());
  CHECK(membranes.markers_per_membrane() == mesh.size());
}

TEST_CASE("a share of membranes of triangles has the bits that it has among all") {
  constexpr std::size_t count = 39;
  const ClosedMesh mesh = sphere(1);
  Material material;
  material.shear_modulus = shear, material.bending_law = BendingLaw::helfrich, material.bending_modulus = kappa;
  material.volume_stiffness = 1e3, material.shear_viscosity = 1e-9;
  Placed markers(mesh.points, count);
  for (std::size_t i = 0; i < markers.size(); ++i) markers.set(i, (1 + 0.01 * static_cast<double>(i / mesh.points.size())) * markers[i]);
  for (const MembraneShare share : {MembraneShare{0, 13}, MembraneShare{13, 39}, MembraneShare{20, 20}}) {
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, count);
    check_share(membranes, markers.view(), share);
  }
}

} // namespace corral::test
