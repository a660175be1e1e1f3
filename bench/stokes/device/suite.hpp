#pragma once

#include "bench/maps.hpp"
#include "bench/stokes/device/measure_device_near.hpp"

#include <string>
#include <vector>

namespace corral::bench {

std::string device_near_header();
std::string device_near_line(const DeviceNearRow&);
/// An array of objects; docs/benchmark.md explains each member.
std::string device_near_json(const std::vector<DeviceNearRow>&, int repeats);

/// `--suite stokes_gpu`: how many targets a second near fields serve on a device.
OtherSuite device_near_suite();

} // namespace corral::bench
