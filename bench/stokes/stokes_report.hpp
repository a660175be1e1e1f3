#pragma once

#include "bench/stokes/measure_stokes.hpp"

#include <string>
#include <vector>

namespace corral::bench {

std::string stokes_header();
std::string stokes_line(const StokesRow&);
/// What direct sums of the same points take; empty where none were made.
std::string stokes_conclusion(const std::vector<StokesRow>&);
/// An array of objects; docs/benchmark.md explains each member.
std::string stokes_json(const std::vector<StokesRow>&);

} // namespace corral::bench
