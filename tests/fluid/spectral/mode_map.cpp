#include "tests/fluid/spectral/transform_case.hpp"

#include "fluid/spectral/mode_map.hpp"
#include "fluid/spectral/real_transform.hpp"

#include <complex>

namespace corral::test {
namespace {

using fluid::spectral::ColumnOfModes;
using fluid::spectral::ModeFunction;
using fluid::spectral::ModeMap;
using fluid::spectral::signed_mode;

/// Two fields become three real ones: real factors are even in a mode's numbers, the imaginary one is odd.
class Mixed final : public ModeFunction {
public:
  explicit Mixed(const SpectrumShape& shape) : shape_(shape) {}
  static std::array<std::complex<double>, 3> of(std::int64_t k, std::int64_t row, std::int64_t plane,
                                                std::complex<double> a, std::complex<double> b) {
    const auto x = static_cast<double>(k), y = static_cast<double>(row), z = static_cast<double>(plane);
    return {a * (1 + x * x + y * y) + b, b * (2 - z * z), std::complex<double>(0, x + 3 * y - z) * a};
  }
  void apply(const ColumnOfModes& modes, std::span<double* const> fields) const override {
    for (std::int64_t p = 0; p < shape_.planes; ++p)
      for (std::size_t l = 0; l < 8; ++l) {
        const std::size_t at = static_cast<std::size_t>(16 * p) + l;
        const auto to = of(modes.x[l], modes.row[l], signed_mode(p, shape_.planes), {fields[0][at], fields[0][at + 8]},
                           {fields[1][at], fields[1][at + 8]});
        for (std::size_t f = 0; f < 3; ++f) {
          fields[f][at] = to[f].real();
          fields[f][at + 8] = to[f].imag();
        }
      }
  }

private:
  SpectrumShape shape_;
};

} // namespace

TEST_CASE("a mode map makes of each mode what its function says") {
  // Odd lengths have no mode without a sign; 33 modes along x leave a lone one.
  for (const SpectrumShape& shape :
       {SpectrumShape{15, 9, 7}, SpectrumShape{9, 5, 3}, SpectrumShape{1, 3, 5}, SpectrumShape{63, 25, 1}}) {
    const std::int64_t n = shape.nx * shape.rows * shape.planes;
    Array<double> a(n), b(n), c(n, 0.0);
    for (std::int64_t i = 0; i < n; ++i)
      a[i] = std::sin(1.3 * static_cast<double>(i * i)), b[i] = std::cos(2.1 * static_cast<double>(i));
    Array<double> spectra[5];
    for (auto& s : spectra) s.resize(shape.size());
    RealTransform transform(shape);
    transform.forward(Cpu{}, a.data(), spectra[0].data());
    transform.forward(Cpu{}, b.data(), spectra[1].data());
    ModeMap map(shape, 3);
    const double* from[]{a.data(), b.data()};
    double* to[]{a.data(), b.data(), c.data()};
    map.apply(Cpu{}, from, Mixed(shape), to);
    for (std::size_t f = 0; f < 3; ++f) transform.forward(Cpu{}, to[f], spectra[2 + f].data());
    double off = 0, size = 0;
    for (std::int64_t p = 0; p < shape.planes; ++p)
      for (std::int64_t r = 0; r < shape.rows; ++r)
        for (std::int64_t k = 0; k < shape.modes(); ++k) {
          const auto right =
              Mixed::of(k, signed_mode(r, shape.rows), signed_mode(p, shape.planes),
                        mode(shape, spectra[0].data(), k, r, p), mode(shape, spectra[1].data(), k, r, p));
          for (std::size_t f = 0; f < 3; ++f) {
            const auto got = mode(shape, spectra[2 + f].data(), k, r, p) / static_cast<double>(n);
            off = std::max(off, std::abs(got - right[f]));
            size = std::max(size, std::abs(right[f]));
          }
        }
    CAPTURE(shape.nx, shape.rows, shape.planes, off, size);
    CHECK(off < 1e-13 * size);
  }
}

} // namespace corral::test
