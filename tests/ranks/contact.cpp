#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "mppic/contact/complementarity.t.hpp"
#include "tests/mppic/contact/random_inequality.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

/// Contact's inequality in a box whose planes ranks share beside the same one in one process, which every rank has, too.
namespace corral::test {

TEST_CASE("An inequality that ranks share has the bits of one process, and asks for no other rank's coefficients") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN(), tolerance = 1e-9;
  struct Kind {
    std::array<std::int64_t, 3> cells;
    std::array<bool, 3> periodic;
    double contrast, blocked;
  };
  unsigned seed = 3;
  for (const Kind& kind : {Kind{{8, 8, 24}, {}, 1e2, 0}, Kind{{7, 5, 21}, {true, true, true}, 1e4, 0.3}, Kind{{20, 1, 32}, {true, false, false}, 10, 0.1},
                           Kind{{1, 10, 20}, {}, 10, 0}}) {
    RandomInequality p(kind.cells, kind.periodic, kind.contrast, kind.blocked, true, ++seed);
    mppic::StepScratch together(p.domain), one(p.domain);
    together.pressure->share_with(*team, 0);
    const fluid::Planes& planes = together.pressure->planes();
    CHECK(planes.shared() == (team->size() > 1 && kind.cells[0] > 1));
    mppic::Complementarity with_others(p.domain, together), alone(p.domain, one);
    for (const double guess : {0., 2.}) {
      Array<double> x(p.size(), guess), expected(p.size(), guess);
      const auto report = alone.solve(Cpu{}, p.b, p.law(), expected, tolerance);
      RandomInequality mine = p;
      const auto [first, own] = fluid::own_cells(p.domain.grid(), planes);
      for (std::int64_t c = 0; c < p.size(); ++c)
        if (c < first || c >= first + own)
          for (std::vector<double>* values : {&mine.w, &mine.s, &mine.kink, &mine.c}) (*values)[static_cast<std::size_t>(c)] = unknown;
      for (std::size_t d = 0; d < 3; ++d) {
        mine.b[d].fill(unknown);
        fluid::for_each_face(Cpu{}, p.domain.grid(), planes, static_cast<int>(d), [&](const fluid::Face& f) { mine.b[d][f.index] = p.b[d][f.index]; });
      }
      const auto report_of_all = with_others.solve(Cpu{}, mine.b, mine.law(), x, tolerance);
      CHECK(report.converged);
      CHECK(report_of_all.rounds == report.rounds);
      CHECK(report_of_all.linear == report.linear);
      CHECK(std::memcmp(x.data(), expected.data(), static_cast<std::size_t>(p.size()) * sizeof(double)) == 0);
    }
  }
}

} // namespace corral::test
