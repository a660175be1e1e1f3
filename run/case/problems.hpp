#pragma once

#include <corral/error.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::run {

/// Where the first byte stands that is not part of a UTF-8 character (RFC 3629: neither overlong forms nor
/// surrogates); text.size() where all is well.
std::size_t first_not_utf8(std::string_view text);

/// "UTF-16" or "UTF-32" where the text is written in one of them, by its byte order mark or by its zeros; "" otherwise.
std::string_view wide_encoding(std::string_view text);

/// The text without the mark that some editors put before UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// Where the first control character other than a tab stands; text.size() where there is none.
std::size_t first_control_character(std::string_view text);

/// Where something is written. Lines count from 1; a complaint about a whole file stands at its line 1.
/// Line 0: no line but the command line, and `file` holds the option ("--set"), or a file that it names.
struct Location {
  std::string file;
  int line = 1;

  std::string text() const; ///< "file:line", or `file` alone
};

/// Everything that is wrong with a case, reported at once as a CaseError.
class CaseError : public Error {
public:
  using Error::Error;
};

/// Collects what is wrong with a case before anything is written.
class Problems {
public:
  /// Hears, over and over again, how far work has come that takes its time.
  using Listener = std::function<void(const std::string& how_far)>;

  Problems() = default;
  explicit Problems(Listener listener) : listener_(std::move(listener)) {}

  /// Whoever reads a case tells what it is waited for.
  void tell(const std::string& how_far) const {
    if (listener_) listener_(how_far);
  }

  /// `message` reads *problem (why) suggestion*. The same message at the same place is kept once.
  void add(const Location& where, std::string message);

  bool empty() const { return found_.empty(); }
  /// So many that nobody reads on: a reader may stop looking.
  bool full() const { return found_.size() >= 1000; }
  /// One "file:line: message" a line, no newline at the end: files in order of first mention, lines ascending.
  /// After 100 problems the rest is only counted.
  std::string text() const;
  /// Throws CaseError with text() unless empty.
  void throw_if_any() const;

private:
  std::vector<std::pair<Location, std::string>> found_;
  Listener listener_;
};

/// `text` in quotes for a message: cut to 60 bytes at a character's border, control characters shown as '?'.
std::string cited(std::string_view text);

} // namespace corral::run
