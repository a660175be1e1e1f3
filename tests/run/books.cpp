#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"

#include "run/state/books.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <string>

using namespace corral;
using namespace corral::run;
using corral::test::parcel_kind;
using corral::test::small_grid;

TEST_CASE("Books balance exactly and say what is missing") {
  Registry r(small_grid());
  ParticleSet& parcels = r.declare_set(parcel_kind);
  Books books(r, parcels);
  std::int64_t& top = books.add_boundary("top");
  std::int64_t& bottom = books.add_boundary("bottom");
  std::int64_t& overlap = books.add_cause("overlap");
  CHECK(books.balance());

  constexpr std::int64_t many = 1LL << 40;
  books.created() = many + 15;
  parcels.resize(5);
  top = many;
  bottom = 7;
  CHECK_FALSE(books.balance());
  CHECK_THROWS_AS(books.check(), Error);
  overlap = 3;
  CHECK(books.balance());
  CHECK_NOTHROW(books.check());
  CHECK(books.left() == many + 7);
  CHECK(books.rejected() == 3);
  CHECK(*r.find("parcels_left_top")->counter() == many);

  parcels.resize(4);
  try {
    books.check();
    FAIL("unbalanced books were accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("inside 4, left 1099511627783 [top 1099511627776, bottom 7]") !=
          std::string::npos);
  }
}
