#include "app/system/text.hpp"

#include "run/case/problems.hpp"

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

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return rounded_text(bytes, 3) + " " + units[unit];
}

std::string xml_attribute(std::string_view tag, const std::string& name) {
  const std::string key = " " + name + "=\"";
  const std::size_t at = tag.find(key);
  if (at == tag.npos) return "";
  tag.remove_prefix(at + key.size());
  return std::string(tag.substr(0, tag.find('"')));
}

std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

void Json::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  after_key_ = true;
}

void Json::value(std::string_view text) {
  separate();
  quote(text);
}

void Json::value(double number) {
  if (std::isfinite(number)) raw(number_text(number));
  else null();
}

void Json::raw(std::string_view token) {
  separate();
  text_ += token;
}

void Json::open(char bracket) {
  separate();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void Json::close(char bracket) {
  --depth_;
  if (!first_) text_.append("\n").append(2 * depth_, ' ');
  text_ += bracket;
  first_ = false;
}

void Json::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) text_ += ',';
  text_.append("\n").append(2 * depth_, ' ');
  first_ = false;
}

void Json::quote(std::string_view text) {
  text_ += '"';
  for (std::size_t bad = 0; !text.empty(); text.remove_prefix(std::min(text.size(), bad + 1))) {
    bad = run::first_not_utf8(text);
    escape(text.substr(0, bad));
    if (bad < text.size()) text_ += "\\ufffd";
  }
  text_ += '"';
}

void Json::escape(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text_.append(1, '\\').append(1, c);
    else if (c == '\n') text_ += "\\n";
    else if (c == '\t') text_ += "\\t";
    else if (code < 0x20) text_.append("\\u00").append(1, hex[code / 16]).append(1, hex[code % 16]);
    else text_ += c;
  }
}

} // namespace corral::app
