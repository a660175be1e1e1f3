#include "fluid/spectral/helmholtz.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/spectral/transform_case.hpp"

#include <fftw3.h>

#include <complex>
#include <numbers>

/// Against FFTW (GPL-2.0, in tests alone), at sizes where sums would take long.
namespace corral::test {

TEST_CASE("transforms agree with FFTW") {
  for (const SpectrumShape& s : {SpectrumShape{64, 48, 32}, SpectrumShape{105, 20, 63}, SpectrumShape{60, 128, 27},
                                 SpectrumShape{96, 49, 70}, SpectrumShape{1, 100, 64}, SpectrumShape{128, 1, 36}}) {
    INFO(said(s));
    const Array<double> values = random_values(values_of(s), 5);
    RealTransform transform(s);
    Array<double> spectrum(s.size(), 0.0), in = values;
    transform.forward(Cpu{}, values.data(), spectrum.data());
    std::vector<std::complex<double>> expected(static_cast<std::size_t>(s.modes() * s.rows * s.planes));
    const fftw_plan plan =
        fftw_plan_dft_r2c_3d(static_cast<int>(s.planes), static_cast<int>(s.rows), static_cast<int>(s.nx), in.data(),
                             reinterpret_cast<fftw_complex*>(expected.data()), FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    double worst = 0;
    for (std::int64_t p = 0; p < s.planes; ++p)
      for (std::int64_t r = 0; r < s.rows; ++r)
        for (std::int64_t k = 0; k < s.modes(); ++k)
          worst = std::max(worst, std::abs(mode(s, spectrum.data(), k, r, p) -
                                           expected[static_cast<std::size_t>(k + s.modes() * (r + s.rows * p))]));
    CHECK(worst <= mode_error(s, norm(values)));
  }
}

TEST_CASE("a Helmholtz solve agrees with one by FFTW") {
  const std::array<std::int64_t, 3> cells{40, 27, 32};
  const std::array<int, 3> n{40, 27, 32};
  const fluid::Domain domain = flow_box(cells, false, 0.1, {1, 2, 0.5});
  const std::int64_t modes = cells[0] / 2 + 1, total = cells[0] * cells[1] * cells[2];
  const double mass = 1, diffusion = 0.03;
  const Array<double> b = random_values(total, 6);
  Array<double> x(total, 0.0), expected = b, spectrum(2 * modes * cells[1] * cells[2], 0.0);
  fluid::spectral::HelmholtzSolver(domain, Staggering::centre).solve(Cpu{}, mass, diffusion, b.data(), x.data());

  auto* const complex = reinterpret_cast<fftw_complex*>(spectrum.data());
  const fftw_plan forward = fftw_plan_dft_r2c_3d(n[2], n[1], n[0], expected.data(), complex, FFTW_ESTIMATE);
  const fftw_plan back = fftw_plan_dft_c2r_3d(n[2], n[1], n[0], complex, expected.data(), FFTW_ESTIMATE);
  fftw_execute(forward);
  const auto eigenvalue = [&](int d, std::int64_t m) {
    const double h = domain.grid().axis(d).spacing;
    return (2 - 2 * std::cos(2 * std::numbers::pi * static_cast<double>(m) / n[d])) / (h * h);
  };
  for (std::int64_t l = 0; l < cells[2]; ++l)
    for (std::int64_t j = 0; j < cells[1]; ++j)
      for (std::int64_t k = 0; k < modes; ++k) {
        const double k2 = eigenvalue(0, k) + eigenvalue(1, j) + eigenvalue(2, l);
        for (int part = 0; part < 2; ++part)
          complex[k + modes * (j + cells[1] * l)][part] /= static_cast<double>(total) * (mass + diffusion * k2);
      }
  fftw_execute(back);
  fftw_destroy_plan(forward);
  fftw_destroy_plan(back);
  double worst = 0;
  for (std::int64_t i = 0; i < total; ++i) worst = std::max(worst, std::abs(x[i] - expected[i]));
  CHECK(worst <= round_off(20) * largest(b));
}

} // namespace corral::test
