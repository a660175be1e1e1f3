#pragma once

#include "bench/lattice/measure_lattice.hpp"

#include <string>
#include <vector>

namespace corral::bench {

std::string lattice_header();
std::string lattice_line(const LatticeRow&);
/// "4 of 6 targets met, 2 missed"
std::string count_lattice_targets(const std::vector<LatticeRow>&);
/// An array of objects; docs/benchmark.md explains each member.
std::string lattice_json(const std::vector<LatticeRow>&, int repeats);

} // namespace corral::bench
