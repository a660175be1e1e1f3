#pragma once

#include "fluid/domain.hpp"
#include "run/device/timeline.hpp"
#include "run/phases.hpp"
#include "run/state/entry.hpp"

#include <corral/device.hpp>
#include <corral/execution.hpp>

#include <concepts>
#include <string>

namespace corral::run {

/// Before a driver's state is made: lets a device see the domain, and tell how long phases take. Its name, "" where E is the CPU.
template <Execution E> std::string begin_on(E, fluid::Domain& domain, Phases& phases) {
  if constexpr (std::same_as<E, Cpu>) {
    return "";
  } else {
    phases.time_by(device_timeline(E{run_stream}));
    domain.send();
    return find_device().name;
  }
}

} // namespace corral::run
