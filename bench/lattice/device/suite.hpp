#pragma once

#include "bench/lattice/device/measure_device_lattice.hpp"
#include "bench/maps.hpp"

#include <string>
#include <vector>

namespace corral::bench {

std::string device_lattice_header();
std::string device_lattice_line(const DeviceLatticeRow&);
/// An array of objects; docs/benchmark.md explains each member.
std::string device_lattice_json(const std::vector<DeviceLatticeRow>&, int repeats);

/// `--suite lattice_gpu`: what a cell of the lattice fluid costs on a device beside a copy of its memory.
OtherSuite device_lattice_suite();

} // namespace corral::bench
