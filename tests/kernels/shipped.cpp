#include "tests/kernels/offsets.hpp"

#include <set>
#include <string_view>

namespace corral::test {

TEST_CASE("Every shipped kernel is found by its name") {
  std::set<std::string_view> names;
  kernels::for_each_shipped([&]<class K>(const K&) {
    static_assert(kernels::Kernel<K> != kernels::CompositeKernel<K>);
    static_assert(kernels::Shipped<K>);
    names.insert(K::name);
    std::string_view found;
    CHECK(kernels::with_kernel(K::name, [&]<class Found>(const Found&) {
      CHECK(std::is_same_v<Found, K>);
      found = Found::name;
    }));
    CHECK(found == K::name);
  });
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

} // namespace corral::test
