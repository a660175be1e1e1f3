#include "tests/fluid/spectral/transform_case.hpp"

#include <fftw3.h>

#include <complex>

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

} // namespace corral::test
