#pragma once

#include <exception>
#include <new>
#include <string>

namespace corral::app {

/// The last words, which need no memory.
inline constexpr const char* no_memory_at_all = "corral: out of memory\n";

/// From now on want of memory ends the process with these words, and status 1, also where no handler can be reached: in
/// the threads of oneTBB, which begin and share out work with memory of their own.
void speak_without_memory();

/// "2.4 GB", for people.
std::string bytes_text(double bytes);

/// What to say where memory did not suffice: for what, as far as that is known, how much all of it takes
/// (`expected_bytes`, 0: not known), and how much there is.
std::string out_of_memory_text(const std::bad_alloc& error, double expected_bytes);
/// What an exception says, of want of memory as above.
std::string reason_text(const std::exception& error);

} // namespace corral::app
