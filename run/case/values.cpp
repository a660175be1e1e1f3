#include "run/case/values.hpp"

#include "run/case/problems.hpp"
#include "run/case/units.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace corral::run {

namespace {

namespace fs = std::filesystem;

// Whatever is accepted can be written into used.ini and read again: every line there is far below the reader's limit.
constexpr std::size_t longest_list = 100;  // numbers
constexpr std::size_t longest_text = 1000; // [bytes]

[[noreturn]] void fail(std::string_view text, const std::string& what) { throw Error(cited(text) + " " + what); }

bool parse_boolean(std::string_view text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  fail(text, "is neither true nor false");
}

std::int64_t parse_integer(std::string_view text) {
  std::int64_t whole = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (code == std::errc{} && end == digits.data() + digits.size()) return whole;

  // 3e6 is a whole number too, and exact up to 2^53.
  constexpr double exact = 9007199254740992.0;
  const double number = parse_quantity(text, "");
  if (number != std::trunc(number) || std::abs(number) > exact) fail(text, "is not a whole number below 2^63");
  return static_cast<std::int64_t>(number);
}

std::vector<std::string_view> elements(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

template <class T, class Numbers> std::array<T, 3> three(const Numbers& numbers, std::string_view text) {
  if (numbers.size() != 3)
    fail(text, "has " + std::to_string(numbers.size()) + " values (3 are expected, for x, y and z)");
  return {numbers[0], numbers[1], numbers[2]};
}

std::array<std::int64_t, 3> parse_integers3(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : elements(text)) numbers.push_back(parse_integer(part));
  return three<std::int64_t>(numbers, text);
}

bool is_choice(const Key& key, std::string_view text) {
  return std::find(key.choices.begin(), key.choices.end(), text) != key.choices.end();
}

/// "nearest: one; choices: one, other".
std::string choices_near(const Key& key, std::string_view text) {
  std::string all;
  for (const std::string& c : key.choices) all += (all.empty() ? "" : ", ") + c;
  if (key.choices.size() == 1) all += "; " + key.meaning;
  const auto near = nearest(text, key.choices);
  return (near ? "nearest: " + *near + "; " : "") + "choices: " + all;
}

std::string parse_choice(const Key& key, std::string_view text) {
  if (is_choice(key, text)) return std::string(text);
  fail(text, "is not known (" + choices_near(key, text) + ")");
}

fs::path parse_path(std::string_view text, const fs::path& directory) {
  std::error_code code;
  const fs::path path = fs::absolute(directory / text, code).lexically_normal();
  const std::string name = path.string();
  if (name.size() > longest_text || first_not_utf8(name) < name.size() || first_control_character(name) < name.size())
    fail(name, "cannot stand in used.ini (control characters, not UTF-8, or longer than " +
                   std::to_string(longest_text) + " bytes)");
  return path;
}

fs::path parse_file(std::string_view text, const fs::path& directory) {
  const fs::path path = parse_path(text, directory);
  const std::string name = path.string();
  if (const std::string fault = fault_of(path); !fault.empty())
    throw FileError(cited(text) + " " + fault + " (looked for " + name + ")", name, fault);
  return path;
}

Value parse_choice_or_file(const Key& key, std::string_view text, const fs::path& directory) {
  if (is_choice(key, text)) return std::string(text);
  const fs::path path = parse_path(text, directory);
  std::error_code code;
  if (fs::status(path, code).type() == fs::file_type::not_found)
    fail(text, "is neither known nor a file (" + choices_near(key, text) + ", or a file; looked for " + path.string() + ")");
  return parse_file(text, directory);
}

std::string parse_text(std::string_view text) {
  if (text.size() > longest_text) fail(text, "is longer than " + std::to_string(longest_text) + " bytes");
  return std::string(text);
}

std::vector<double> parse_list(std::string_view text, std::string_view unit) {
  std::vector<double> numbers = parse_quantities(text, unit);
  if (numbers.size() > longest_list) fail(text, "has more than " + std::to_string(longest_list) + " numbers");
  return numbers;
}

Value parse_untested(const Key& key, std::string_view text, const fs::path& directory) {
  switch (key.type) {
  case KeyType::boolean: return parse_boolean(text);
  case KeyType::integer: return parse_integer(text);
  case KeyType::integers3: return parse_integers3(text);
  case KeyType::real: return parse_quantity(text, key.unit);
  case KeyType::reals3: return three<double>(parse_quantities(text, key.unit), text);
  case KeyType::list: return parse_list(text, key.unit);
  case KeyType::choice: return parse_choice(key, text);
  case KeyType::choice_or_file: return parse_choice_or_file(key, text, directory);
  case KeyType::text: return parse_text(text);
  case KeyType::directory: return parse_path(text, directory);
  case KeyType::file: break;
  }
  return parse_file(text, directory);
}

// The first number that the key's range forbids.
std::optional<double> outside(const Key& key, const Value& value) {
  std::optional<double> found;
  auto test = [&](double x) {
    if (!found && !key.allows(x)) found = x;
  };
  if (const auto* i = std::get_if<std::int64_t>(&value)) test(static_cast<double>(*i));
  if (const auto* i = std::get_if<std::array<std::int64_t, 3>>(&value))
    for (const std::int64_t x : *i) test(static_cast<double>(x));
  if (const auto* r = std::get_if<double>(&value)) test(*r);
  if (const auto* r = std::get_if<std::array<double, 3>>(&value)) std::for_each(r->begin(), r->end(), test);
  if (const auto* r = std::get_if<std::vector<double>>(&value)) std::for_each(r->begin(), r->end(), test);
  return found;
}

template <class Numbers, class Write> std::string joined(const Numbers& numbers, Write write) {
  std::string all;
  for (const auto& x : numbers) all += (all.empty() ? "" : ", ") + write(x);
  return all;
}

std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

// The library writes at least two digits of the exponent, and its plus.
std::string with_short_exponent(std::string number) {
  if (const std::size_t e = number.find('e'); e != number.npos) {
    if (number[e + 2] == '0') number.erase(e + 2, 1);
    if (number[e + 1] == '+') number.erase(e + 1, 1);
  }
  return number;
}

struct Writer {
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(std::int64_t i) const { return std::to_string(i); }
  std::string operator()(const std::array<std::int64_t, 3>& i) const {
    return joined(i, [](std::int64_t x) { return std::to_string(x); });
  }
  std::string operator()(double r) const { return write_number(r) + unit; }
  std::string operator()(const std::array<double, 3>& r) const { return joined(r, write_number) + unit; }
  std::string operator()(const std::vector<double>& r) const { return joined(r, write_number) + unit; }
  std::string operator()(const std::string& t) const { return is_choice ? t : in_quotes(t); }
  std::string operator()(const fs::path& p) const { return in_quotes(p.string()); }

  std::string unit; ///< with a blank before it
  bool is_choice;
};

} // namespace

std::string fault_of(const std::filesystem::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return "does not exist";
  if (code) return "cannot be looked at (" + code.message() + ")";
  if (fs::is_directory(status)) return "is a directory";
  if (!fs::is_regular_file(status)) return "is not a regular file";
  if (::access(path.c_str(), R_OK) != 0) return std::string("cannot be read (") + std::strerror(errno) + ")";
  return "";
}

Value parse_value(const Key& key, std::string_view text, const fs::path& directory) {
  if (text.empty() && key.type != KeyType::text) throw Error("has no value");
  Value value = parse_untested(key, text, directory);
  if (const auto x = outside(key, value)) {
    const std::string unit = key.unit.empty() ? "" : " " + key.unit;
    throw Error(write_number(*x) + unit + " is out of range (" + key.range() + ")");
  }
  return value;
}

std::string write_value(const Key& key, const Value& value) {
  return std::visit(Writer{key.unit.empty() ? "" : " " + key.unit, !key.choices.empty()}, value);
}

std::string write_number(double number) {
  std::array<char, 40> text{};
  const double size = std::abs(number);
  const bool plain = number == 0 || (size >= 1e-4 && size < 1e15);
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  return with_short_exponent(std::string(text.data(), end.ptr));
}

std::string brief(double number) {
  std::array<char, 40> text{};
  const double size = std::abs(number);
  const bool whole = size >= 999.5 && size < 999999.5;
  const auto end = whole ? std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 0)
                         : std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 3);
  return with_short_exponent(std::string(text.data(), end.ptr));
}

std::string brief_below(double number) {
  const double size = std::abs(number);
  const double last_digit = size >= 999.5 && size < 1e6 ? 1 : std::pow(10, std::floor(std::log10(size)) - 2);
  std::string text = brief(number);
  for (double below = number; std::strtod(text.c_str(), nullptr) > number; text = brief(below)) below -= 0.5 * last_digit;
  return text;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('"')) {
    if (text.find('"') != text.npos) fail(text, "has a stray quote (put the whole value in quotes, \"\" is a quote)");
    return std::string(text);
  }
  std::string inner;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      inner += text[i];
    } else if (text.substr(i + 1).starts_with('"')) {
      inner += text[++i];
    } else {
      if (i + 1 != text.size()) fail(text, "goes on after its closing quote");
      return inner;
    }
  }
  fail(text, "has no closing quote");
}

} // namespace corral::run
