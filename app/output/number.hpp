#pragma once

#include <cstdint>
#include <string>

namespace corral::app {

/// The shortest decimal text that reads back as the same double; whole numbers below 1e15 without an exponent, so
/// that counters look like counters.
std::string number_text(double value);

/// For people: `digits` significant digits (all digits of larger whole parts), without trailing zeros; an exponent
/// below 1e-4 and from 1e9 only.
std::string rounded_text(double value, int digits);

/// A whole number from 0 on, with zeros before it up to `digits`: names of files that sort as they were written.
std::string padded(std::int64_t number, std::size_t digits);

} // namespace corral::app
