#include "tests/catch.hpp"
#include "tests/structure/triangles/materials.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <limits>

namespace corral::test {
namespace {

/// A flat triangle, twice: once for each face.
const ClosedMesh sheet{{{0, 0, 0}, {um, 0, 0}, {0, um, 0}}, {{0, 1, 2}, {0, 2, 1}}};

Placed stretched(double along, double across) {
  Placed markers(sheet.points);
  markers.x[0][1] *= along;
  markers.x[1][2] *= across;
  return markers;
}

/// The stretch across under which nothing pulls there.
double relaxed(TriangleMembranes& membranes, double along) {
  double low = 0.3, high = 1.1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (forces(membranes, stretched(along, middle))[2][1] > 0 ? low : high) = middle;
  }
  return low;
}

/// T of Barthes-Biesel, Diaz and Dhenin (2002), of an isotropic stretch.
double isotropic_tension(const Material& m, double stretch) {
  const double square = stretch * stretch;
  if (m.law == ElasticLaw::neo_hookean) return m.shear_modulus * (1 - 1 / (square * square * square));
  return m.shear_modulus * (square - 1 + m.area_ratio * square * (square * square - 1));
}

} // namespace

TEST_CASE("a sheet stretched along one axis has the tensions of its law") {
  const std::array<double, 4> stretch{1.1, 1.2, 1.5, 2};
  const std::array<double, 4> neo_hookean{.28691, .55381, 1.29279, 2.47487}, skalak{.33270, .74566, 2.78730, 11.25486};
  for (const ElasticLaw law : {ElasticLaw::neo_hookean, ElasticLaw::skalak})
    for (std::size_t i = 0; i < stretch.size(); ++i) {
      INFO("stretch " << stretch[i]);
      TriangleMembranes membranes(sheet.points, sheet.triangles, elastic(law), 1);
      const double across = relaxed(membranes, stretch[i]);
      const Placed markers = stretched(stretch[i], across);
      const double published = (law == ElasticLaw::skalak ? skalak : neo_hookean)[i];
      const double digits = 0.51e-5; // of what is published
      // Both faces pull on the vertex: an area of 1 um2 of the reference, its side across um times its stretch.
      CHECK(std::abs(-forces(membranes, markers)[1][0] / (across * um * shear) - published) < digits);
      std::array<double, 2> larger{}, smaller{}, ratio{};
      membranes.tensions(Cpu{}, markers.view(), larger.data(), smaller.data());
      membranes.area_ratios(Cpu{}, markers.view(), ratio.data());
      for (const std::size_t face : {0u, 1u}) {
        CHECK(std::abs(larger[face] / shear - published) < digits);
        CHECK(std::abs(smaller[face]) < round_off(64) * larger[face] + 1e-15 * shear);
        CHECK(ratio[face] == Approx(stretch[i] * across).epsilon(round_off(16)));
      }
    }
}

TEST_CASE("tensions of any stretch are those of the energy, the larger one first") {
  for (const Material& material : {elastic(ElasticLaw::skalak), elastic(ElasticLaw::neo_hookean)})
    for (const auto& [along, across] : {std::pair{1.3, 0.8}, {0.9, 1.4}, {0.4, 0.5}, {0.3, 0.7}}) {
      TriangleMembranes membranes(sheet.points, sheet.triangles, material, 1);
      // T_1 = dW/dl_1/l_2 of W(l_1, l_2), and the area of the reference is that of both faces.
      const auto W = [&](double l1, double l2) {
        return measures(membranes, stretched(l1, l2))[0].elastic_energy / (um * um);
      };
      const double h = 1e-5, T1 = (W(along + h, across) - W(along - h, across)) / (2 * h * across),
                   T2 = (W(along, across + h) - W(along, across - h)) / (2 * h * along);
      std::array<double, 2> larger{}, smaller{};
      membranes.tensions(Cpu{}, stretched(along, across).view(), larger.data(), smaller.data());
      const double error = truncation(2, h, 100) * (std::abs(T1) + std::abs(T2)) + 1e-10 * shear;
      CHECK(std::abs(larger[0] - std::max(T1, T2)) < error);
      CHECK(std::abs(smaller[0] - std::min(T1, T2)) < error);
    }
}

TEST_CASE("a sphere that grows has the tension of its law everywhere, and pulls inward with it") {
  const ClosedMesh mesh = sphere(3);
  for (const Material& material :
       {elastic(ElasticLaw::skalak), elastic(ElasticLaw::skalak, 100), elastic(ElasticLaw::neo_hookean)})
    for (const double stretch : {0.9, 1.0001, 1.1, 1.5}) {
      TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
      Placed markers(mesh.points);
      for (auto& component : markers.x)
        for (double& x : component) x *= stretch;
      const double T = isotropic_tension(material, stretch);
      std::vector<double> larger(mesh.triangles.size()), smaller(larger);
      membranes.tensions(Cpu{}, markers.view(), larger.data(), smaller.data());
      const double scale = shear * (1 + 2 * material.area_ratio) * round_off(64);
      for (std::size_t t = 0; t < larger.size(); ++t) {
        REQUIRE(std::abs(larger[t] - T) < std::abs(T) * round_off(64) + scale);
        REQUIRE(std::abs(smaller[t] - T) < std::abs(T) * round_off(64) + scale);
      }
      const MembraneMeasures m = measures(membranes, markers)[0];
      const Placed found = forces(membranes, markers);
      double virial = 0, terms = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        virial += dot(found[i], markers[i]);
        terms += length(found[i]) * length(markers[i]);
      }
      CHECK(std::abs(virial + 2 * T * m.area) < terms * round_off(mesh.size()) + scale * m.area);
      CHECK(m.longest_stretch == Approx(stretch).epsilon(round_off(16)));
    }
}

TEST_CASE("the area modulus is what all-round tension shows of a sheet at rest") {
  for (const Material& material :
       {elastic(ElasticLaw::skalak), elastic(ElasticLaw::skalak, 100), elastic(ElasticLaw::neo_hookean)}) {
    TriangleMembranes membranes(sheet.points, sheet.triangles, material, 1);
    const double small = 1e-6;
    std::array<double, 2> larger{}, smaller{};
    membranes.tensions(Cpu{}, stretched(1 + small, 1 + small).view(), larger.data(), smaller.data());
    CHECK(larger[0] / (2 * small) == Approx(area_modulus(material)).epsilon(10 * small));
  }
}

TEST_CASE("the spacing is the mean over all sides") {
  const ClosedMesh mesh{{{0, 0, 0}, {um, 0, 0}, {0.5 * um, um, 0}}, sheet.triangles};
  const TriangleMembranes membranes(mesh.points, mesh.triangles, elastic(ElasticLaw::skalak), 1);
  CHECK(membranes.spacing() == Approx((1 + 2 * std::sqrt(1.25)) / 3 * um).epsilon(round_off(8)));
}

TEST_CASE("a membrane in its reference shape feels nothing, wherever it is") {
  const ClosedMesh mesh = red_cell(3);
  for (const auto& [name, material] : every_material()) {
    if (material.rest_curvature == RestCurvature::flat && material.bending_law != BendingLaw::none) continue;
    if (material.tension > 0) continue; // which is never at rest
    for (const double away : {0.0, 100 * um}) {
      INFO(name << " at " << away << " m");
      Placed markers(mesh.points);
      for (double& x : markers.x[0]) x += away;
      TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
      const double spacing = membranes.spacing(), place = round_off(64) * (radius + away) / spacing;
      const double in_plane =
          shear * (1 + 2 * material.area_ratio) + material.area_stiffness + material.volume_stiffness * radius;
      // Sides lose digits to their place; bending loses those of their angles once more.
      const double scale = in_plane * spacing + material.bending_modulus / spacing * (radius / spacing);
      CHECK(largest(forces(membranes, markers)) < place * scale);
      CHECK(measures(membranes, markers)[0].longest_stretch == Approx(1).epsilon(place));
    }
  }
}

TEST_CASE("triangles that are collapsed, folded over or inside out have finite forces") {
  const ClosedMesh mesh = sphere(2);
  const auto [a, b, c] = mesh.triangles[17];
  const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b), ic = static_cast<std::size_t>(c);
  std::vector<std::vector<Vector>> shapes(6, mesh.points);
  shapes[0][ia] = mesh.points[ib];                                     // a side without length
  shapes[1][ia] = 0.5 * (mesh.points[ib] + mesh.points[ic]);           // flat
  shapes[2][ia] = mesh.points[ib] + mesh.points[ic] - mesh.points[ia]; // folded over
  for (Vector& x : shapes[3]) x[2] = -x[2];                            // inside out
  for (Vector& x : shapes[4]) x = {0, 0, 0};                           // everything in one point
  for (Vector& x : shapes[5]) x[2] = 0;                                // flattened: no normal at the rim
  for (const auto& [name, material] : every_material())
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      INFO(name << ", shape " << s);
      TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
      const Placed markers(shapes[s]), found = forces(membranes, markers);
      bool finite = std::isfinite(energy(measures(membranes, markers)[0]));
      for (std::size_t i = 0; i < found.size(); ++i) finite = finite && std::isfinite(length(found[i]));
      CHECK(finite);
    }
}

TEST_CASE("a vertex that is not a number shows in its force and in the energy") {
  const ClosedMesh mesh = sphere(1);
  Placed markers(deformed(mesh.points, 0.02 * radius, 9));
  markers.x[1][5] = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, material] : every_material()) {
    INFO(name);
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
    CHECK(std::isnan(length(forces(membranes, markers)[5])));
    CHECK(std::isnan(energy(measures(membranes, markers)[0])));
  }
}

} // namespace corral::test
