#include "bench/stokes/device/suite.hpp"

#include "bench/device/device.hpp"
#include "bench/text.hpp"

namespace corral::bench {
namespace {

std::vector<DeviceNearWork> works() {
  std::vector<DeviceNearWork> all;
  // Beside Kosmacher et al.'s kernel of 12 components: the better of their two shapes on an H200.
  for (const NearKernel kernel : {NearKernel::stokeslet_and_stresslet, NearKernel::stokeslet})
    for (const std::int64_t of_cell : {256, 512})
      for (const PairMethod method : {PairMethod::automatic, PairMethod::targets, PairMethod::staged}) {
        DeviceNearWork work{.kernel = kernel, .method = method, .of_cell = of_cell, .cubes = of_cell == 256 ? 16 : 13};
        if (kernel == NearKernel::stokeslet_and_stresslet && method == PairMethod::automatic)
          work.least_rate = of_cell == 256 ? 15.2e6 : 8.2e6;
        all.push_back(work);
      }
  for (const NearKernel kernel : {NearKernel::stokeslet, NearKernel::stokeslet_and_stresslet})
    all.push_back({.kernel = kernel, .cells_of_cube = 2});
  all.push_back({.kernel = NearKernel::stokeslet, .error = 1e-13});
  all.push_back({.kernel = NearKernel::spheres});
  all.push_back({.kernel = NearKernel::stokeslet, .of_cell = 16, .cubes = 40});
  return all;
}

std::string run(const SuiteCall& call, const std::function<void(const std::string&)>& tell) {
  require_device();
  tell(device_name() + "\n" + device_near_header());
  std::vector<DeviceNearRow> all;
  for (const DeviceNearWork& work : works()) {
    all.push_back(measure_device_near(work, call.repeats));
    tell(device_near_line(all.back()));
  }
  return device_near_json(all, call.repeats);
}

} // namespace

std::string device_near_header() {
  return formatted("%-24s %-10s %8s %6s %8s %9s %12s %11s  %s\n", "kernel", "method", "of cell", "cells", "error", "ms",
                   "Mtargets/s", "Gpairs/s", "target");
}

std::string device_near_line(const DeviceNearRow& row) {
  const DeviceNearWork& work = row.work;
  std::string line = formatted("%-24s %-10s %8lld %6lld %8.0e %9.3f %12.2f %11.2f", name(work.kernel).data(),
                               name(work.method).data(), static_cast<long long>(work.of_cell),
                               static_cast<long long>(work.cells_of_cube), work.error, 1e3 * row.seconds,
                               1e-6 * row.targets_per_second(), 1e-9 * row.pairs_per_second());
  if (work.least_rate)
    line += std::string(row.met() ? "  met: " : "  missed: ") + shortest(1e-6 * *work.least_rate) + " million";
  return line + "\n";
}

std::string device_near_json(const std::vector<DeviceNearRow>& rows, int repeats) {
  std::string text;
  for (const DeviceNearRow& row : rows) {
    const DeviceNearWork& work = row.work;
    JsonObject object;
    object.add("kernel", name(work.kernel));
    object.add("method", name(work.method));
    object.add("of_cell", work.of_cell);
    object.add("cells_of_cube", work.cells_of_cube);
    object.add("points", row.points());
    object.add("error", work.error);
    object.add("repeats", std::int64_t{repeats});
    object.add("seconds_median", row.seconds);
    object.add("targets_per_second", row.targets_per_second());
    object.add("pairs_per_second", row.pairs_per_second());
    object.raw("least_rate", work.least_rate ? shortest(*work.least_rate) : "null");
    text += (text.empty() ? "  " : ",\n  ") + object.text();
  }
  return "[\n" + text + "\n]\n";
}

OtherSuite device_near_suite() {
  return {"stokes_gpu", "near fields of Stokes sums on a device, half a minute and 1 GB of it", run};
}

} // namespace corral::bench
