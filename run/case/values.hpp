#pragma once

#include "run/case/keys.hpp"

#include <corral/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace corral::run {

/// The value of a key: one alternative per KeyType, in its order, but choice and text share std::string,
/// file and directory a path.
using Value = std::variant<bool, std::int64_t, std::array<std::int64_t, 3>, double, std::array<double, 3>,
                           std::vector<double>, std::string, std::filesystem::path>;

/// What keeps a file from being read: "does not exist", "is a directory", "cannot be read (Permission denied)" and so
/// on; "" where nothing does.
std::string fault_of(const std::filesystem::path& path);

/// A file that a key names cannot be read.
class FileError : public Error {
public:
  FileError(const std::string& message, std::string file_name, std::string what_of_it)
      : Error(message), file(std::move(file_name)), fault(std::move(what_of_it)) {}

  std::string file;  ///< its absolute path
  std::string fault; ///< "does not exist"; what() says the same of the name as it is written
};

/// Reads `text` as the value of `key`, numbers in SI. Quotes around a text are gone already, blanks are trimmed.
/// Throws Error: not of the type, out of range, a unit of another kind; FileError: a file that cannot be read.
Value parse_value(const Key& key, std::string_view text, const std::filesystem::path& directory);

/// The inverse: parse_value gives the same bits again. Text and files are in quotes.
std::string write_value(const Key& key, const Value& value);

/// The shortest decimal text that reads back as the same double; an exponent below 1e-4 and from 1e15.
std::string write_number(double number);

/// Three digits, whole numbers to six, for messages: "0.0123", "64000", "4e9".
std::string brief(double number);

/// The same, never above the number: what a message says of a greatest value is accepted where it is typed.
std::string brief_below(double number);

/// Without blanks (space, tab) at either end.
std::string_view trimmed(std::string_view text);

/// A value as a file or --set holds it, without its double quotes if it has them; "" inside quotes is one quote.
/// Throws Error for a quote that is not closed, text after it, or a quote within unquoted text.
std::string unquoted(std::string_view text);

/// What std::printf would write, however long it is.
std::string formatted(const char* format, auto... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

} // namespace corral::run
