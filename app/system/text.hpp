#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace corral::app {

/// The shortest decimal text that reads back as the same double; whole numbers below 1e15 without an exponent, so
/// that counters look like counters.
std::string number_text(double value);

/// For people: `digits` significant digits (all digits of larger whole parts), without trailing zeros; an exponent
/// below 1e-4 and from 1e9 only.
std::string rounded_text(double value, int digits);

/// "2.4 GB", for people.
std::string bytes_text(double bytes);

/// A whole number from 0 on, with zeros before it up to `digits`: names of files that sort as they were written.
std::string padded(std::int64_t number, std::size_t digits);

/// Of an XML tag such as `<Piece Extent="0 4 0 3 0 2">`; "" where it has none of that name.
std::string xml_attribute(std::string_view tag, const std::string& name);

/// Builds JSON text (RFC 8259), indented by two blanks. Calls nest as the text does:
/// `json.begin_object(); json.key("steps"); json.value(12); json.end_object();`
class Json {
public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  /// Control characters, quotes and backslashes are escaped; bytes that are not UTF-8 become U+FFFD.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(double number); ///< reads back with the same bits; null where not finite: JSON has no other word
  void value(std::int64_t number) { raw(std::to_string(number)); }
  void value(int number) { raw(std::to_string(number)); }
  void value(bool truth) { raw(truth ? "true" : "false"); }
  void null() { raw("null"); }

  template <class T> void member(std::string_view name, const T& v) {
    key(name);
    value(v);
  }

  /// The text so far, with a newline at the end.
  std::string text() const { return text_ + "\n"; }

private:
  void open(char bracket);
  void close(char bracket);
  void raw(std::string_view token);
  void separate();
  void quote(std::string_view text);
  void escape(std::string_view utf8);

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true; // nothing yet in the innermost bracket
  bool after_key_ = false;
};

} // namespace corral::app
