#pragma once

#include "run/case/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace corral::run {

/// A single unit with or without its SI prefix: "Pa", "mm", "um", "psi"; nothing where it is not known.
std::optional<Unit> find_symbol(std::string_view text);

/// What to write instead of a unit that is not read: "write s" for "seconds", "write kg" for "KG"; "" where nothing is
/// known of it.
std::string advice_on(std::string_view unknown);

/// The text with the signs that people paste as the reader knows them: "kg/m\u00B3" as "kg/m^3", "N\u00B7s" as "N*s".
std::string plain_notation(std::string_view text);

} // namespace corral::run
