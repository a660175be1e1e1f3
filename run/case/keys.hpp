#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::run {

/// What the value of a key is made of.
enum class KeyType : std::uint8_t {
  boolean,   ///< true or false (also yes, no)
  integer,   ///< a whole number
  integers3, ///< three of them, for x, y, z: `15, 150, 450`
  real,      ///< a finite number with an optional unit: `0.5 mm`
  reals3,    ///< three of them: `15, 150, 450 mm`
  list,      ///< one or more of them
  choice,    ///< one word of Key::choices
  text,      ///< any text, in double quotes where it holds a # after a blank
  file,      ///< a file that exists; relative to the case directory
  choice_or_file, ///< one of the words, or else such a file
  directory  ///< likewise, of results: looked for where it is read alone (Settings::earlier_run)
};

std::string_view name(KeyType);
inline bool may_name_file(KeyType type) { return type == KeyType::file || type == KeyType::choice_or_file; }

/// What another key must be for a key to be read at all. Elsewhere it is idle, and a case that gives it a value of its own
/// is refused.
struct ReadWhere {
  std::string section{};             ///< of the other key; "": the key's own
  std::string key{};                 ///< the other one
  std::vector<std::string> values{}; ///< that it may have, of a choice or a boolean; none: any, but it is given
  static constexpr const char* any_file = "FILE"; ///< a value of a choice_or_file: no word of it, but a file

  /// "heat.model", or "law" where the section is the key's own.
  std::string path() const;
  /// "law is soft, stiff or odd", "solids_rate is given".
  std::string text() const;
  std::string values_text(std::string_view last_by) const; ///< "soft, stiff or odd" by "or"
};

/// One row of the key table: all that is known about a key of the case file before any case is read.
struct Key {
  std::string section{}; ///< "gas", or "inlet.*" for named blocks such as [inlet.bottom]
  std::string name{};
  KeyType type = KeyType::real;
  std::string unit{};                    ///< SI unit of the numbers; "" where dimensionless or not a number
  std::optional<std::string> fallback{}; ///< the default as one would write it in the file
  bool required = false;                 ///< neither required nor fallback: optional, ask Settings::given
  double minimum = -std::numeric_limits<double>::infinity(); ///< of each number, in `unit`
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
  bool maximum_excluded = false;
  std::vector<std::string> choices{};
  std::string meaning{}; ///< one sentence, lower case, no full stop
  bool when_resumed = false; ///< a run that goes on may have another value than before it was cut
  std::vector<ReadWhere> read_where{}; ///< all of which hold where it is read

  bool has_numbers() const;
  bool allows(double number) const;
  /// "above 0", "0 to 1", "at least 1", in `unit`; "" where every number is allowed.
  std::string range() const;
};

/// Every key that a case may hold, in the order of `describe` and of used.ini. Drives parsing, `describe`, and
/// the manual.
class KeyTable {
public:
  /// Throws Error where the row contradicts itself or another one: a default that its own range forbids, a unit
  /// that does not exist, a key declared twice.
  void add(Key key);

  const std::vector<Key>& rows() const { return rows_; }
  /// Sections in order of first mention, "inlet.*" for blocks.
  std::vector<std::string> sections() const;
  /// The row set that [section] obeys: "gas" -> "gas", "inlet.bottom" -> "inlet.*"; "" where there is none.
  std::string pattern(std::string_view section) const;
  /// Keys of [section]; of "inlet.*" for "inlet.bottom".
  std::vector<const Key*> keys(std::string_view section) const;
  /// nullptr where there is no such key.
  const Key* find(std::string_view section, std::string_view key) const;
  /// The key that a condition of a key of [section] is about. Throws Error where the table has none that can have its
  /// values.
  const Key& condition(std::string_view section, const ReadWhere& read) const;

private:
  std::vector<Key> rows_;
};

/// True for names of sections and keys: a letter, then letters, digits and '_'. The name of a block, after the point
/// of [inlet.bottom], may begin with a digit and hold '-', too.
bool is_name(std::string_view text, bool block = false);

/// The candidate that takes the fewest edits (insert, delete, replace, swap neighbours) to become `word`, the first of
/// equals; nullopt where none is near: up to 2 edits, or 1 in 3 letters, but never all of them. An abbreviation of 3
/// letters or more counts as one edit.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

// Rows of the key table of the kinds that come often. Those without a fallback are required, unless they say optional.

Key positive(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
             std::string meaning);
Key optional_positive(std::string section, std::string name, std::string unit, std::string meaning);
/// From 0 to 1.
Key share(std::string section, std::string name, std::string fallback, std::string meaning);
Key choice(std::string section, std::string name, std::vector<std::string> choices,
           std::optional<std::string> fallback, std::string meaning);
Key choice_or_file(std::string section, std::string name, std::vector<std::string> choices, std::string fallback,
                   std::string meaning);
/// Three numbers; optional where there is no fallback.
Key vector(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
           std::string meaning);
/// The key with a range that holds both ends.
Key within(Key key, double minimum, double maximum);
/// The key that is read where `other`, "key" of its own section or "section.key", has one of these values, or is given.
Key where(std::string_view other, std::vector<std::string> values, Key key);
Key where_given(std::string_view other, Key key);

/// Beyond these a value is a unit that was forgotten, or leaves the range of arithmetic.
inline constexpr double fastest = 1e5, strongest_pull = 1e6; // [m/s], [m/s2]

} // namespace corral::run
