#pragma once

#include "geometry/files/file_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace corral::geometry {

/// Goes through a text word by word, and knows the line. Lines end with \n or \r\n, words are parted by blanks.
/// Whatever is not as expected throws an Error that names file and line.
class TextReader {
public:
  enum class Comments : std::uint8_t { none, hash }; ///< from a # to the end of the line

  explicit TextReader(const FileBytes& file, Comments comments = Comments::none)
      : file_(file), rest_(file.bytes), comments_(comments) {}

  /// Goes to the next line that is not blank; false at the end of the text.
  bool next_line();
  /// The same where there has to be one: `what` is missing at the end.
  void need_line(const std::string& what);
  /// The next word of this line; "" at its end.
  std::string_view word();
  /// The next word of this line or of those behind; "" at the end of the text.
  std::string_view word_anywhere();
  bool at_end_of_line() const;
  bool take_word(std::string_view expected); ///< reads the next word of this line if it is this one
  void leave_line() { now_ = {}; }           ///< skips what is left of this line

  /// The next word of this line as a number; `what` says of what it is.
  double number(std::string_view what);
  std::int64_t whole_number(std::string_view what);
  double number_anywhere(std::string_view what); ///< on this line or on those behind
  /// Nothing is left in this line but what was read.
  void need_end_of_line(std::string_view behind);

  std::int64_t line() const { return line_; } ///< from 1 on
  /// Bytes behind this line.
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(rest_.size()); }
  /// Where the next line begins, from the beginning of the text.
  std::size_t next_begin() const { return file_.bytes.size() - rest_.size(); }
  [[noreturn]] void refuse(const std::string& why) const;

private:
  double to_number(std::string_view word, std::string_view what) const;

  FileBytes file_;
  std::string_view rest_, now_; // lines behind this one, and what is left of it
  Comments comments_;
  std::int64_t line_ = 0;
};

} // namespace corral::geometry
