#include "tests/kernels/offsets.hpp"

#include <map>
#include <set>
#include <string_view>
#include <typeindex>

/// `weights` is phi at all points of the support, for scalars and vectors; phi is even, continuous and ends.
namespace corral::test {
namespace {

/// As little as a vector of four particles can do: no comparison, no conversion back to a number.
struct Lanes {
  double lane[4];

  Lanes() = default;
  explicit Lanes(double same) : lane{same, same, same, same} {}

  template <class F> static Lanes each(F f) {
    Lanes result;
    for (int i = 0; i < 4; ++i) result.lane[i] = f(i);
    return result;
  }
  friend Lanes operator+(Lanes a, Lanes b) { return each([&](int i) { return a.lane[i] + b.lane[i]; }); }
  friend Lanes operator-(Lanes a, Lanes b) { return each([&](int i) { return a.lane[i] - b.lane[i]; }); }
  friend Lanes operator*(Lanes a, Lanes b) { return each([&](int i) { return a.lane[i] * b.lane[i]; }); }
  friend Lanes sqrt(Lanes a) { return each([&](int i) { return std::sqrt(a.lane[i]); }); }
  friend Lanes cos(Lanes a) { return each([&](int i) { return std::cos(a.lane[i]); }); }
  friend Lanes asin(Lanes a) { return each([&](int i) { return std::asin(a.lane[i]); }); }
};

/// How far the weights in precision T are from phi in double, in units of what rounding may do. Polynomials of
/// neighbouring stretches meet within their errors only, so that windows are not asked at the upper end of a cell, where
/// rounding decides between two.
template <class T, class K> double worst_difference(const K& kernel) {
  double worst = 0;
  for_each_offset<T, K>([&](T r) {
    if (!kernels::sums_to_one<K> && static_cast<double>(r) > lowest_r<K> + 1 - 1e-9) return;
    const auto w = weights_at(kernel, r);
    for (int j = 0; j < K::support; ++j) {
      const double phi = kernel(distance<K>(static_cast<double>(r), j));
      const double off = std::abs(static_cast<double>(w[j]) - phi);
      worst = std::isnan(off) ? off : std::max(worst, off);
    }
  });
  return worst / round_off<T>(0);
}

/// The largest difference between the weights where one cell ends and the next begins, and 0 beyond the support.
template <class K> double largest_step(const K& kernel) {
  const auto end = weights_at(kernel, lowest_r<K> + 1), begin = weights_at(kernel, lowest_r<K>);
  double step = std::max(std::abs(end.front()), std::abs(begin.back()));
  for (std::size_t j = 1; j < end.size(); ++j) step = std::max(step, std::abs(end[j] - begin[j - 1]));
  return step;
}

} // namespace

TEST_CASE("weights are phi at the points of the support") {
  for_each_kernel([](const auto& kernel) {
    check_at_most(worst_difference<double>(kernel), 1);
    check_at_most(worst_difference<float>(kernel), 1);
  });
}

TEST_CASE("weights of a vector of particles are those of its particles, to the bit") {
  for_each_kernel([]<class K>(const K& kernel) {
    const double low = lowest_r<K>;
    Lanes r, w[K::support];
    const double at[4] = {low, low + 0.3, low + 0.5, low + 1};
    for (int i = 0; i < 4; ++i) r.lane[i] = at[i];
    kernel.weights(r, w);
    int different = 0;
    for (int i = 0; i < 4; ++i) {
      const auto expected = weights_at(kernel, at[i]);
      for (std::size_t j = 0; j < expected.size(); ++j) different += w[j].lane[i] == expected[j] ? 0 : 1;
    }
    check_at_most(different, 0);
  });
}

TEST_CASE("phi is even, and 0 beyond the support") {
  for_each_kernel([]<class K>(const K& kernel) {
    double worst = 0;
    for (int i = 0; i < 1000; ++i) { // never where polynomials meet
      const double r = 0.5 * K::support * (i + 0.37) / 1000;
      worst = std::max(worst, std::abs(kernel(r) - kernel(-r)));
    }
    check_at_most(worst, round_off(0));
    for (const double beyond : {1e-6, 0.25, 0.5, 1.0, 1.75, 1000.0}) {
      const double r = 0.5 * K::support + beyond;
      check_at_most(std::abs(kernel(r)), round_off(0));
      check_at_most(std::abs(kernel(-r)), round_off(0));
      check_at_most(std::abs(kernel(static_cast<float>(r))), round_off<float>(0));
    }
  });
}

TEST_CASE("weights are continuous where the support moves on") {
  for_each_kernel([]<class K>(const K& kernel) {
    if constexpr (std::is_same_v<K, kernels::Nearest>) {
      check_at_most(std::abs(largest_step(kernel) - 1), 0);
    } else if constexpr (kernels::sums_to_one<K>) {
      check_at_most(largest_step(kernel), round_off(0));
    } else { // windows end with a small step, and polynomials meet within their errors
      const double error = std::max(1e-13, std::max(10 * std::exp(-2.5 * K::support), std::pow(10., 1 - K::support)));
      check_at_most(largest_step(kernel), kernel.exact(0.5 * K::support) + 2 * error);
    }
  });
}

TEST_CASE("Every shipped kernel is found by its name") {
  std::map<std::string_view, std::type_index> shipped;
  kernels::for_each_shipped([&]<class K>(const K&) {
    static_assert(kernels::Kernel<K> != kernels::CompositeKernel<K>);
    static_assert(kernels::Shipped<K>);
    shipped.emplace(K::name, typeid(K));
  });
  std::set<std::string_view> names;
  for (const auto& [name, type] : shipped) {
    std::type_index found = typeid(void);
    CHECK(kernels::with_kernel(name, [&]<class K>(const K&) { found = typeid(K); }));
    CHECK(found == type);
    names.insert(name);
  }
  CHECK(names == std::set<std::string_view>(kernels::shipped_names.begin(), kernels::shipped_names.end()));
  CHECK(names.size() == 14 + 4 + 2 * 15);
  for (const std::string_view name :
       {"nearest", "linear", "roma3", "peskin4", "cosine4", "ib5", "ib6", "bspline3", "bspline6", "smoothed_roma3",
        "smoothed_peskin4", "smoothed_cosine4", "composite32", "composite65", "kaiser_bessel2", "kaiser_bessel16",
        "exponential_semicircle2", "exponential_semicircle16"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("An unknown name calls nothing") {
  for (const std::string_view name : {"", "Linear", "bspline2", "kaiser_bessel1", "kaiser_bessel17", "linear "})
    CHECK_FALSE(kernels::with_kernel(name, [](const auto&) { FAIL("called"); }));
}

TEST_CASE("A kernel with parameters of the user's own type isn't shipped") {
  CHECK_FALSE(kernels::is_shipped<kernels::KaiserBessel<8, kernels::papers_degree(8)>>);
  CHECK(kernels::is_shipped<kernels::KaiserBessel<8>>);
  CHECK_FALSE(kernels::is_shipped<int>);
}

// Smoothed kernels are their base kernels averaged over one grid spacing.

namespace {

/// The integral of phi from a to b by Gauss-Legendre quadrature of five points on short pieces; the ends of the pieces
/// include all multiples of 1/2, between which phi is smooth.
template <class K> double integral(const K& phi, double a, double b) {
  const double node[] = {0, 0.53846931010568309, 0.90617984593866399};
  const double weight[] = {128. / 225, 0.47862867049936647, 0.23692688505618909};
  double sum = 0;
  while (a < b) {
    const double end = std::min(b, (std::floor(a * 128) + 1) / 128), half = 0.5 * (end - a), middle = a + half;
    sum += half * weight[0] * phi(middle);
    for (int i = 1; i < 3; ++i) sum += half * weight[i] * (phi(middle - half * node[i]) + phi(middle + half * node[i]));
    a = end;
  }
  return sum;
}

template <class Base, class K> void require_average(double at_zero) {
  INFO(std::string(K::name));
  static_assert(K::support == Base::support + 1);
  double worst = 0;
  for (int i = 0; i <= 400; ++i) {
    const double r = 0.5 * K::support * i / 400;
    worst = std::max(worst, std::abs(K{}(r) - integral(Base{}, r - 0.5, r + 0.5)));
  }
  CHECK(worst <= round_off(128)); // pieces
  CHECK(std::abs(K{}(0.0) - at_zero) < 1e-6);
}

} // namespace

TEST_CASE("Smoothed kernels are averages of their base over one spacing") {
  using namespace kernels;
  require_average<Linear, SmoothedLinear>(0.75);
  require_average<Roma3, SmoothedRoma3>(0.618200);
  require_average<Peskin4, SmoothedPeskin4>(0.473175);
  require_average<Cosine4, SmoothedCosine4>(0.475079);
}

} // namespace corral::test
