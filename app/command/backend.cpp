#include "app/command/backend.hpp"

#include "app/case/case_file.hpp"

#include <corral/device.hpp>

#include <string>

namespace corral::app {

namespace {

/// A device that nobody would use, or that cannot do what is asked of it.
void require_use(const BackendOptions& asked, const Case& c) {
  const run::DriverKind& kind = *c.driver_kind;
  const run::DeviceKind::Part part = kind.on_device.part ? kind.on_device.part(c.settings) : run::DeviceKind::Part{};
  const std::string with = " with driver = " + kind.name;
  if (asked.backend == Backend::gpu && !kind.on_device.make)
    throw UsageError("--backend gpu" + with + " (all of it is the CPU's) leave --backend out");
  if (asked.backend == Backend::cpu && asked.device && !part.asked)
    throw UsageError("--device " + std::to_string(*asked.device) + with + " on the CPU (nothing of it is on a device) " +
                     (kind.on_device.make ? "add --backend gpu, or " : "") + "leave --device out");
}

} // namespace

void take_device(const BackendOptions& asked, const Case& c) {
  require_use(asked, c);
  const int number = asked.device.value_or(0);
  if (asked.backend == Backend::cpu && !asked.device) return;
  if (const std::string why = find_device().why_none; !why.empty())
    throw UsageError((asked.backend == Backend::gpu ? "--backend gpu (" : "--device (") + why +
                     ") run on the CPU, or where a GPU and a corral that was built with CUDA are");
  if (const int count = device_count(); number >= count)
    throw UsageError("--device " + std::to_string(number) + " (there " +
                     (count == 1 ? "is one device, 0" : "are " + std::to_string(count) + ", 0 to " + std::to_string(count - 1)) +
                     ") take one of these");
  if (asked.device) use_device(number);
}

} // namespace corral::app
