#include "geometry/files/text_reader.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace corral::geometry {

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

// std::from_chars knows no leading +.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

} // namespace

void TextReader::refuse(const std::string& why) const {
  throw Error(file_.name + ":" + std::to_string(std::max<std::int64_t>(line_, 1)) + ": " + why);
}

bool TextReader::next_line() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    now_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (comments_ == Comments::hash) now_ = now_.substr(0, now_.find('#'));
    if (now_.find_first_not_of(blanks) != now_.npos) return true;
  }
  now_ = {};
  return false;
}

void TextReader::need_line(const std::string& what) {
  if (!next_line()) refuse("the file ends here (" + what + " is missing) it may have been cut off");
}

std::string_view TextReader::word() {
  const std::size_t begin = std::min(now_.find_first_not_of(blanks), now_.size());
  const std::size_t end = std::min(now_.find_first_of(blanks, begin), now_.size());
  const std::string_view found = now_.substr(begin, end - begin);
  now_.remove_prefix(end);
  return found;
}

std::string_view TextReader::word_anywhere() {
  std::string_view found = word();
  while (found.empty() && next_line()) found = word();
  return found;
}

bool TextReader::at_end_of_line() const { return now_.find_first_not_of(blanks) == now_.npos; }

bool TextReader::take_word(std::string_view expected) {
  const std::string_view before = now_;
  if (word() == expected) return true;
  now_ = before;
  return false;
}

double TextReader::to_number(std::string_view word, std::string_view what) const {
  if (word.empty()) refuse(std::string(what) + " is missing (a number is expected)");
  const std::string_view digits = without_plus(word);
  double value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault == std::errc::result_out_of_range)
    refuse(std::string(what) + " is " + cited(word) + " (beyond the range of numbers)");
  if (fault != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    refuse(std::string(what) + " is " + cited(word) + " (a finite decimal number is expected)");
  return value;
}

double TextReader::number(std::string_view what) { return to_number(word(), what); }

double TextReader::number_anywhere(std::string_view what) { return to_number(word_anywhere(), what); }

std::int64_t TextReader::whole_number(std::string_view what) {
  const std::string_view found = word();
  if (found.empty()) refuse(std::string(what) + " is missing (a whole number is expected)");
  const std::string_view digits = without_plus(found);
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault == std::errc::result_out_of_range)
    refuse(std::string(what) + " is " + cited(found) + " (beyond the range of numbers)");
  if (fault != std::errc() || end != digits.data() + digits.size())
    refuse(std::string(what) + " is " + cited(found) + " (a whole number is expected)");
  return value;
}

void TextReader::need_end_of_line(std::string_view behind) {
  if (const std::string_view found = word(); !found.empty())
    refuse("the line goes on with " + cited(found) + " (it ends behind " + std::string(behind) + ")");
}

} // namespace corral::geometry
