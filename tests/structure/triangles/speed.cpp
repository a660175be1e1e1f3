#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/structure/triangles/materials.hpp"

#include <corral/execution.hpp>

#include <ctime>

namespace corral::test {

// `test_structure "[speed]"` says what a step costs; budgets are those of one core of 2.6 GHz with room to spare.
TEST_CASE("forces of 64 membranes of 2562 vertices", "[.][long][speed]") {
  const ClosedMesh mesh = sphere(4);
  const std::size_t count = 64;
  std::vector<Vector> points;
  for (std::size_t c = 0; c < count; ++c)
    for (const Vector& x : deformed(mesh.points, 0.005 * radius, c)) points.push_back(x);
  const Placed markers(points);
  Placed found(points.size());
  const auto milliseconds = [&](const Material& material) {
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, count);
    double least = 1e9;
    run_with_threads(1, [&] {
      for (int i = 0; i < 20; ++i) {
        const std::clock_t start = std::clock(); // of the processor: others may work beside
        membranes.forces(Cpu{}, markers.view(), found.writable());
        least = std::min(least, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      }
    });
    return least;
  };
  const double factor = sanitized ? 50 : 1;
  for (const auto& [name, material] : every_material()) {
    const double budget = material.bending_law == BendingLaw::none ? 15 : 15 + 25, took = milliseconds(material);
    WARN(name << ": " << took << " ms");
    CHECK(took < factor * budget);
  }
}

} // namespace corral::test
