// That all state is registered: a run is cut, its registries are copied into a driver and a run loop made afresh, and what
// these go on to write and to hold is the whole run's to the bit. What is not saved holds nonsense by then.
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/state/runs.hpp"

#include <corral/error.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace corral::test {
namespace {

constexpr double much = 1e3;

/// Cut after each of these steps, a run goes on to what the whole one comes to.
void check_cuts(const Runs& runs, std::int64_t steps, const std::vector<std::int64_t>& cuts) {
  const Written whole = runs.whole(steps);
  CHECK(whole.tables.at("log.csv").size() > 1);
  for (const std::int64_t cut : cuts) {
    if (cut >= steps) continue;
    const Stopped stopped = runs.stopped(cut);
    for (const double nonsense : {much, -much}) {
      if (!thorough() && (cut % 2 == 0) != (nonsense > 0)) continue; // one of them to a cut
      INFO("cut after " << cut << ", what is not saved is " << nonsense);
      CHECK(difference(stopped.goes_on(steps, nonsense), whole) == "");
    }
  }
}

/// A run that forgot the entry goes on to something else than the whole one, or fails.
bool goes_on_otherwise(const Stopped& stopped, const Written& whole, std::int64_t steps, const std::string& forgotten) {
  for (const double nonsense : {1.0, 0.0, much, -much}) {
    try {
      if (difference(stopped.goes_on(steps, nonsense, forgotten), whole) != "") return true;
    } catch (const Error&) { // such as books that do not balance
      return true;
    }
  }
  return false;
}

/// In the place of the spectral fluid, which projects.
const std::vector<std::string> on_lattice{"fluid.method=lattice", "fluid.projection=", "time.step=fixed", "time.dt=0.1us"};
std::vector<std::string> also(std::vector<std::string> overrides, const std::vector<std::string>& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

using Names = std::set<std::string>;

Names saved(const Runs& runs) {
  const std::vector<std::string> names = runs.saved();
  return {names.begin(), names.end()};
}

/// Those of the entries that can be forgotten at any of the steps `cuts`, and nobody notices.
Names not_missed(Names entries, const Runs& runs, std::int64_t steps, const std::vector<std::int64_t>& cuts) {
  const Written whole = runs.whole(steps);
  for (const std::int64_t cut : cuts) {
    const Stopped stopped = runs.stopped(cut);
    std::erase_if(entries, [&](const std::string& name) { return goes_on_otherwise(stopped, whole, steps, name); });
  }
  return entries;
}

} // namespace

TEST_CASE("whatever is next, a copy of the registry knows: every shipped case, cut once") {
  std::int64_t cut = 3; // where fields are written, and where the log is, in turn
  for (const std::filesystem::path& directory : shipped_cases()) {
    INFO(directory.filename());
    if (thorough() && !sanitized) check_cuts(shipped(directory), 12, {1, 4, 11});
    else check_cuts(shipped(directory), cut + (sanitized ? 1 : 2), {cut});
    cut = 7 - cut;
  }
}

TEST_CASE("a bed with everything in it, cut before its first step and where all of it is under way") {
  check_cuts(busy_bed(), sanitized ? 30 : 150, {0, 1, 13, 101, 149});
}

TEST_CASE("membranes with everything that can be, cut likewise") {
  for (const std::vector<std::string>& variant :
       {std::vector<std::string>{}, {"fluid.projection=PmII", "coupling.scheme=predictor"}, {"fluid.projection=exact", "fluid.motion=stokes"},
        {"fluid.projection=exact", "surface.red.viscosity_ratio=5", "surface.smooth.viscosity_ratio=0.5"},
        {"fluid.projection=exact", "fluid.motion=stokes", "surface.red.viscosity_ratio=5"},
        {"fluid.projection=exact", "fluid.motion=stokes", "surface.red.membrane_viscosity=2e-8"}, on_lattice,
        also(on_lattice, {"lattice.precision=float", "lattice.scheme=two_lattices", "surface.red.membrane_viscosity=2e-9"})})
    check_cuts(busy_membranes(variant), sanitized ? 6 : thorough() ? 40 : 9,
               sanitized || thorough() ? std::vector<std::int64_t>{0, 1, 5, 13, 19, 39} : std::vector<std::int64_t>{0, 1, 7});
}

TEST_CASE("bodies with everything that can be, cut likewise") {
  for (const std::vector<std::string>& variant :
       {std::vector<std::string>{}, {"forcing.scheme=multi_direct", "contact.law=soft_sphere", "contact.restitution=0.5"}})
    check_cuts(busy_bodies(variant), sanitized ? 6 : 20, {0, 5, 12, 16});
}

TEST_CASE("beads with everything that can be, cut likewise, by each scheme, and where they diffuse") {
  for (const std::vector<std::string>& variant :
       {std::vector<std::string>{}, {"time.scheme=ab2"}, {"time.scheme=euler", "box.free=none", "fluid.temperature=300", "time.dt=0.02"}})
    check_cuts(busy_beads(variant), sanitized ? 6 : 16, {0, 1, 5, 13});
}

TEST_CASE("beads whose spheres are lubricated, and rigid ones made of them, cut likewise") {
  check_cuts(busy_beads({"mobility.lubrication=pairs"}), sanitized ? 2 : 10, {0, 5});
  for (const char* scheme : {"time.scheme=midpoint", "time.scheme=ab2"}) check_cuts(busy_shells({scheme}), sanitized ? 3 : 12, {0, 1, 7});
}

TEST_CASE("each entry of beads that is saved is missed where it is forgotten", "[physics]") {
  if (sanitized) return;
  const Names of_messages{"overlap_worst", "overlap_when", "overlap_said", "loop.dt"};
  const Runs runs = busy_beads({"time.scheme=ab2"});
  Names entries = saved(runs);
  for (const std::string& name : of_messages) CHECK(entries.erase(name) == 1);
  CHECK(not_missed(entries, runs, 16, {12, 13}) == Names{});
}

TEST_CASE("each entry of rigid spheres that is saved is missed where it is forgotten", "[physics]") {
  if (sanitized) return;
  const Runs runs = busy_shells({"time.scheme=ab2"});
  Names entries;
  for (const std::string& name : saved(runs))
    if (name.starts_with("rigid")) entries.insert(name);
  CHECK(entries.size() == 3);
  CHECK(not_missed(entries, runs, 12, {9}) == Names{});
}

TEST_CASE("each entry of bodies that is saved is missed where it is forgotten", "[physics]") {
  if (sanitized) return;
  const Runs runs = busy_bodies({"forcing.scheme=multi_direct"});
  Names entries = saved(runs);
  for (const char* name : {"loop.dt", "slip_seen", "slip_of_bodies_when"}) // which each run settles anew, and of a message alone
    CHECK(entries.erase(name) == 1);
  CHECK(not_missed(entries, runs, 16, {12, 13}) == Names{});
  CHECK(not_missed({"slip_seen"}, busy_bodies(), 16, {12, 13}).empty()); // and one pass now and then
}

TEST_CASE("each entry of a bed that is saved is missed where it is forgotten", "[physics]") {
  if (sanitized) return;
  // Read by messages alone, or within round-off of the end.
  const Names of_messages{"fastest_gas_rate", "fastest_gas_speed", "fastest_gas_before_rate", "fastest_gas_before_speed",
                 "fastest_parcel_rate", "fastest_parcel_speed", "fastest_parcel_before_rate", "fastest_parcel_before_speed",
                 "crossed_worst", "crossed_when", "crossed_said", "thrown_worst", "thrown_when", "thrown_said", "packed_worst",
                 "packed_when", "packed_said", "overfull_steps", "outlet_window_steps", "outlet_window_left",
                 "outlet_window_carried", "loop.dt"};
  // A bed that is dropped without gas lifts itself from savings, and its energy falls.
  const Names of_dropped{"displacement_account", "row_audit_steps"};
  CHECK(not_missed(of_dropped, shipped(CASES_DIRECTORY "/drop", {"output.audit=true"}), 56, {50, 51}).empty());
  const Runs bed = busy_bed();
  Names entries = saved(bed);
  for (const Names& elsewhere : {of_messages, of_dropped})
    for (const std::string& name : elsewhere) CHECK(entries.erase(name) == 1);
  CHECK(not_missed(entries, bed, 56, {50, 51}) == Names{});
}

TEST_CASE("each entry of membranes that is saved is missed where it is forgotten", "[physics]") {
  if (sanitized) return;
  Names tried;
  for (const char* projection : {"PmII", "PmIII"}) {
    INFO(projection);
    const Runs runs = busy_membranes({std::string("fluid.projection=") + projection});
    Names entries = saved(runs);
    if (!thorough()) std::erase_if(entries, [&](const std::string& name) { return tried.count(name) > 0; });
    CHECK(entries.size() > 0);
    tried.insert(entries.begin(), entries.end());
    entries.insert("loop.dt"); // which each run settles anew
    CHECK(not_missed(entries, runs, 16, {12, 13}) == Names{"loop.dt"});
  }
  const Runs viscous = busy_membranes({"fluid.projection=exact", "surface.red.membrane_viscosity=2e-8"});
  CHECK(not_missed({"dissipated_in_membranes"}, viscous, 16, {12, 13}).empty());
  const Names of_lattice{"populations", "lattice_steps", "membranes_at_start", "given_to_membranes", "taken_by_fluid"};
  CHECK(not_missed(of_lattice, busy_membranes(on_lattice), 16, {12, 13}).empty());
}

} // namespace corral::test
