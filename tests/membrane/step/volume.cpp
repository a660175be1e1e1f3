#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// A red cell or a taut sphere. What a surface encloses changes with its shape by its own coarseness, too: these are fine.
SurfaceModel sheared_kind(ShapeKind shape, Representation representation) {
  SurfaceModel kind = stiff_sphere(2562);
  kind.shape = shape;
  kind.material.area_ratio = 10;
  if (shape == ShapeKind::sphere) kind.inflation = 1.2;
  if (representation == Representation::radial)
    kind = by_radial_functions(kind, shape == ShapeKind::sphere ? 432 : 864, 2562);
  return kind;
}

/// Largest relative change of what a membrane encloses in .18 ms of shear.
double drift(const std::string& kernel, ShapeKind shape, Representation representation) {
  MembraneSetup setup = box_of_water({24, 24, 24}, um / 1.5);
  setup.coupling.kernel = kernel;
  shear(setup, 2000);
  put_in_the_middle(setup, sheared_kind(shape, representation));
  MembraneRun run(setup);
  const double start = run.step.measures()[0].volume;
  double most = 0;
  for (int i = 0; i < 60; ++i) {
    run.advance(3 * us);
    most = std::max(most, std::abs(run.step.measures()[0].volume / start - 1));
  }
  return most;
}

} // namespace

TEST_CASE("A composite kernel keeps what membranes enclose at least ten times better than peskin4", "[physics]") {
  if (sanitized) return; // minutes
  for (const ShapeKind shape : {ShapeKind::sphere, ShapeKind::red_cell})
    for (const Representation r : {Representation::triangles, Representation::radial}) {
      const double composite = drift("composite43", shape, r), peskin = drift("peskin4", shape, r);
      INFO((shape == ShapeKind::sphere ? "sphere" : "red cell")
           << (r == Representation::radial ? ", radial: " : ", triangles: ") << composite << ", " << peskin);
      CHECK(composite < 0.1 * peskin);
      CHECK(composite < 2e-5);
    }
}

} // namespace corral::test
