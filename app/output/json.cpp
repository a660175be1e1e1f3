#include "app/output/json.hpp"

#include "app/output/number.hpp"
#include "run/case/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace corral::app {

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
