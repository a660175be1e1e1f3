#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;
using Places = std::array<std::vector<double>, 3>;

constexpr double side = 16 * um, radius = 3.91 * um;

/// What a run on so many cells along each side ends with: velocities on faces [m/s], places of markers [m].
struct Outcome {
  std::int64_t cells;
  Places velocity, markers;
  double h() const { return side / static_cast<double>(cells); }
};

/// How a study goes: a sphere that was stretched and let go, with the same markers on all grids, and sample sites of
/// radial surfaces as many as cells ask for.
struct Study {
  Coupling scheme;
  Representation representation;
  double (*step)(double h); ///< by the size of cells [m] [s]
};
constexpr double end = 51.2 * us; ///< area has been given back by then, and shape has begun to

/// The paper's: 1.6 us of cells of 1 um.
double by_squares(double h) { return 1.6 * us * (h / um) * (h / um); }
/// As long as coupling allows, so that the order in time shows.
double by_cells(double h) { return 1.28 * us * (h / um); }

Outcome relaxed(const Study& study, std::int64_t cells, double until = end, double refined = 1) {
  const double h = side / static_cast<double>(cells);
  MembraneSetup setup = box_of_water({cells, cells, cells}, h);
  setup.coupling.scheme = study.scheme;
  SurfaceModel kind = stiff_sphere(2562, radius);
  if (study.representation == Representation::radial)
    kind = by_radial_functions(kind, 625, std::llround(220 * um * um / (h * h)));
  kind.stretch = {1, 1 / 1.1, 1.1};
  put_in_the_middle(setup, kind);
  MembraneRun run(setup);
  const auto steps = std::llround(until * refined / study.step(h));
  run.advance(until / static_cast<double>(steps), steps);
  Outcome result{cells, {}, {}};
  const auto& p = run.step.populations().front();
  for (std::size_t d = 0; d < 3; ++d) {
    const double* u = run.step.fluid().velocity()[d];
    result.velocity[d].assign(u, u + cells * cells * cells);
    result.markers[d].assign(p.at()[d], p.at()[d] + p.markers());
  }
  return result;
}

/// How far results of two grids lie apart.
struct Difference {
  double velocity = 0; ///< root of the integral of its square over the box [um^(5/2)/us]
  double away = 0;     ///< likewise three cells of the coarsest grid and more from the membrane
  double markers = 0;  ///< root of the mean square [um]
  double farthest = 0; ///< largest of the markers [um]
};

/// A coarse face's velocity is to be that of the four fine ones which it consists of.
Difference between(const Outcome& coarse, const Outcome& fine, double away) {
  Difference result;
  const std::int64_t n = coarse.cells;
  const double h = coarse.h();
  for (int d = 0; d < 3; ++d) {
    const auto c = static_cast<std::size_t>(d);
    const auto at = [&](std::array<std::int64_t, 3> i) {
      return fine.velocity[c][static_cast<std::size_t>(i[0] + 2 * n * (i[1] + 2 * n * i[2]))];
    };
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i) {
          double mean = 0;
          for (const int a : {0, 1})
            for (const int b : {0, 1}) {
              std::array<std::int64_t, 3> place{2 * i, 2 * j, 2 * k};
              place[e] += a, place[f] += b;
              mean += 0.25 * at(place);
            }
          std::array<double, 3> x{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
          for (std::size_t a = 0; a < 3; ++a) x[a] = h * (x[a] + (a == c ? 0 : 0.5)) - side / 2;
          const double r = std::hypot(x[0], x[1], x[2]);
          const double apart = coarse.velocity[c][static_cast<std::size_t>(i + n * (j + n * k))] - mean;
          const double share = apart * apart * std::pow(h / um, 3);
          result.velocity += share;
          if (std::abs(r - radius) > away) result.away += share;
        }
  }
  result.velocity = std::sqrt(result.velocity), result.away = std::sqrt(result.away);
  const std::size_t markers = coarse.markers[0].size();
  for (std::size_t i = 0; i < markers; ++i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += std::pow((coarse.markers[d][i] - fine.markers[d][i]) / um, 2);
    result.markers += square / static_cast<double>(markers);
    result.farthest = std::max(result.farthest, std::sqrt(square));
  }
  result.markers = std::sqrt(result.markers);
  return result;
}

/// Of each grid and the next.
std::vector<Difference> differences(const Study& study, const std::vector<std::int64_t>& grids) {
  std::vector<Difference> all;
  Outcome coarse = relaxed(study, grids.front());
  const double away = 3 * coarse.h();
  for (std::size_t i = 1; i < grids.size(); ++i) {
    Outcome fine = relaxed(study, grids[i]);
    all.push_back(between(coarse, fine, away));
    coarse = std::move(fine);
  }
  return all;
}

/// By which power of h the last two differences fall.
double order(const std::vector<Difference>& all, double Difference::* what) {
  return std::log2(all[all.size() - 2].*what / all.back().*what);
}

const char* name(Coupling scheme) { return scheme == Coupling::midpoint ? "midpoint" : "predictor"; }
const char* name(Representation r) { return r == Representation::radial ? "radial" : "triangles"; }

void print(const Study& study, const std::vector<std::int64_t>& grids, const std::vector<Difference>& all) {
  constexpr double paper[3][3] = {{2.2274e-2, 2.9611e-3, 4.7812e-3},
                                  {4.3280e-4, 7.2997e-4, 1.1687e-3},
                                  {1.4684e-4, 3.5909e-4, 6.0956e-4}};
  std::printf("%s, %s: L2 of velocity (paper), the same away from the membrane, L2 of markers (paper), largest (paper)\n",
              name(study.representation), name(study.scheme));
  for (std::size_t i = 0; i < all.size(); ++i)
    std::printf("  %3d to %3d: %.4e (%.4e)  %.4e  %.4e (%.4e)  %.4e (%.4e)\n", static_cast<int>(grids[i]),
                static_cast<int>(grids[i + 1]), all[i].velocity, paper[i][0], all[i].away, all[i].markers, paper[i][1],
                all[i].farthest, paper[i][2]);
  std::printf("  last order: %.2f, %.2f, %.2f, %.2f\n", order(all, &Difference::velocity), order(all, &Difference::away),
              order(all, &Difference::markers), order(all, &Difference::farthest));
  std::fflush(stdout);
}

void judge(const std::vector<std::int64_t>& grids, Representation representation, double (*step)(double h)) {
  const Study first{Coupling::predictor, representation, step}, second{Coupling::midpoint, representation, step};
  const std::vector<Difference> predictor = differences(first, grids), midpoint = differences(second, grids);
  if (grids.front() == 16) print(first, grids, predictor), print(second, grids, midpoint); // as in the paper
  for (const auto what : {&Difference::velocity, &Difference::away, &Difference::markers, &Difference::farthest}) {
    CHECK(order(predictor, what) >= 0.8);
    CHECK(order(midpoint, what) >= 0.8);
  }
  CHECK(midpoint.back().markers <= predictor.back().markers);
  CHECK(order(midpoint, &Difference::away) >= 1.5);
}

} // namespace

TEST_CASE("A sphere's relaxation converges with grid and step: velocity away from it by the second power with midpoint", "[physics]") {
  if (sanitized) return; // minutes
  for (const Representation r : {Representation::triangles, Representation::radial}) judge({10, 20, 40}, r, by_cells);
}

TEST_CASE("On one grid midpoint is of second order in the step, and predictor of first", "[physics]") {
  const auto apart = [](const Places& a, const Places& b) {
    double squares = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t i = 0; i < a[d].size(); ++i) squares += (a[d][i] - b[d][i]) * (a[d][i] - b[d][i]);
    return std::sqrt(squares);
  };
  for (const Coupling scheme : {Coupling::predictor, Coupling::midpoint}) {
    const Study study{scheme, Representation::triangles, by_squares};
    const auto run = [&](double refined) { return relaxed(study, 16, 12.8 * us, refined); };
    const Outcome coarse = run(2), middle = run(4), fine = run(8);
    const double expected = scheme == Coupling::midpoint ? 2 : 1;
    INFO(name(scheme));
    const double velocity = apart(coarse.velocity, middle.velocity) / apart(middle.velocity, fine.velocity);
    const double markers = apart(coarse.markers, middle.markers) / apart(middle.markers, fine.markers);
    CHECK(std::log2(velocity) == Approx(expected).margin(0.25));
    CHECK(std::log2(markers) == Approx(expected).margin(0.25));
  }
}

TEST_CASE("In Stokes flow the velocity is that in the middle of the last step: of second order there, of first at its end", "[physics]") {
  if (sanitized) return;
  const auto run = [](double dt) {
    MembraneSetup setup = box_of_water({16, 16, 16}, side / 16);
    setup.fluid.inertia = false;
    SurfaceModel kind = stiff_sphere(642, radius);
    kind.stretch = {1, 1 / 1.1, 1.1};
    put_in_the_middle(setup, kind);
    MembraneRun run(setup);
    const auto velocity = [&] {
      std::vector<double> all;
      for (const double* u : run.step.fluid().velocity()) all.insert(all.end(), u, u + 16 * 16 * 16);
      return all;
    };
    run.advance(dt, std::llround(64 * us / dt));
    std::array<std::vector<double>, 3> found{velocity(), {}, {}}; // at the end, its mean with the next one, markers
    const auto& p = run.step.populations().front();
    for (const double* x : p.at()) found[2].insert(found[2].end(), x, x + p.markers());
    run.advance(dt);
    const std::vector<double> next = velocity();
    for (std::size_t i = 0; i < next.size(); ++i) found[1].push_back(0.5 * (found[0][i] + next[i]));
    return found;
  };
  const auto coarse = run(4 * us), middle = run(2 * us), fine = run(1 * us);
  const auto apart = [](const std::vector<double>& a, const std::vector<double>& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(squares);
  };
  constexpr double expected[3] = {1, 2, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    INFO(k);
    CHECK(std::log2(apart(coarse[k], middle[k]) / apart(middle[k], fine[k])) == Approx(expected[k]).margin(0.25));
  }
}

TEST_CASE("relaxation on 16 and 32 and 64 cells along each side", "[.][long]") {
  for (const Representation r : {Representation::triangles, Representation::radial}) judge({16, 32, 64}, r, by_squares);
}

TEST_CASE("relaxation up to 128 cells along each side", "[.][long]") {
  const Study paper{Coupling::predictor, Representation::radial, by_squares};
  const std::vector<std::int64_t> grids{16, 32, 64, 128};
  const std::vector<Difference> found = differences(paper, grids);
  print(paper, grids, found);
  for (const auto what : {&Difference::velocity, &Difference::markers, &Difference::farthest})
    CHECK(order(found, what) >= 0.8);
}

} // namespace corral::test
