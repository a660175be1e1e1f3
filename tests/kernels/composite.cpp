#include "tests/kernels/offsets.hpp"

#include <random>
#include <vector>

/// Composite kernels interpolate MAC velocities without discrete divergence to velocities without any.
namespace corral::test {
namespace {

/// A number and its derivative: weights of a Dual are weights and their slopes, exactly.
struct Dual {
  double value, slope;

  Dual() = default;
  explicit Dual(double v, double s = 0) : value(v), slope(s) {}

  friend Dual operator+(Dual a, Dual b) { return Dual(a.value + b.value, a.slope + b.slope); }
  friend Dual operator-(Dual a, Dual b) { return Dual(a.value - b.value, a.slope - b.slope); }
  friend Dual operator*(Dual a, Dual b) { return Dual(a.value * b.value, a.slope * b.value + a.value * b.slope); }
};

/// A periodic MAC grid of n^3 cells of size 1. Faces of cell i lie at i and i + 1 along their axis.
constexpr int n = 9;
struct MacVelocity {
  std::array<std::vector<double>, 3> component;

  static std::size_t at(std::array<int, 3> cell) {
    std::size_t place = 0;
    for (const int c : cell) place = place * n + static_cast<std::size_t>(((c % n) + n) % n);
    return place;
  }
};

/// The discrete curl of numbers drawn on the edges, so that every cell's fluxes sum to 0.
MacVelocity curl_of_noise(unsigned seed) {
  std::mt19937 random(seed);
  std::array<std::vector<double>, 3> potential;
  for (auto& edges : potential)
    for (int i = 0; i < n * n * n; ++i) edges.push_back(static_cast<double>(random() % 2001) / 1000 - 1);
  MacVelocity u;
  for (auto& faces : u.component) faces.resize(n * n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (std::size_t d = 0; d < 3; ++d) {
          const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
          const std::array<int, 3> here{i, j, k};
          std::array<int, 3> next_e = here, next_f = here;
          ++next_e[e], ++next_f[f];
          const auto &a_e = potential[e], &a_f = potential[f];
          u.component[d][u.at(here)] = (a_f[u.at(next_e)] - a_f[u.at(here)]) - (a_e[u.at(next_f)] - a_e[u.at(here)]);
        }
  return u;
}

struct AxisWeights {
  int first; ///< point of the first weight
  std::vector<Dual> w;
};

/// Weights and slopes of a kernel at x; points lie at i + offset.
template <class K> AxisWeights axis_weights(const K& kernel, double x, double offset) {
  const double place = x - offset, base = std::floor(K::support % 2 == 0 ? place : place + 0.5);
  AxisWeights axis{static_cast<int>(base) - (K::support - 1) / 2, std::vector<Dual>(K::support)};
  kernel.weights(Dual(place - base, 1), axis.w.data());
  return axis;
}

/// The divergence of the interpolated velocity at x, and the sum of its absolute terms.
template <class Along, class Across> std::array<double, 2> divergence(const Along& along, const Across& across,
                                                                      const MacVelocity& u,
                                                                      const std::array<double, 3>& x) {
  double sum = 0, absolute = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    AxisWeights s[3];
    for (std::size_t e = 0; e < 3; ++e)
      s[e] = e == d ? axis_weights(along, x[e], 0.0) : axis_weights(across, x[e], 0.5);
    for (int i = 0; i < static_cast<int>(s[0].w.size()); ++i)
      for (int j = 0; j < static_cast<int>(s[1].w.size()); ++j)
        for (int k = 0; k < static_cast<int>(s[2].w.size()); ++k) {
          double term = u.component[d][u.at({s[0].first + i, s[1].first + j, s[2].first + k})];
          const int index[] = {i, j, k};
          for (std::size_t e = 0; e < 3; ++e) {
            const Dual& w = s[e].w[index[e]];
            term *= e == d ? w.slope : w.value;
          }
          sum += term, absolute += std::abs(term);
        }
  }
  return {sum, absolute};
}

/// The largest divergence at 300 random points relative to its absolute terms.
template <class Along, class Across> double worst_divergence(const Along& along, const Across& across) {
  const MacVelocity u = curl_of_noise(5);
  std::mt19937 random(7);
  const auto draw = [&] { return static_cast<double>(random() % 1'000'000) * 1e-6 * n; };
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const double x = draw(), y = draw(), z = draw();
    const auto [sum, absolute] = divergence(along, across, u, {x, y, z});
    worst = std::max(worst, std::abs(sum) / absolute);
  }
  return worst;
}

/// along'(r) = across(r + 1/2) - across(r - 1/2) at every point of the support of `along`.
template <class C> void require_derivative_relation(const C& pair) {
  using Along = decltype(pair.along);
  double worst = 0;
  for_each_offset<double, Along>([&](double r) {
    Dual w[Along::support];
    pair.along.weights(Dual(r, 1), w);
    for (int j = 0; j < Along::support; ++j) {
      const double at = distance<Along>(r, j);
      worst = std::max(worst, std::abs(w[j].slope - (pair.across(at + 0.5) - pair.across(at - 0.5))));
    }
  });
  CHECK(worst <= round_off(Along::support));
}

} // namespace

TEST_CASE("A composite kernel's slope along is the difference of its values across") {
  kernels::for_each_of(kernels::ShippedComposites{}, [](const auto& pair) {
    INFO(std::string(pair.name));
    require_derivative_relation(pair);
  });
}

TEST_CASE("A velocity without discrete divergence is interpolated to one without any") {
  kernels::for_each_of(kernels::ShippedComposites{}, [](const auto& pair) {
    INFO(std::string(pair.name));
    const std::int64_t terms = 3 * pair.along.support * pair.across.support * pair.across.support;
    CHECK(worst_divergence(pair.along, pair.across) <= round_off(terms));
  });
  // One kernel on all axes misses it, however smooth it is.
  CHECK(worst_divergence(kernels::BSpline<4>{}, kernels::BSpline<4>{}) > 0.05);
  CHECK(worst_divergence(kernels::Linear{}, kernels::Linear{}) > 0.05);
}

TEST_CASE("A pair of the user's own is a composite kernel") {
  using Pair = kernels::Composite<kernels::Peskin4, kernels::Roma3>;
  static_assert(kernels::CompositeKernel<Pair> && !kernels::Kernel<Pair> && !kernels::CompositeKernel<kernels::Linear>);
  CHECK(Pair::name == "composite43");
  CHECK_FALSE(kernels::is_shipped<Pair>);
}

} // namespace corral::test
