#include "mppic/contact/displacement_budget.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <cmath>

namespace corral::test {

using mppic::DisplacementBudget;
using mppic::Setup;

TEST_CASE("what lifts has to be paid for, what sinks has not") {
  const Setup s = empty_box({2, 2, 4}, {0.02, 0.02, 0.04});
  const fluid::Domain domain = s.make_domain();
  DisplacementBudget budget(domain, s);
  CHECK(budget.pay_for_room({1e-6, 0}, 1) == 0);
  CHECK(budget.pay_for_drift(1e-6) == 0);
  CHECK(budget.pay_for_room({0, -1e-6}, 1) == 1);
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 1) == Approx(0.25)); // what sinks pays for what rises
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 0) == 0); // where what sinks waits as well, nothing sinks to pay
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 0.5) == Approx(0.5 / 3.5));
  CHECK(budget.pay_for_drift(-1e-6) == 1);
  CHECK(budget.pay_for_room({0, 0}, 1) == 1);
  CHECK(budget.pay_for_room({1e-9, 0}, 1) == 0); // what sank before lifts nothing later
}

TEST_CASE("lift is against gravity, along any axis, less what the gas buoys") {
  for (int d = 0; d < 3; ++d) {
    Setup s = empty_box({2, 3, 4}, {0.02, 0.06, 0.16});
    s.gravity = {0, 0, 0};
    s.gravity[d] = 2;
    s.gas.rho = 0.25 * s.solids.rho;
    const fluid::Domain domain = s.make_domain();
    DisplacementBudget budget(domain, s);
    fluid::FaceArrays theta = fluid::make_face_arrays(domain.grid()), dx = fluid::make_face_arrays(domain.grid(), 1e-3);
    theta[d][1] = 0.5;
    CHECK(budget.lift_of_faces(Cpu{}, theta, dx).down == Approx(-0.5 * 1e-3 * 2 * 0.75));
    Array<double> cells(domain.grid().cells(), 0.0);
    cells[3] = 0.4;
    const std::array<Array<double>, 3> shift{Array<double>(cells.size(), 1e-3), Array<double>(cells.size(), 1e-3),
                                             Array<double>(cells.size(), 1e-3)};
    CHECK(budget.lift_of_cells(Cpu{}, cells, shift) == Approx(-0.4 * 1e-3 * 2 * 0.75));
    CHECK(budget.height() == Approx(0.01 * (d == 0 ? 1 : d == 1 ? 2 : 4)));
  }
}

TEST_CASE("gas that nothing blows supplies nothing, however the solids fall through it") {
  Setup s = empty_box({2, 2, 12}, {0.01, 0.01, 0.06});
  s.solids.rho = 1500;
  s.time.dt = 5e-3;
  s.seeds.push_back(bed(s, 0.04, 0.55, 2000, 30e-6));
  Bed b(s);
  for (int i = 0; i < 4; ++i) {
    b.run(1);
    double supplied = 0, turned_over = 0;
    for (int d = 0; d < 3; ++d) {
      const Array<double>& G = b.step.gas().pressure_gradient()[d];
      for (std::int64_t f = 0; f < G.size(); ++f) {
        if (b.domain.kind(d, f) != fluid::FaceKind::interior) continue;
        const double drop = s.gas.rho * s.gravity[d] - G[f];
        const double work = drop * b.step.gas().mixture_flux()[d][f];
        supplied += work;
        turned_over += std::abs(work);
      }
    }
    INFO("step " << i + 1);
    CHECK(std::abs(supplied) <= 1e-4 * turned_over);
  }
}

} // namespace corral::test
