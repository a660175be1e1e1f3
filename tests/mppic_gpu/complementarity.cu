#include "mppic/contact/complementarity.t.hpp"
#include "tests/catch.hpp"
#include "tests/engine/boxes/shapes.hpp"
#include "tests/engine_gpu/device_memory.cuh"
#include "tests/mppic/contact/random_inequality.hpp"
#include "tests/mppic_gpu/padding.cuh"

#include <corral/for_each.cuh>

#include <span>
#include <vector>

namespace corral::test {

TEST_CASE("inequalities with kinks have on the device the solution of projected Gauss-Seidel") {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  constexpr double tolerance = 1e-9;
  unsigned seed = 40;
  int rounds = 0;
  for (const Shape& shape : shapes)
    for (const double contrast : {1., 1e4}) {
      const RandomInequality p(shape.cells, shape.periodic, contrast, 0, true, ++seed);
      if (p.size() == 1) continue; // without neighbours nothing asks for contact
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", contrast " << contrast << ", seed " << seed);
      const OnDevice<double> w(p.w), s(p.s), kink(p.kink), c(p.c);
      fluid::FaceArrays b = fluid::make_face_arrays(p.domain.grid(), 0, Memory::device);
      for (std::size_t d = 0; d < 3; ++d) b[d].assign(p.b[d].span());
      const Array<double> expected = p.brute_force();
      for (const double guess : {0., 1e3}) {
        mppic::StepScratch scratch(p.domain, Memory::device);
        mppic::Complementarity complementarity(p.domain, scratch);
        Array<double> x(p.size(), guess, Memory::device);
        const auto report = complementarity.solve(Gpu{}, b, Kinked{w.data(), s.data(), kink.data(), c.data()}, x, tolerance);
        CHECK(report.converged);
        rounds = std::max(rounds, report.rounds);
        const std::vector<double> found = x.values();
        for (std::int64_t i = 0; i < p.size(); ++i)
          CHECK(std::abs(found[static_cast<std::size_t>(i)] - expected[i]) <= 2 * tolerance / RandomInequality::least_slope);
      }
    }
  CHECK(rounds > 3); // and not all by the first sweeps
}

} // namespace corral::test
