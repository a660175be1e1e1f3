#pragma once

namespace corral::app {

/// Occupies those of the descriptors 0, 1 and 2 that were closed when the program began, before any file is opened:
/// the first file would get such a number, and with it all that is meant for the terminal. What is written to them
/// fails as before. False where that isn't possible.
bool reserve_standard_streams();

} // namespace corral::app
