#include "tests/catch.hpp"
#include "tests/structure/triangles/materials.hpp"

#include <corral/error.hpp>

#include <limits>
#include <string>

namespace corral::test {
namespace {

std::string refusal(const ClosedMesh& mesh, const Material& material = elastic(ElasticLaw::skalak),
                    std::span<const Vector> reference = {}) {
  try {
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1, reference);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("surfaces that are none are refused, and said why") {
  using Catch::Matchers::ContainsSubstring;
  CHECK(refusal(sphere(1)).empty());
  ClosedMesh mesh;
  CHECK_THAT(refusal(mesh), ContainsSubstring("without triangles"));
  mesh = sphere(1);
  mesh.triangles.pop_back();
  CHECK_THAT(refusal(mesh), ContainsSubstring("closed surface"));
  mesh = sphere(1);
  std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
  CHECK_THAT(refusal(mesh), ContainsSubstring("orient all triangles outward"));
  mesh = sphere(1);
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  CHECK_THAT(refusal(mesh), ContainsSubstring("look inward"));
  mesh = sphere(1);
  mesh.triangles[3][2] = 42;
  CHECK_THAT(refusal(mesh), ContainsSubstring("triangle 3 has vertex 42"));
  mesh = sphere(1);
  mesh.triangles[3][2] = mesh.triangles[3][0];
  CHECK_THAT(refusal(mesh), ContainsSubstring("one vertex twice"));
  mesh = sphere(1);
  mesh.points.push_back({0, 0, 0});
  CHECK_THAT(refusal(mesh), ContainsSubstring("vertex 42 has no triangle"));
}

TEST_CASE("two surfaces may not share a single vertex") {
  using Catch::Matchers::ContainsSubstring;
  ClosedMesh mesh = sphere(0);
  const ClosedMesh other = sphere(0);
  for (std::size_t i = 1; i < other.points.size(); ++i) mesh.points.push_back(2 * mesh.points[0] - other.points[i]);
  for (const auto& [a, b, c] : other.triangles) {
    const auto beside = [](std::int32_t v) { return v == 0 ? 0 : v + 11; };
    mesh.add(beside(a), beside(c), beside(b));
  }
  CHECK_THAT(refusal(mesh), ContainsSubstring("touch at vertex 0 alone"));
}

TEST_CASE("shapes and materials that are none are refused") {
  using Catch::Matchers::ContainsSubstring;
  const ClosedMesh mesh = sphere(1);
  CHECK_THAT(refusal(mesh, {}, std::span(mesh.points).first(41)), ContainsSubstring("has 41 points"));
  std::vector<Vector> flat(mesh.points);
  flat[mesh.triangles[5][0]] = flat[mesh.triangles[5][1]];
  CHECK_THAT(refusal(mesh, {}, flat), ContainsSubstring("has no area"));
  flat[3][1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(refusal(mesh, {}, flat), ContainsSubstring("not finite"));
  Material material = elastic(ElasticLaw::skalak);
  material.shear_modulus = -1;
  CHECK_THAT(refusal(mesh, material), ContainsSubstring("shear modulus"));
  material = elastic(ElasticLaw::skalak, -0.5);
  CHECK_THAT(refusal(mesh, material), ContainsSubstring("area ratio C"));
  material = bending(BendingLaw::helfrich, RestCurvature::flat);
  material.bending_modulus = std::numeric_limits<double>::infinity();
  CHECK_THAT(refusal(mesh, material), ContainsSubstring("bending modulus"));
}

} // namespace corral::test
