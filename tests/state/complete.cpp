// That all state is registered: a run is cut, its registries are copied into a driver and a run loop made afresh, and what
// these go on to write and to hold is the whole run's to the bit.
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/state/runs.hpp"

#include "mppic/driver.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::test {
namespace {

const std::vector<run::DriverKind> drivers{mppic::driver_kind()};

Runs shipped(const std::filesystem::path& directory, const std::vector<std::string>& overrides = {}) {
  app::Case c = app::read_case(directory, overrides, drivers);
  const double dt = c.settings.real("time", "dt");
  return {std::move(c), dt};
}

std::vector<std::filesystem::path> shipped_cases() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(CASES_DIRECTORY))
    if (std::filesystem::exists(entry.path() / "case.ini")) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Everything at once, small: solids and gas that come and go, a schedule, an adaptive step, the audit.
constexpr const char* busy_case = R"(
[case]
driver = mppic
[grid]
cells = 5, 4, 10
size = 50, 40, 100 mm
[sides]
z_high = outlet
[gas]
density = 1.2
viscosity = 1.8e-5
[solids]
density = 2500
close_packing = 0.6
drag = gidaspow_blended
[contact]
pressure = 10
exponent = 2
[size.glass]
diameter = 0.5 mm
[seed.bed]
low = 0, 0, 0
high = 50, 40, 60 mm
solids_fraction = 0.55
parcels = 2400
[inlet.floor]
side = z_low
velocity = 1
times = 0, 0.02
factors = 0.5, 3
[inlet.wall]
side = x_low
low = 0, 10, 70 mm
high = 0, 30, 90 mm
velocity = 2
solids_rate = 0.02
solids_velocity = 2
particles_per_parcel = 150
[time]
dt = 1 ms
end = 1
[output]
audit = true
)";

Runs busy() {
  return {app::parse_case(busy_case, "busy", ".", {}, drivers), 1e-3};
}

/// Changes all values of an entry by 1, or by -1, or makes them 0; tables of reals are emptied.
void distort(const run::Entry& e, int by) {
  const auto change = [by](auto& value) { value = by == 0 ? 0 : value + static_cast<std::decay_t<decltype(value)>>(by); };
  if (e.kind == run::Kind::table && e.reals()) return e.reals()->resize(0);
  if (auto* r = e.reals()) std::for_each(r->begin(), r->end(), change);
  if (auto* u = e.ids()) std::for_each(u->begin(), u->end(), change);
  if (auto* x = e.real()) change(*x);
  if (auto* n = e.counter()) change(*n);
}

/// A run that is cut and goes on with one entry distorted differs from the whole one, or fails.
bool goes_on_otherwise(const Runs& runs, const Written& whole, std::int64_t steps, std::int64_t cut,
                       const std::string& name, int by) {
  try {
    const Written written = runs.resumed(steps, cut, [&](run::Registry& driver, run::Registry& loop) {
      const run::Entry* e = find(driver, false, name);
      distort(e ? *e : *find(loop, true, name), by);
    });
    return difference(written, whole) != "";
  } catch (const Error&) { // such as books that do not balance
    return true;
  }
}

} // namespace

TEST_CASE("whatever is next, a copy of the registry knows: every shipped case, cut three times") {
  for (const std::filesystem::path& directory : shipped_cases()) {
    const Runs runs = shipped(directory);
    constexpr std::int64_t steps = sanitized ? 4 : 12;
    const Written whole = runs.whole(steps);
    CHECK(whole.rows.size() > 1);
    for (const std::int64_t cut : {1, 4, 11}) {
      if (cut >= steps) continue;
      INFO(directory.filename() << " cut after " << cut);
      CHECK(difference(runs.resumed(steps, cut), whole) == "");
    }
  }
}

TEST_CASE("a case with everything in it, cut before its first step and where all of it is under way") {
  const Runs runs = busy();
  constexpr std::int64_t steps = sanitized ? 30 : 150;
  const Written whole = runs.whole(steps);
  for (const std::int64_t cut : {0, 1, 13, 101, 149}) {
    if (cut >= steps) continue;
    INFO("cut after " << cut);
    CHECK(difference(runs.resumed(steps, cut), whole) == "");
  }
}

TEST_CASE("each entry that is saved is needed: with another value the run goes on otherwise") {
  // Read by messages alone, or within round-off of the end.
  const std::set<std::string> silent{"fastest_gas_rate", "fastest_gas_speed", "fastest_gas_before_rate",
                                     "fastest_gas_before_speed", "fastest_parcel_rate", "fastest_parcel_speed",
                                     "fastest_parcel_before_rate", "fastest_parcel_before_speed", "said_fast",
                                     "said_leaving", "said_packed", "outlet_window_steps", "outlet_window_left",
                                     "outlet_window_carried", "loop.dt"};
  // A bed that is dropped without gas lifts itself from savings, and its energy falls.
  const std::set<std::string> of_dropped{"displacement_account", "row_audit_steps"};
  const Runs runs = busy(), drop = shipped(CASES_DIRECTORY "/drop", {"output.audit=true"});
  constexpr std::int64_t steps = 60;
  const Written whole = runs.whole(steps), dropped = drop.whole(steps);
  for (const std::string& name : runs.saved()) {
    if (silent.contains(name) || sanitized) continue;
    INFO(name);
    bool needed = false;
    const bool falls = of_dropped.contains(name);
    for (const std::int64_t cut : {50, 51})
      for (const auto by : {1, 0, -1})
        needed = needed || goes_on_otherwise(falls ? drop : runs, falls ? dropped : whole, steps, cut, name, by);
    CHECK(needed);
  }
}

} // namespace corral::test
