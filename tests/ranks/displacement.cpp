#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "mppic/contact/displacement.hpp"
#include "mppic/step_scratch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

/// What displacement adds up over planes that ranks share, beside the same sums in one process.
namespace corral::test {
namespace {

/// Of a box with random displacements: what a rank knows of them.
struct Displaced {
  fluid::FaceArrays theta, dx, owed;
  Array<double> cells;
  std::array<Array<double>, 3> spacing;

  Displaced(const Grid& grid, unsigned seed)
      : theta(fluid::make_face_arrays(grid)), dx(theta), owed(theta), cells(grid.cells(), 0.0), spacing(fluid::make_cell_arrays(grid)) {
    Random random(seed);
    for (fluid::FaceArrays* faces : {&theta, &dx, &owed})
      for (Array<double>& values : *faces)
        for (double& value : values) value = random.uniform(faces == &dx ? -1 : 0, 1);
    for (Array<double>* values : {&cells, &spacing[0], &spacing[1], &spacing[2]})
      for (double& value : *values) value = random.uniform(values == &cells ? 0 : -1, 1);
  }

  /// Only what its own planes have.
  void forget_others(const Grid& grid, const fluid::Planes& planes) {
    const auto keep = [](Array<double>& values, const fluid::OwnRange& own) {
      for (std::int64_t i = 0; i < values.size(); ++i)
        if (i < own.first || i >= own.first + own.count) values[i] = std::numeric_limits<double>::quiet_NaN();
    };
    for (fluid::FaceArrays* faces : {&theta, &dx, &owed})
      for (int d = 0; d < 3; ++d) keep((*faces)[d], fluid::own_faces(grid, planes, d));
    for (Array<double>* values : {&cells, &spacing[0], &spacing[1], &spacing[2]}) keep(*values, fluid::own_cells(grid, planes));
  }
};

} // namespace

TEST_CASE("Ranks add up what displacement lifts, each of its own planes, and each face once") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  unsigned seed = 7;
  for (const bool periodic : {false, true}) {
    mppic::Setup setup = empty_box({5, 6, 16}, {0.05, 0.12, 0.32});
    if (periodic) setup.sides[4] = setup.sides[5] = fluid::SideKind::periodic;
    setup.gravity = {1, -2, 3};
    const fluid::Domain domain = setup.make_domain();
    mppic::StepScratch scratch(domain);
    scratch.pressure->share_with(*team, 0);
    const fluid::Planes& planes = scratch.planes();
    REQUIRE(planes.shared() == (team->size() > 1));
    const mppic::DisplacementBudget budget(domain, setup);
    const Displaced all(domain.grid(), ++seed);
    Displaced own = all;
    own.forget_others(domain.grid(), planes);

    const mppic::Lifts lifts = budget.lift(Cpu{}, planes, own.theta, own.dx, own.cells, own.spacing);
    const mppic::Lifts expected = budget.lift(Cpu{}, fluid::Planes(), all.theta, all.dx, all.cells, all.spacing);
    CHECK(lifts.faces.up == Approx(expected.faces.up).epsilon(1e-12));
    CHECK(lifts.faces.down == Approx(expected.faces.down).epsilon(1e-12));
    CHECK(lifts.cells == Approx(expected.cells).epsilon(1e-11));
    CHECK(budget.given(Cpu{}, planes, own.theta, own.dx, own.owed, 0.25) ==
          Approx(budget.given(Cpu{}, fluid::Planes(), all.theta, all.dx, all.owed, 0.25)).epsilon(1e-12));

    fluid::complete_faces(domain.grid(), planes, own.dx);
    fluid::complete_cells(domain.grid(), planes, own.cells);
    for (std::size_t d = 0; d < 3; ++d) CHECK(std::equal(own.dx[d].begin(), own.dx[d].end(), all.dx[d].begin()));
    CHECK(std::equal(own.cells.begin(), own.cells.end(), all.cells.begin()));
  }
}

} // namespace corral::test
