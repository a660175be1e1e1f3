#include "app/ranks/started.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace corral::app {

/// Open MPI, MPICH and others by PMI, and MVAPICH say it so.
int started_processes() {
  int most = 1;
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    const char* const said = std::getenv(name);
    if (!said) continue;
    int count = 1;
    const std::string_view text(said);
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc{}) most = std::max(most, count);
  }
  return most;
}

} // namespace corral::app
