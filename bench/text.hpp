#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace corral::bench {

/// As printf has it, 200 characters at most.
template <class... Values> std::string formatted(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// The fewest digits that give the number again.
inline std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

/// An object of JSON, member by member. Texts are words of corral's own, which need no escapes.
class JsonObject {
public:
  void add(std::string_view name, std::string_view value) { raw(name, '"' + std::string(value) + '"'); }
  void add(std::string_view name, double value) { raw(name, shortest(value)); }
  void add(std::string_view name, std::int64_t value) { raw(name, std::to_string(value)); }
  void raw(std::string_view name, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + ('"' + std::string(name) + "\": ") + value;
  }
  std::string text() const { return "{" + text_ + "}"; }

private:
  std::string text_;
};

} // namespace corral::bench
