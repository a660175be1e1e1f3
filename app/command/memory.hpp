#pragma once

#include <new>
#include <string>

namespace corral::app {

/// "2.4 GB", for people.
std::string bytes_text(double bytes);

/// What to say where memory did not suffice: for what, as far as that is known, how much all of it takes
/// (`expected_bytes`, 0: not known), and how much there is.
std::string out_of_memory_text(const std::bad_alloc& error, double expected_bytes);

} // namespace corral::app
