#include "fluid/spectral/helmholtz.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"

#include <corral/error.hpp>

/// Solutions put into the operator, neighbour by neighbour.
namespace corral::test {
namespace {

using fluid::spectral::HelmholtzSolver;

struct Problem {
  double mass, diffusion;
};

/// Values of one field with what walls in y make of those beyond.
class Field {
public:
  Field(const Grid& grid, bool walled, Staggering s)
      : grid_(grid), walled_(walled), s_(s), values(grid.points(s), 0.0) {}

  std::int64_t rows() const { return grid_.points(s_, 1); }
  bool on_wall(std::int64_t j) const { return walled_ && s_ == Staggering::face_y && (j == 0 || j == rows() - 1); }
  double& at(std::int64_t i, std::int64_t j, std::int64_t k) { return values[place(i, j, k)]; }

  double beside(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t nx = grid_.axis(0).cells, nz = grid_.axis(2).cells, last = rows() - 1;
    i = (i + nx) % nx, k = (k + nz) % nz;
    if (j >= 0 && j <= last) return values[place(i, j, k)];
    if (!walled_) return values[place(i, (j + rows()) % rows(), k)];
    const double inside = values[place(i, j < 0 ? 0 : last, k)];
    return s_ == Staggering::centre ? inside : -inside;
  }
  double laplacian(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const double c = beside(i, j, k);
    const auto along = [&](int axis, double low, double high) {
      return (low - 2 * c + high) / (grid_.axis(axis).spacing * grid_.axis(axis).spacing);
    };
    return along(0, beside(i - 1, j, k), beside(i + 1, j, k)) + along(1, beside(i, j - 1, k), beside(i, j + 1, k)) +
           along(2, beside(i, j, k - 1), beside(i, j, k + 1));
  }
  template <class F> void each(F f) {
    for (std::int64_t k = 0; k < grid_.axis(2).cells; ++k)
      for (std::int64_t j = 0; j < rows(); ++j)
        for (std::int64_t i = 0; i < grid_.axis(0).cells; ++i)
          if (!on_wall(j)) f(i, j, k);
  }

private:
  std::int64_t place(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i + grid_.axis(0).cells * (j + rows() * k);
  }
  const Grid grid_;
  bool walled_;
  Staggering s_;

public:
  Array<double> values;
};

} // namespace

TEST_CASE("Helmholtz solves put into their operator give the right-hand side at round-off") {
  const double h = 0.25e-6;
  for (const bool walled : {false, true})
    for (const auto& cells : std::vector<std::array<std::int64_t, 3>>{{16, 9, 10}, {6, 2, 5}, {1, 14, 3}, {32, 30, 1}})
      for (const Staggering s : {Staggering::centre, Staggering::face_x, Staggering::face_y, Staggering::face_z})
        for (const Problem& p : {Problem{1, 0}, Problem{1, 5e-14}, Problem{0, 1}, Problem{2, 1e-9}}) {
          INFO(name(s) << " " << cells[0] << "x" << cells[1] << "x" << cells[2] << (walled ? " between walls, " : ", ")
                       << p.mass << " " << p.diffusion);
          const fluid::Domain domain = flow_box(cells, walled, h, {1, 0.8, 1.3});
          Field b(domain.grid(), walled, s), x(domain.grid(), walled, s);
          std::mt19937_64 generator(8);
          for (double& v : b.values) v = static_cast<double>(generator() >> 11) * 0x1p-52 - 0.8;
          HelmholtzSolver(domain, s).solve(Cpu{}, p.mass, p.diffusion, b.values.data(), x.values.data());
          const bool singular = p.mass == 0 && (!walled || s == Staggering::centre);
          double mean = 0, mean_x = 0, residual = 0, size = 0;
          const auto n = static_cast<double>(x.values.size());
          if (singular)
            for (std::int64_t i = 0; i < x.values.size(); ++i) mean += b.values[i] / n, mean_x += x.values[i] / n;
          x.each([&](std::int64_t i, std::int64_t j, std::int64_t k) {
            const double found = p.mass * x.at(i, j, k) - p.diffusion * x.laplacian(i, j, k);
            residual = std::max(residual, std::abs(found - (b.at(i, j, k) - mean)));
            size = std::max(size, std::abs(x.at(i, j, k)));
          });
          CHECK(residual <= round_off(100) * (1 + p.mass * size + 8 * p.diffusion * size / (h * h)));
          CHECK(std::abs(mean_x) <= round_off(100) * size);
          if (s == Staggering::face_y && walled) CHECK(x.at(0, 0, 0) == 0);
        }
}

TEST_CASE("a Poisson equation between walls is solved where its last pivot is 0 to the bit") {
  for (const std::int64_t n : {2, 3, 8}) {
    const fluid::Domain domain = flow_box({4, n, 2}, true, 1);
    Field b(domain.grid(), true, Staggering::centre), x = b;
    b.at(1, 0, 0) = 1;
    HelmholtzSolver(domain, Staggering::centre).solve(Cpu{}, 0, 1, b.values.data(), x.values.data());
    double residual = 0;
    x.each([&](std::int64_t i, std::int64_t j, std::int64_t k) {
      const double rest = std::abs(x.laplacian(i, j, k) + b.at(i, j, k) - 0.125 / static_cast<double>(n));
      residual = std::isnan(rest) ? rest : std::max(residual, rest);
    });
    CHECK(residual < round_off(100));
  }
}

TEST_CASE("Helmholtz solves that cannot be are refused") {
  const fluid::Domain domain = flow_box({4, 4, 4}, false, 1);
  CHECK_THROWS_AS(HelmholtzSolver(domain, Staggering::node), Error);
  HelmholtzSolver solver(domain, Staggering::centre);
  Array<double> x(64, 0.0);
  CHECK_THROWS_AS(solver.solve(Cpu{}, 0, 0, x.data(), x.data()), Error);
  CHECK_THROWS_AS(solver.solve(Cpu{}, -1, 1, x.data(), x.data()), Error);
}

} // namespace corral::test
