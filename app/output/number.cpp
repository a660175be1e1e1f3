#include "app/output/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace corral::app {

std::string number_text(double value) {
  std::array<char, 32> text{};
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  const auto end = whole ? std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed)
                         : std::to_chars(text.begin(), text.end(), value);
  return {text.data(), end.ptr};
}

std::string rounded_text(double value, int digits) {
  const double size = std::abs(value);
  std::array<char, 64> text{};
  if (!(size >= 1e-4 && size < 1e9)) {
    const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::general, digits);
    return {text.data(), end.ptr};
  }
  const int decimals = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, decimals);
  std::string rounded(text.data(), end.ptr);
  if (decimals > 0) {
    rounded.erase(rounded.find_last_not_of('0') + 1);
    if (rounded.back() == '.') rounded.pop_back();
  }
  return rounded;
}

std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

} // namespace corral::app
