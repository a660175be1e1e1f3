// A kernel of your own: one struct, and one line that uses it. Nothing of corral is compiled again.
#include <corral/corral.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

/// Half a period of a raised cosine over the two points around the particle: phi(r) = cos(pi r / 2)^2, |r| <= 1.
/// Smoother than `linear`, as wide, and its weights sum to 1.
struct HalfCosine {
  static constexpr int support = 2;
  static constexpr std::string_view name = "half_cosine";

  template <class T> T operator()(T r) const {
    const T c = std::cos(T(1.5707963267948966) * r);
    return std::abs(r) < T(1) ? c * c : T(0);
  }
  /// Both weights at once, r in [0, 1] from the lower point; one cosine serves both.
  template <class T> void weights(T r, T* w) const {
    w[0] = (*this)(r);
    w[1] = T(1) - w[0];
  }
};
static_assert(corral::kernels::Kernel<HalfCosine>);

int main() {
  using namespace corral;
  const Axis axis{16, 0.0, 1.0, Boundary::periodic, Boundary::periodic};
  const Grid grid({axis, axis, axis});
  const std::int64_t n = 20'000;
  std::vector<double> xyz(3 * n), mass(n, 0.5);
  for (std::int64_t i = 0; i < 3 * n; ++i) xyz[i] = 16 * std::fmod(0.7548776662466927 * double(i + 1), 1.0);

  CellOrder<double> order(grid);
  order.sort(Cpu{}, positions(xyz.data(), n));
  std::vector<double> density(grid.points(Staggering::centre));
  spread(Cpu{}, order, HalfCosine{}, {{{mass.data(), n}, field_view(grid, density.data(), Staggering::centre)}});

  double total = 0;
  for (double m : density) total += m;
  std::printf("mass %.9g kg of %.9g kg on the grid\n", total, 0.5 * double(n));
  return std::abs(total - 0.5 * double(n)) < 1e-9 ? 0 : 1;
}
