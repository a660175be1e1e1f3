#pragma once

#include "bench/map_options.hpp"

#include <ostream>

namespace corral::bench {

/// `corral bench`: measures what was asked for and writes a line per measurement, as it comes, or JSON at the end.
/// While it runs, a bar is drawn on standard error if that is a terminal. Throws Error at the end where a
/// map was wrong or failed, with a line for each; the others are measured all the same.
void run_maps(const MapOptions& options, std::ostream& out);

} // namespace corral::bench
