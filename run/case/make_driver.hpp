#pragma once

#include "run/case/flow_box.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "run/driver.hpp"
#include "run/limits.hpp"

#include <corral/error.hpp>
#include <corral/memory.hpp>

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

/// What a DriverKind has of a driver that is made of a set-up. `read(settings, problems)` gives the set-up, which is a
/// FlowBox with more, in an optional: nothing where it complained. It may want the number of ranks, too.
namespace corral::run {

/// DriverKind::make, and RanksKind::make of a team. Complains at case.driver of what D throws; throws OutOfMemory that names the grid,
/// OutOfDeviceMemory where a device has no more.
template <class D, auto read, class... Team>
std::unique_ptr<Driver> make_from(const Settings& settings, Problems& problems, const Team&... team) {
  auto setup = [&] {
    if constexpr (requires { read(settings, problems, team.size()...); }) return read(settings, problems, team.size()...);
    else return read(settings, problems);
  }();
  if (!setup) return nullptr;
  const std::array<std::int64_t, 3> cells = setup->cells;
  try {
    return std::make_unique<D>(std::move(*setup), team...);
  } catch (const Error& e) {
    problems.add(settings.where("case", "driver"), e.what());
    return nullptr;
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("the fields of " + std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " +
                      std::to_string(cells[2]) + " cells found no room");
  }
}

/// DriverKind::describe, and RanksKind::describe for some ranks. `say(setup)` gives the lines.
template <auto read, auto say, class... Ranks>
std::vector<std::string> describe_from(const Settings& settings, Problems& problems, Ranks... ranks) {
  const auto setup = read(settings, problems, ranks...);
  return setup ? say(*setup, ranks...) : std::vector<std::string>{};
}

} // namespace corral::run
