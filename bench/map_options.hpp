#pragma once

#include "bench/suites.hpp"

#include <string>
#include <vector>

namespace corral::bench {

/// What `corral bench` was asked for.
struct MapOptions {
  Suite suite;
  bool json = false; ///< an array of objects instead of the table
  std::string json_file; ///< gets that array, too; empty: none
  bool help = false;
};

/// Reads the words behind `corral bench`. Throws Error where they cannot be obeyed.
MapOptions read_map_options(const std::vector<std::string>& words);

/// All options and suites, for people.
std::string map_options_help();

} // namespace corral::bench
