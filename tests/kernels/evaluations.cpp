#include "tests/kernels/offsets.hpp"

/// What a call of `weights` costs, counted.
namespace corral::test {
namespace {

struct Cost {
  int roots = 0, cosines = 0, arcsines = 0, products = 0;
};

/// A number that counts what is done with it. Constants are free.
struct Counted {
  double value = 0;

  Counted() = default;
  explicit Counted(double v) : value(v) {}

  static inline Cost cost;
  static Counted counted(int& counter, double v) { return ++counter, Counted(v); }

  friend Counted operator+(Counted a, Counted b) { return Counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return Counted(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return counted(cost.products, a.value * b.value); }
  friend Counted multiply_add(Counted a, Counted b, Counted c) { return a * b + c; }
  friend Counted sqrt(Counted a) { return counted(cost.roots, std::sqrt(a.value)); }
  friend Counted cos(Counted a) { return counted(cost.cosines, std::cos(a.value)); }
  friend Counted asin(Counted a) { return counted(cost.arcsines, std::asin(a.value)); }
};

template <class K> Cost cost_of(const K& kernel) {
  Counted w[K::support];
  Counted::cost = {};
  kernel.weights(Counted(0.25), w);
  return Counted::cost;
}

template <class K> void require_cost(int roots, int cosines, int arcsines) {
  INFO(std::string(K::name));
  const Cost cost = cost_of(K{});
  CHECK(cost.roots == roots);
  CHECK(cost.cosines == cosines);
  CHECK(cost.arcsines == arcsines);
}

} // namespace

TEST_CASE("All weights of an axis cost one square root, at most one cosine or arcsine") {
  using namespace kernels;
  require_cost<Roma3>(1, 0, 0);
  require_cost<Peskin4>(1, 0, 0);
  require_cost<Ib5>(1, 0, 0);
  require_cost<Ib6>(1, 0, 0);
  require_cost<Cosine4>(1, 1, 0);
  require_cost<SmoothedRoma3>(1, 0, 1);
  require_cost<SmoothedPeskin4>(1, 0, 1);
  require_cost<SmoothedCosine4>(1, 1, 0);
}

TEST_CASE("Kernels made of polynomials evaluate nothing else") {
  using namespace kernels;
  require_cost<Nearest>(0, 0, 0);
  require_cost<Linear>(0, 0, 0);
  for_each_of(List<BSpline<3>, BSpline<4>, BSpline<5>, BSpline<6>>{}, []<class K>(K) { require_cost<K>(0, 0, 0); });
  for_each_kernel([]<class K>(const K&) {
    if constexpr (!sums_to_one<K>) require_cost<K>(0, 0, 0);
  });
}

TEST_CASE("A B-spline of n points costs n (n - 1) products") {
  using namespace kernels;
  for_each_of(List<BSpline<3>, BSpline<4>, BSpline<5>, BSpline<6>>{},
              []<class K>(const K& kernel) { CHECK(cost_of(kernel).products == K::support * (K::support - 1)); });
}

TEST_CASE("Mirrored stretches of a window share their products") {
  // Per pair of points: degree - 1 products by Horner's rule in z^2, one by z; z itself and z^2 cost one each.
  CHECK(cost_of(kernels::KaiserBessel<8, 8>{}).products == 4 * 8 + 2);
  CHECK(cost_of(kernels::KaiserBessel<7, 8>{}).products == 3 * 8 + 4 + 2);
  CHECK(cost_of(kernels::ExponentialSemicircle<6, 7>{}).products == 3 * 7 + 2);
}

} // namespace corral::test
