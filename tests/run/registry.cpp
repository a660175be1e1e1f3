#include "tests/catch.hpp"

#include "run/books.hpp"
#include "run/registry.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

using namespace corral;
using namespace corral::run;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// 4 x 3 x 2 cells, periodic in x.
Grid small_grid() {
  Axis x{4, 0, 1}, y{3, 0, 1, Boundary::wall, Boundary::wall}, z{2, 0, 1, Boundary::wall, Boundary::open};
  return Grid({x, y, z});
}

} // namespace

TEST_CASE("The registry says what needed how much memory") {
  Registry r(small_grid());
  r.declare_vector_column("velocity", "m/s", "", Use::saved);
  const auto what = [](auto&& work) -> std::string {
    try {
      work();
    } catch (const std::bad_alloc& e) {
      return e.what();
    }
    return "";
  };
  constexpr std::int64_t many = std::int64_t{1} << 61;
  CHECK(what([&] { r.set_parcel_count(many); }) ==
        "velocity_x of " + std::to_string(many) + " parcels takes 1.84e+10 GB");
  CHECK(r.parcel_count() == 0);
}

TEST_CASE("The registry sizes what is declared") {
  Registry r(small_grid());
  r.set_parcel_count(5);
  const Array<double>& pressure = r.declare_cell_field("pressure", "Pa", "", Use::saved);
  const Components velocity = r.declare_face_field("velocity", "m/s", "", Use::saved);
  const Components position = r.declare_vector_column("position", "m", "", Use::saved);
  const Array<std::uint64_t>& id = r.declare_id_column("id", "", Use::saved);

  CHECK(pressure.size() == 24);
  CHECK(velocity[0]->size() == 4 * 3 * 2);
  CHECK(velocity[1]->size() == 4 * 4 * 2);
  CHECK(velocity[2]->size() == 4 * 3 * 3);
  CHECK(r.find("velocity", 2)->extents == std::array<std::int64_t, 3>{4, 3, 3});
  CHECK(position[2]->size() == 5);
  CHECK(id.size() == 5);
  CHECK(r.bytes() == 8 * (24 + 24 + 32 + 36 + 3 * 5 + 5));
}

TEST_CASE("New parcels hold zeros, and only parcel columns change") {
  Registry r(small_grid());
  Array<double>& diameter = r.declare_column("diameter", "m", "", Use::saved);
  Array<double>& pressure = r.declare_cell_field("pressure", "Pa", "", Use::saved);
  r.set_parcel_count(3);
  diameter.fill(1);
  r.set_parcel_count(1);
  r.set_parcel_count(3);
  CHECK(diameter[0] == 1);
  CHECK(diameter[1] == 0);
  CHECK(diameter[2] == 0);
  CHECK(pressure.size() == 24);
  CHECK_THROWS_AS(r.set_parcel_count(-1), Error);
}

TEST_CASE("References to entries stay valid while more is declared") {
  Registry r(small_grid());
  double& first = r.declare_scalar("first", "s", "", Use::saved);
  for (int i = 0; i < 1000; ++i) r.declare_counter("counter_" + std::to_string(i), "", Use::saved);
  first = 2;
  CHECK(std::get<double>(r.find("first")->value) == 2);
}

TEST_CASE("Names are unique and plain") {
  Registry r(small_grid());
  r.declare_face_field("velocity", "m/s", "", Use::none);
  CHECK_THROWS_AS(r.declare_cell_field("velocity_y", "", "", Use::none), Error);
  CHECK_THROWS_AS(r.declare_face_field("velocity", "", "", Use::none), Error);
  CHECK_THROWS_AS(r.declare_scalar("", "", "", Use::none), Error);
  CHECK_THROWS_AS(r.declare_scalar("a \"b\"", "", "", Use::none), Error);
  CHECK_NOTHROW(r.declare_counter("left_jet-1", "", Use::none));
}

TEST_CASE("The first value that is not finite is named") {
  Registry r(small_grid());
  Array<double>& pressure = r.declare_cell_field("pressure", "Pa", "", Use::saved);
  const Components velocity = r.declare_face_field("velocity", "m/s", "", Use::saved);
  Array<double>& scratch = r.declare_cell_field("scratch", "", "", Use::shown);
  Array<double>& diameter = r.declare_column("diameter", "m", "", Use::saved);
  double& impulse = r.declare_scalar("impulse", "N s", "", Use::saved);
  r.set_parcel_count(100000);

  CHECK(!r.find_not_finite());
  scratch[0] = not_a_number;
  CHECK(!r.find_not_finite());
  impulse = not_a_number;
  CHECK(r.find_not_finite() == "impulse is nan");
  diameter[99999] = not_a_number;
  CHECK(r.find_not_finite() == "diameter of parcel at index 99999 is nan");
  Array<std::uint64_t>& id = r.declare_id_column("id", "", Use::saved);
  id[77777] = 0xffffffffffffffff;
  diameter[77777] = -std::numeric_limits<double>::infinity();
  CHECK(r.find_not_finite() == "diameter of parcel 18446744073709551615 is -inf");
  (*velocity[1])[4 * 4 * 2 - 1] = std::numeric_limits<double>::infinity();
  CHECK(r.find_not_finite() == "velocity_y at face (3, 3, 1) is inf");
  pressure[4 + 2] = not_a_number;
  CHECK(r.find_not_finite() == "pressure at cell (2, 1, 0) is nan");
  for (const int threads : {1, 2, 3})
    run_with_threads(threads, [&] { CHECK(r.find_not_finite() == "pressure at cell (2, 1, 0) is nan"); });
}

TEST_CASE("The largest and smallest numbers are finite") {
  Registry r(small_grid());
  Array<double>& x = r.declare_cell_field("x", "", "", Use::saved);
  x[0] = std::numeric_limits<double>::max();
  x[1] = std::numeric_limits<double>::lowest();
  x[2] = std::numeric_limits<double>::denorm_min();
  x[3] = -0.0;
  CHECK(!r.find_not_finite());
}

TEST_CASE("Books balance exactly and say what is missing") {
  Registry r(small_grid());
  Books books(r);
  std::int64_t& top = books.add_boundary("top");
  std::int64_t& bottom = books.add_boundary("bottom");
  std::int64_t& overlap = books.add_cause("overlap");
  CHECK(books.balance());

  constexpr std::int64_t many = 1LL << 40;
  books.created() = many + 15;
  r.set_parcel_count(5);
  top = many;
  bottom = 7;
  CHECK_FALSE(books.balance());
  CHECK_THROWS_AS(books.check(), Error);
  overlap = 3;
  CHECK(books.balance());
  CHECK_NOTHROW(books.check());
  CHECK(books.left() == many + 7);
  CHECK(books.rejected() == 3);
  CHECK(std::get<std::int64_t>(r.find("left_top")->value) == many);

  r.set_parcel_count(4);
  try {
    books.check();
    FAIL("unbalanced books were accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("inside 4, left 1099511627783 [top 1099511627776, bottom 7]") !=
          std::string::npos);
  }
}
