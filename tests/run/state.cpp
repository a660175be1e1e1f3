#include "run/state/books.hpp"
#include "run/state/entry.hpp"
#include "run/state/file_values.hpp"
#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

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

/// What files show of a field with all its components in a cell.
std::vector<double> shown_at(const Registry& registry, const Entry& field, const std::array<std::int64_t, 3>& cell) {
  const FileValues values(registry, field, Form::cell_means);
  const std::int64_t c = cell[0] + registry.grid().axis(0).cells * (cell[1] + registry.grid().axis(1).cells * cell[2]);
  std::vector<double> shown(static_cast<std::size_t>(values.each() / 8));
  values.make({c, c + 1}, reinterpret_cast<std::byte*>(shown.data()));
  return shown;
}

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
    const Entry& field = linear("f_" + std::string(name(s)), s);
    for (const std::int64_t i : {0, 3}) CHECK(shown_at(r, field, {i, 2, 1}).front() == 10 * 2 + 100 * 1);
  }
  const Components gas = r.declare_vector_field("gas", "m/s", "", on_faces, Use::shown);
  for (std::int64_t i = 0; i < 4; ++i) (*gas[0])[i] = static_cast<double>(i);
  const std::vector<double> last = shown_at(r, *r.find("gas", 0), {3, 0, 0});
  CHECK(last.size() == 3);
  CHECK(last.front() == 1.5); // the upper face of the last cell is the first cell's lower one
}

TEST_CASE("What stands in files is made in pieces of any size") {
  Registry r(small_grid());
  const Components gas = r.declare_vector_field("gas", "m/s", "", on_faces, Use::shown);
  Array<double>& corners = r.declare_field("corners", "", "", Staggering::node, Use::shown);
  for (Array<double>* values : {gas[0], gas[1], gas[2], &corners})
    for (std::int64_t i = 0; i < values->size(); ++i) (*values)[i] = static_cast<double>(i * i % 101);
  ParticleSet& set = r.declare_set({.name = "grains", .one = "grain"});
  Array<std::int32_t>& colour = set.declare_integers("colour", "", Use::shown);
  set.declare_vector_column("position", "m", "", Use::shown);
  set.resize(53);
  for (std::int64_t i = 0; i < 53; ++i) colour[i] = static_cast<std::int32_t>(-i), (*set.find("position", 1)->reals())[i] = 0.5 * static_cast<double>(i);
  const auto check = [&](const Entry& entry, Form form) {
    const FileValues values(r, entry, form);
    const auto made = [&](std::int64_t at_once) {
      std::vector<std::byte> bytes(static_cast<std::size_t>(values.bytes()));
      for (std::int64_t begin = 0; begin < values.size(); begin += at_once)
        values.make({begin, std::min(begin + at_once, values.size())}, bytes.data() + begin * values.each());
      return bytes;
    };
    for (const std::int64_t at_once : {1, 5, 7, 16}) CHECK(made(at_once) == made(values.size()));
    std::vector<std::int64_t> words(static_cast<std::size_t>(values.bytes() / 8));
    if (form != Form::values) std::memcpy(words.data(), made(values.size()).data(), words.size() * 8);
    return words;
  };
  check(*r.find("gas", 0), Form::cell_means);
  check(*r.find("corners"), Form::cell_means);
  check(*r.find("corners"), Form::values);
  check(*set.find("position"), Form::rows);
  CHECK(check(*set.find("colour"), Form::rows)[7] == -7);
  CHECK(check(*set.find("colour"), Form::words)[52] == -52);
  CHECK(check(*set.find("colour"), Form::numbers)[52] == 52);
}
