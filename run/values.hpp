#pragma once

#include "run/keys.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace corral::run {

/// The value of a key: one alternative per KeyType, in its order, but choice and text share std::string.
using Value = std::variant<bool, std::int64_t, std::array<std::int64_t, 3>, double, std::array<double, 3>,
                           std::vector<double>, std::string, std::filesystem::path>;

/// Reads `text` as the value of `key`, numbers in SI. Quotes around a text are gone already, blanks are trimmed.
/// Throws Error: not of the type, out of range, a unit of another kind, a file that cannot be read.
Value parse_value(const Key& key, std::string_view text, const std::filesystem::path& directory);

/// The inverse: parse_value gives the same bits again. Text and files are in quotes.
std::string write_value(const Key& key, const Value& value);

/// The shortest decimal text that reads back as the same double; an exponent below 1e-4 and from 1e15.
std::string write_number(double number);

/// Without blanks (space, tab) at either end.
std::string_view trimmed(std::string_view text);

/// A value as a file or --set holds it, without its double quotes if it has them; "" inside quotes is one quote.
/// Throws Error for a quote that is not closed, text after it, or a quote within unquoted text.
std::string unquoted(std::string_view text);

} // namespace corral::run
