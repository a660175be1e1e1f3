#pragma once

#include "bench/suites.hpp"

#include <ostream>
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

/// `corral bench`: measures what was asked for and writes a line per measurement, as it comes, or JSON at the end.
/// While it runs, a bar is drawn on standard error if that is a terminal. Throws Error at the end where a
/// map was wrong or failed, with a line for each; the others are measured all the same.
void run_maps(const MapOptions& options, std::ostream& out);

} // namespace corral::bench
