#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"

#include "run/state/registry.hpp"

#include <corral/cell_order.hpp>
#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::run;
using corral::test::parcel_kind;
using corral::test::small_grid;

namespace {
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
} // namespace

TEST_CASE("The registry says what needed how much memory") {
  Registry r(small_grid());
  ParticleSet& parcels = r.declare_set(parcel_kind);
  parcels.declare_vector_column("velocity", "m/s", "", Use::saved);
  const auto what = [](auto&& work) -> std::string {
    try {
      work();
    } catch (const std::bad_alloc& e) {
      return e.what();
    }
    return "";
  };
  constexpr std::int64_t many = std::int64_t{1} << 61;
  CHECK(what([&] { parcels.resize(many); }) ==
        "velocity_x of " + std::to_string(many) + " parcels takes 1.84e+10 GB");
  CHECK(parcels.size() == 0);
}

TEST_CASE("The registry sizes what is declared") {
  Registry r(small_grid());
  ParticleSet& parcels = r.declare_set(parcel_kind);
  parcels.resize(5);
  const Array<double>& pressure = r.declare_field("pressure", "Pa", "", Staggering::centre, Use::saved);
  const Components velocity = r.declare_vector_field("velocity", "m/s", "", on_faces, Use::saved);
  const Components position = parcels.declare_vector_column("position", "m", "", Use::saved);
  const Array<std::uint64_t>& id = parcels.declare_ids("id", "", Use::saved);

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
  ParticleSet& parcels = r.declare_set(parcel_kind);
  Array<double>& diameter = parcels.declare_column("diameter", "m", "", Use::saved);
  Array<double>& pressure = r.declare_field("pressure", "Pa", "", Staggering::centre, Use::saved);
  parcels.resize(3);
  diameter.fill(1);
  parcels.resize(1);
  parcels.resize(3);
  CHECK(diameter[0] == 1);
  CHECK(diameter[1] == 0);
  CHECK(diameter[2] == 0);
  CHECK(pressure.size() == 24);
  CHECK_THROWS_AS(parcels.resize(-1), Error);
}

TEST_CASE("References to entries stay valid while more is declared") {
  Registry r(small_grid());
  double& first = r.declare_real("first", "s", "", Use::saved);
  for (int i = 0; i < 1000; ++i) r.declare_counter("counter_" + std::to_string(i), "", Use::saved);
  first = 2;
  CHECK(*r.find("first")->real() == 2);
}

TEST_CASE("Names are unique and plain") {
  Registry r(small_grid());
  r.declare_vector_field("velocity", "m/s", "", on_faces, Use::none);
  CHECK_THROWS_AS(r.declare_field("velocity_y", "", "", Staggering::centre, Use::none), Error);
  CHECK_THROWS_AS(r.declare_vector_field("velocity", "", "", on_faces, Use::none), Error);
  CHECK_THROWS_AS(r.declare_real("", "", "", Use::none), Error);
  CHECK_THROWS_AS(r.declare_real("a \"b\"", "", "", Use::none), Error);
  CHECK_NOTHROW(r.declare_counter("left_jet-1", "", Use::none));
}

TEST_CASE("The first value that is not finite is named") {
  Registry r(small_grid());
  ParticleSet& parcels = r.declare_set(parcel_kind);
  Array<double>& pressure = r.declare_field("pressure", "Pa", "", Staggering::centre, Use::saved);
  const Components velocity = r.declare_vector_field("velocity", "m/s", "", on_faces, Use::saved);
  Array<double>& scratch = r.declare_field("scratch", "", "", Staggering::centre, Use::shown);
  Array<double>& diameter = parcels.declare_column("diameter", "m", "", Use::saved);
  double& impulse = r.declare_real("impulse", "N s", "", Use::saved);
  parcels.resize(100000);

  Array<double> watched(3, not_a_number);
  r.bind("watched", "", "", watched, Use::saved | Use::watched);
  CHECK(!r.find_not_finite());
  Array<float> floats(5, std::numeric_limits<float>::max());
  r.bind("floats", "", "", floats);
  CHECK(!r.find_not_finite());
  floats[3] = std::numeric_limits<float>::infinity();
  CHECK(r.find_not_finite() == "floats at 3 is inf");
  floats[3] = 0;
  scratch[0] = not_a_number;
  CHECK(!r.find_not_finite());
  Entry& of_pressure = *std::find_if(r.entries().begin(), r.entries().end(), [&](const Entry& e) { return e.reals() == &pressure; });
  of_pressure.known = distributed::Piece{2, 4};
  for (const std::int64_t unknown : {0, 1, 4}) pressure[unknown] = not_a_number;
  CHECK(!r.find_not_finite());
  pressure[3] = not_a_number;
  CHECK(r.find_not_finite() == "pressure at cell (3, 0, 0) is nan");
  of_pressure.known.reset();
  pressure.zero();
  impulse = not_a_number;
  CHECK(r.find_not_finite() == "impulse is nan");
  diameter[99999] = not_a_number;
  CHECK(r.find_not_finite() == "diameter of parcel at index 99999 is nan");
  Array<std::uint64_t>& id = parcels.declare_ids("id", "", Use::saved);
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
  Array<double>& x = r.declare_field("x", "", "", Staggering::centre, Use::saved);
  x[0] = std::numeric_limits<double>::max();
  x[1] = std::numeric_limits<double>::lowest();
  x[2] = std::numeric_limits<double>::denorm_min();
  x[3] = -0.0;
  CHECK(!r.find_not_finite());
}

namespace {

/// Everything that a registry can hold.
struct Full {
  explicit Full(const Grid& grid = small_grid())
      : r(grid), sites(r.declare_set({.name = "sites", .one = "site"})),
        vertices(r.declare_set({.name = "vertices", .one = "vertex", .keeps_order = true})) {
    r.bind("lent", "s", "", lent);
    r.bind("lent_counter", "", counter);
    r.bind("table", "s", "", table);
  }

  Registry r;
  ParticleSet& sites;
  ParticleSet& vertices;
  Array<double>& node = r.declare_field("node", "Pa", "", Staggering::node, Use::saved);
  Components gas = r.declare_vector_field("gas", "m/s", "", on_faces, Use::saved);
  Array<double>& shown = r.declare_field("shown", "", "", Staggering::centre, Use::shown);
  Components position = sites.declare_vector_column("position", "m", "", Use::saved);
  Array<std::uint64_t>& id = sites.declare_ids("id", "", Use::saved);
  Components of_vertices = vertices.declare_vector_column("position", "m", "", Use::saved);
  Array<std::int32_t>& triangles = vertices.declare_connectivity("triangles", "", 3, Use::saved);
  double& number = r.declare_real("number", "s", "", Use::saved);
  double lent = 0;
  std::int64_t counter = 0;
  Array<double> table;
};

} // namespace

TEST_CASE("A registry takes over all that another has saved, sizes included") {
  Full a, b;
  a.sites.resize(5);
  a.vertices.resize(3);
  a.triangles.assign(std::array<std::int32_t, 3>{2, 0, 1});
  a.table.resize(2, 7.5);
  a.node[47] = 1, (*a.gas[2])[35] = 2, a.shown[3] = 3, (*a.position[1])[4] = 4, a.id[4] = 5;
  (*a.of_vertices[0])[2] = 6, a.number = 7, a.lent = 8, a.counter = 9;
  b.r.assign(a.r);
  CHECK(b.sites.size() == 5);
  CHECK(b.vertices.size() == 3);
  CHECK(std::vector<std::int32_t>(b.triangles.begin(), b.triangles.end()) == std::vector<std::int32_t>{2, 0, 1});
  CHECK(b.table.size() == 2);
  CHECK(b.table[1] == 7.5);
  CHECK(b.node[47] == 1);
  CHECK((*b.gas[2])[35] == 2);
  CHECK(b.shown[3] == 0); // not state
  CHECK((*b.position[1])[4] == 4);
  CHECK(b.id[4] == 5);
  CHECK((*b.of_vertices[0])[2] == 6);
  CHECK(b.number == 7);
  CHECK(b.lent == 8);
  CHECK(b.counter == 9);
  a.lent = 10;
  CHECK(b.lent == 8);
}

TEST_CASE("What is optional stays as it was made where a state lacks it, and is taken where it is there") {
  Registry before(small_grid()), after(small_grid());
  double was = 1, is = 2;
  after.bind("sum", "", "", is, Use::saved | Use::optional);
  after.assign(before);
  CHECK(is == 2);
  before.bind("sum", "", "", was);
  after.assign(before);
  CHECK(is == 1);
}

TEST_CASE("A registry refuses the state of another case, and stays as it was") {
  const auto said = [](const Registry& from) -> std::string {
    Full a;
    a.number = 3;
    try {
      a.r.assign(from);
    } catch (const Error& e) {
      CHECK(a.number == 3);
      CHECK(a.sites.size() == 0);
      return e.what();
    }
    return "";
  };
  Full larger(Grid({Axis{5, 0, 1}, Axis{3, 0, 1}, Axis{2, 0, 1}}));
  larger.sites.resize(2);
  CHECK(said(larger.r).starts_with("node has another shape"));
  Registry nothing(small_grid());
  CHECK(said(nothing).starts_with("there is no set sites"));
  nothing.declare_set({.name = "sites", .one = "site"});
  nothing.declare_set({.name = "vertices", .one = "vertex"});
  CHECK(said(nothing).starts_with("there is no node"));
}

TEST_CASE("What has several components has an entry for each, by numbers; three are a vector's") {
  Registry r(small_grid());
  ParticleSet& parcels = r.declare_set(parcel_kind);
  const Columns shares = r.declare_fields("share", "", "", 2, Staggering::centre, Use::saved);
  const Columns strain = parcels.declare_columns("strain", "", "", 6, Use::saved);
  REQUIRE(strain.size() == 6);
  CHECK(shares[1]->size() == 24);
  CHECK(r.find("share", 1)->full_name() == "share_1");
  CHECK(parcels.find("strain", 5)->reals() == strain[5]);
  CHECK(parcels.find("strain", 6) == nullptr);
  CHECK_THROWS_AS(r.declare_field("share", "", "", Staggering::centre, Use::saved), Error);
  CHECK_THROWS_AS(r.declare_field("share_1", "", "", Staggering::centre, Use::saved), Error);
  CHECK_THROWS_AS(parcels.declare_columns("strain", "", "", 3, Use::saved), Error);
  const Columns vector = parcels.declare_columns("velocity", "m/s", "", 3, Use::saved);
  CHECK(parcels.find("velocity", 2)->full_name() == "velocity_z");
}

TEST_CASE("Columns of integers and of several components go where their particles go") {
  Registry r(small_grid()), other(small_grid());
  const auto declare = [](Registry& registry) -> ParticleSet& {
    ParticleSet& parcels = registry.declare_set(parcel_kind);
    parcels.declare_vector_column("position", "m", "", Use::saved);
    parcels.declare_integers("kind", "", Use::saved);
    parcels.declare_columns("strain", "", "", 2, Use::saved);
    return parcels;
  };
  ParticleSet &parcels = declare(r), &copies = declare(other);
  constexpr std::int64_t n = 7;
  parcels.resize(n);
  const auto of = [](ParticleSet& set, const char* name, int c) -> Array<double>& { return *set.find(name, c)->reals(); };
  Array<std::int32_t>& kind = *parcels.find("kind")->integers();
  CHECK(parcels.find("kind")->bytes() >= 4 * n);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(n - i);
    of(parcels, "position", 0)[i] = x / (n + 1);
    kind[i] = static_cast<std::int32_t>(-x);
    for (int c = 0; c < 2; ++c) of(parcels, "strain", c)[i] = x + 10 * c;
  }
  CellOrder<double> order(r.grid());
  const auto [x, y, z] = pointers({&of(parcels, "position", 0), &of(parcels, "position", 1), &of(parcels, "position", 2)});
  order.sort(Cpu{}, positions<double>(x, y, z, n));
  parcels.reorder(Cpu{}, order);
  Array<std::uint8_t> gone(n, 0);
  gone[0] = gone[3] = 1;
  parcels.remove(Cpu{}, gone);
  REQUIRE(kind.size() == n - 2);
  for (std::int64_t i = 0; i < n - 2; ++i)
    for (int c = 0; c < 2; ++c) CHECK(of(parcels, "strain", c)[i] == 10 * c - kind[i]);
  other.assign(r);
  CHECK(copies.find("kind")->integers()->values() == kind.values());
}

TEST_CASE("Sets have names of their own, sizes of their own, and an order") {
  Full f;
  f.sites.resize(4);
  CHECK(f.position[0]->size() == 4);
  CHECK(f.of_vertices[0]->size() == 0);
  CHECK(f.r.find_set("sites") == &f.sites);
  CHECK(f.r.find_set("parcels") == nullptr);
  CHECK(f.r.find("position", 0) == nullptr); // of a set
  CHECK(f.sites.find("position", 0)->set == &f.sites);
  CHECK(f.vertices.triangles()->corners == 3);
  CHECK(f.sites.triangles() == nullptr);
  CHECK(f.vertices.bonds() == nullptr);
  CHECK(f.sites.columns().size() == 4);
  CHECK_THROWS_AS(f.r.declare_set({.name = "sites", .one = "site"}), Error);
  CHECK_THROWS_AS(f.sites.declare_column("position_x", "", "", Use::saved), Error);
  CHECK_THROWS_AS(f.sites.declare_connectivity("bonds", "", 2, Use::saved), Error);
  CHECK_NOTHROW(f.vertices.declare_ids("id", "", Use::saved));
  CHECK_THROWS_AS(f.sites.declare_on_triangles("tension", "N/m", "", Use::saved), Error);
  f.triangles.assign(std::array<std::int32_t, 6>{0, 1, 2, 2, 1, 3});
  Array<double>& tension = f.vertices.declare_on_triangles("tension", "N/m", "", Use::saved);
  CHECK(tension.size() == 2);
  CHECK(f.vertices.on_triangles().size() == 1);
  f.vertices.resize(4);
  CHECK(tension.size() == 2);
  tension[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(f.r.find_not_finite() == "tension on triangle 1 of vertices is nan");
  tension[1] = 0;

  for (std::int64_t i = 0; i < 4; ++i) f.id[i] = static_cast<std::uint64_t>(10 + i), (*f.position[2])[i] = 0.5 * double(i);
  Array<std::uint8_t> gone(4, 0);
  gone[0] = gone[2] = 1;
  f.sites.remove(Cpu{}, gone);
  CHECK(f.sites.size() == 2);
  CHECK(f.id[0] == 11);
  CHECK(f.id[1] == 13);
  CHECK((*f.position[2])[1] == 1.5);

  (*f.position[0])[0] = 2.5, (*f.position[0])[1] = 0.5; // the second comes first in cell order
  for (const std::size_t d : {1, 2}) f.position[d]->fill(0.25);
  CellOrder<double> order(f.r.grid(), {Offset::zero, Offset::zero, Offset::zero});
  order.sort(Cpu{}, positions(f.position[0]->data(), f.position[1]->data(), f.position[2]->data(), 2));
  CHECK_THROWS_AS(f.vertices.reorder(Cpu{}, order), Error);
  CHECK_THROWS_AS(f.vertices.remove(Cpu{}, gone), Error);
  f.sites.reorder(Cpu{}, order);
  CHECK(f.id[0] == 13);
  CHECK((*f.position[0])[0] == 0.5);
}
