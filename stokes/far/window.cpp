#include "stokes/far/window.hpp"

#include <corral/error.hpp>
#include <corral/kernels/exponential_semicircle.hpp>
#include <corral/kernels/kaiser_bessel.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>

namespace corral::stokes {
namespace {

template <class K> class WindowOf final : public Window {
public:
  explicit WindowOf(double beta) : kernel_(beta) {}
  int support() const override { return K::support; }
  double transform(double k) const override {
    if constexpr (requires { kernel_.transform(k); })
      return kernel_.transform(k);
    else
      return transform_by_sum(k);
  }
  void spread(Cpu cpu, const CellOrder<double>& order, std::span<const Spread<double>> terms) const override {
    corral::spread(cpu, order, kernel_, terms);
  }
  void interpolate(Cpu cpu, const CellOrder<double>& order, std::span<const Interpolate<double>> terms) const override {
    corral::interpolate(cpu, order, kernel_, terms);
  }

private:
  /// By the trapezoidal rule in theta, r = P/2 sin(theta): the window has no corner there.
  double transform_by_sum(double k) const {
    constexpr int points = 200;
    double sum = 0;
    for (int i = -points; i <= points; ++i) {
      const double theta = 0.5 * std::numbers::pi * i / points, r = 0.5 * K::support * std::sin(theta);
      sum += (i == -points || i == points ? 0.5 : 1.0) * kernel_.exact(r) * std::cos(k * r) * std::cos(theta);
    }
    return sum * 0.25 * K::support * std::numbers::pi / points;
  }

  K kernel_;
};

template <template <int, int> class K, template <int> class Degree, int P>
std::unique_ptr<Window> make_if(int support, double beta) {
  if constexpr (P > most_support)
    return nullptr;
  else if (support == P)
    return std::make_unique<WindowOf<K<P, Degree<P>::value>>>(beta);
  else
    return make_if<K, Degree, P + 2>(support, beta);
}
template <int P> struct KaiserBesselDegree : std::integral_constant<int, kernels::kaiser_bessel_degree(P)> {};
template <int P> struct SemicircleDegree : std::integral_constant<int, kernels::exponential_semicircle_degree(P)> {};

} // namespace

void require_window(int support, double beta) {
  if (support < least_support || support > most_support || support % 2 != 0)
    throw Error("a window of " + std::to_string(support) + " points (windows of Ewald sums have 4, 6, ... 16)");
  if (!(beta >= 1.5 * support && beta <= 3 * support))
    throw Error("beta " + std::to_string(beta) + " of a window of " + std::to_string(support) +
                " points (1.5 to 3 times the points)");
}

std::unique_ptr<Window> make_window(WindowShape shape, int support, double beta) {
  require_window(support, beta);
  return shape == WindowShape::kaiser_bessel
             ? make_if<kernels::KaiserBessel, KaiserBesselDegree, least_support>(support, beta)
             : make_if<kernels::ExponentialSemicircle, SemicircleDegree, least_support>(support, beta);
}

} // namespace corral::stokes
