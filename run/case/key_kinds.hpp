#pragma once

#include "run/case/keys.hpp"

#include <optional>
#include <string>
#include <vector>

/// Rows of the key table of the kinds that come often. Those without a fallback are required, unless they say optional.
namespace corral::run {

Key positive(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
             std::string meaning);
Key optional_positive(std::string section, std::string name, std::string unit, std::string meaning);
/// From 0 to 1.
Key share(std::string section, std::string name, std::string fallback, std::string meaning);
Key choice(std::string section, std::string name, std::vector<std::string> choices,
           std::optional<std::string> fallback, std::string meaning);
/// Three numbers; optional where there is no fallback.
Key vector(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
           std::string meaning);
/// The key with a range that holds both ends.
Key within(Key key, double minimum, double maximum);

/// Beyond these a value is a unit that was forgotten, or leaves the range of arithmetic.
inline constexpr double fastest = 1e5, strongest_pull = 1e6; // [m/s], [m/s2]

} // namespace corral::run
