#pragma once

#include "bench/maps.hpp"
#include "bench/pressure/device/measure_device_pressure.hpp"

#include <string>
#include <vector>

namespace corral::bench {

std::string device_pressure_header();
std::string device_pressure_line(const DevicePressureRow&);
/// An array of objects; docs/benchmark.md explains each member.
std::string device_pressure_json(const std::vector<DevicePressureRow>&, int repeats);

/// `--suite pressure_gpu`: what a pressure solve takes on a device, beside the host and a copy of its memory.
OtherSuite device_pressure_suite();

} // namespace corral::bench
