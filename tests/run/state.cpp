#include "run/state/books.hpp"
#include "run/state/entry.hpp"
#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"

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

using corral::test::small_grid;

TEST_CASE("Fields are shown at the cells, wherever their points lie") {
  Registry r(small_grid());
  const auto linear = [&](std::string name, Staggering s) -> const Entry& {
    Array<double>& values = r.declare_field(name, "", "", s, Use::shown);
    const Entry& e = *r.find(name);
    for (std::int64_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>(10 * (i / e.extents[0] % e.extents[1]) + 100 * (i / e.extents[0] / e.extents[1])) +
                  5.0 * on_face(s, 1) * -1 + 50.0 * on_face(s, 2) * -1;
    return e;
  };
  for (const Staggering s : all_staggerings) { // linear in y and z, where nothing wraps: the mean is exact
    const CellMeans mean(linear("f_" + std::string(name(s)), s));
    for (const std::int64_t i : {0, 3}) CHECK(mean(i, 2, 1) == 10 * 2 + 100 * 1);
  }
  const Components gas = r.declare_vector_field("gas", "m/s", "", on_faces, Use::shown);
  for (std::int64_t i = 0; i < 4; ++i) (*gas[0])[i] = static_cast<double>(i);
  CHECK(CellMeans(*r.find("gas", 0))(3, 0, 0) == 1.5); // the upper face of the last cell is the first cell's lower one
}
