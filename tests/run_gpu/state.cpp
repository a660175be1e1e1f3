#include "run/state/registry.hpp"
#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"

#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/// A registry whose arrays lie on a device, beside one of the host.
namespace corral::test {
namespace {

using run::Entry;
using run::Registry;
using run::Use;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

bool is_saved(const Entry& e) { return has(e.use, Use::saved); }

struct State {
  explicit State(Memory memory) : r(small_grid(), memory) { r.bind("table", "s", "", table); }

  Registry r;
  Array<double>& node = r.declare_field("node", "Pa", "", Staggering::node, Use::saved);
  double& number = r.declare_real("number", "s", "", Use::saved);
  Array<double>& scratch = r.declare_field("scratch", "", "", Staggering::centre, Use::shown);
  run::Components gas = r.declare_vector_field("gas", "m/s", "", run::on_faces, Use::saved | Use::shown);
  run::ParticleSet& parcels = r.declare_set(parcel_kind);
  run::Components position = parcels.declare_vector_column("position", "m", "", Use::saved);
  Array<std::uint64_t>& id = parcels.declare_ids("id", "", Use::saved);
  Array<std::int32_t>& kind = parcels.declare_integers("kind", "", Use::saved | Use::shown);
  Array<double> table;
};

template <class T> void put(Array<T>& values, std::int64_t at, T value) {
  std::vector<T> all = values.values();
  all.at(static_cast<std::size_t>(at)) = value;
  values.assign(all);
}

/// Something in every place, another thing in each.
void fill(State& s, std::int64_t parcels, double with) {
  s.parcels.resize(parcels);
  s.number = with;
  s.table.resize(3, with + 1);
  double next = with;
  for (const Entry& e : s.r.entries()) {
    const auto make = [&](auto* values) {
      if (!values || e.kind == run::Kind::table) return;
      auto all = values->values();
      for (auto& value : all) value = static_cast<std::decay_t<decltype(value)>>(next += 1);
      values->assign(all);
    };
    make(e.reals());
    make(e.ids());
    make(e.integers());
  }
}

void check_same(const Registry& one, const Registry& other, const Registry::Wanted& of = is_saved) {
  REQUIRE(one.entries().size() == other.entries().size());
  auto b = other.entries().begin();
  for (const Entry& a : one.entries()) {
    INFO(a.full_name());
    CHECK(a.full_name() == b->full_name());
    if (of(a) && a.reals()) CHECK(a.reals()->values() == b->reals()->values());
    if (of(a) && a.ids()) CHECK(a.ids()->values() == b->ids()->values());
    if (of(a) && a.integers()) CHECK(a.integers()->values() == b->integers()->values());
    if (of(a) && a.real()) CHECK(*a.real() == *b->real());
    ++b;
  }
}

} // namespace

TEST_CASE("Host code sees what it asks for of a state on a device, as of one on the host") {
  State here(Memory::host), there(Memory::device);
  fill(here, 7, 0.5);
  fill(there, 7, 0.5);
  CHECK(&here.r.on_host(is_saved) == &here.r);
  const Registry& seen = there.r.on_host(is_saved);
  CHECK(&seen != &there.r);
  check_same(here.r, seen);
  const run::ParticleSet* parcels = seen.find_set("parcels");
  REQUIRE(parcels);
  CHECK(parcels->size() == 7);
  CHECK(parcels->find("position", 2)->set == parcels);
  CHECK((*parcels->find("position", 2)->reals())[6] == (*here.position[2])[6]); // as a writer reads it
  CHECK(seen.find("gas", 1)->extents == here.r.find("gas", 1)->extents);
  CHECK(seen.find("scratch")->reals()->empty()); // nobody asked for it

  fill(here, 9, 100);
  fill(there, 9, 100);
  CHECK(&there.r.on_host(run::is_seen) == &seen);
  check_same(here.r, seen, run::is_seen);
  CHECK(seen.find_set("parcels")->size() == 9);
  CHECK(seen.find("node")->reals()->values() != here.node.values()); // nor for that, since
}

TEST_CASE("What a device's state takes on the host is taken once") {
  State s(Memory::device);
  fill(s, 100, 1);
  const auto look = [&] {
    s.r.on_host(is_saved);
    CHECK(!s.r.find_not_finite());
    return std::array{memory_use(Memory::pinned).held, memory_use(Memory::device).held, memory_use(Memory::device).most,
                      memory_use(Memory::pinned).most};
  };
  const auto first = look();
  CHECK(first[0] >= 8 * (60 + 24 + 32 + 36 + 4 * 100) + 4 * 100);
  for (int again = 0; again < 3; ++again) CHECK(look() == first);
  s.parcels.resize(80);
  CHECK(look() == first);
}

TEST_CASE("What host code writes into a device's state is there, sizes included") {
  State from(Memory::host), to(Memory::device);
  fill(from, 11, 3);
  fill(to, 4, 9);
  const std::vector<double> scratch = to.scratch.values();
  to.r.fill_on_host([&](Registry& r) {
    r.sets().front().resize(11);
    auto source = from.r.entries().begin();
    for (const Entry& e : r.entries()) {
      if (is_saved(e) && e.name != "node") e.take(*source);
      ++source;
    }
  });
  CHECK(to.parcels.size() == 11);
  const std::vector<double> node = to.node.values();
  CHECK(node.front() == 10); // was left as it was
  CHECK(to.scratch.values() == scratch);
  from.node.assign(node);
  check_same(from.r, to.r.on_host(is_saved));

  State host(Memory::host);
  host.r.fill_on_host([&](Registry& r) { CHECK(&r == &host.r); });
}

TEST_CASE("A state on a device takes over another one's, wherever that lies, and is taken over") {
  State host(Memory::host), device(Memory::device), other(Memory::device), back(Memory::host);
  fill(host, 6, 2);
  device.r.assign(host.r);
  other.r.assign(device.r);
  back.r.assign(other.r);
  CHECK(back.parcels.size() == 6);
  check_same(host.r, back.r);
}

TEST_CASE("The first value that is not finite is named on a device as on the host") {
  State here(Memory::host), there(Memory::device);
  constexpr std::int64_t parcels = 10000;
  for (State* s : {&here, &there}) {
    fill(*s, parcels, 1);
    s->scratch.fill(nan); // which is not saved
  }
  const auto both = [&](const std::function<void(State&)>& change) {
    for (State* s : {&here, &there}) change(*s);
    const auto said = here.r.find_not_finite();
    CHECK(there.r.find_not_finite() == said);
    return said.value_or("all are finite");
  };
  CHECK(both([](State&) {}) == "all are finite");
  CHECK(both([](State& s) { put(*s.position[0], 0, std::numeric_limits<double>::max()); }) == "all are finite");
  CHECK(both([](State& s) { put(s.table, 1, inf); }) == "table at 1 is inf");
  CHECK(both([](State& s) { put(*s.position[2], parcels - 1, -inf); }).starts_with("position_z of parcel "));
  CHECK(both([](State& s) { put(*s.position[2], 4096, nan); }).ends_with("is nan"));
  CHECK(both([](State& s) { put(*s.position[2], 4095, inf); }).ends_with("is inf"));
  CHECK(both([](State& s) { s.position[1]->fill(nan); }).starts_with("position_y of parcel "));
  CHECK(both([](State& s) { put(*s.gas[2], 35, nan); }) == "gas_z at face (3, 2, 2) is nan");
  CHECK(both([](State& s) { s.number = nan; }) == "number is nan");
  CHECK(both([](State& s) { put(s.node, 47, -inf); }) == "node at node (3, 3, 2) is -inf");
  CHECK(both([](State& s) { s.number = 1, s.node.fill(0), s.gas[2]->fill(0), s.parcels.resize(0); }) == "table at 1 is inf");
}

TEST_CASE("Where a device has no more memory, that is said of it") {
  State s(Memory::device);
  CHECK_THROWS_AS(s.parcels.resize(std::int64_t{1} << 40), OutOfDeviceMemory);
}

} // namespace corral::test
