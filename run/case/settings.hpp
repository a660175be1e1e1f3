#pragma once

#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::run {

class EarlierRun; // run/case/earlier_run.hpp

/// A case as it is written, before any key is judged: what a reader hands to `validate`.
struct WrittenCase {
  struct Section {
    std::string name;
    Location where;
  };
  struct Entry {
    std::string section, key, value;
    Location where;
    bool unset = false; ///< the key is to be as if it had not been written; `value` does not count
  };
  Location file;                   ///< stands for the whole case, line 1
  std::filesystem::path directory; ///< file keys are relative to it
  std::vector<Section> sections;   ///< in file order, each once
  std::vector<Entry> entries;      ///< in file order, each key once
  bool whole = true;               ///< false where lines could not be read: then nothing is called missing
};

/// A validated case: every key typed, in range, numbers in SI. Keys that the case leaves out have their defaults.
/// Getters throw Error for a key without a value, or of another type: a mistake in the program, not in the case.
class Settings {
public:
  /// True where the key has a value, from the case or by default. Ask before reading an optional key.
  bool given(std::string_view section, std::string_view key) const;
  /// True where the case gives the key a value, and another than it has by default.
  bool changed(std::string_view section, std::string_view key) const;

  bool flag(std::string_view section, std::string_view key) const;
  std::int64_t integer(std::string_view section, std::string_view key) const;
  std::array<std::int64_t, 3> integers3(std::string_view section, std::string_view key) const;
  double real(std::string_view section, std::string_view key) const;
  std::array<double, 3> reals3(std::string_view section, std::string_view key) const;
  std::vector<double> list(std::string_view section, std::string_view key) const;
  std::string choice(std::string_view section, std::string_view key) const;
  std::string text(std::string_view section, std::string_view key) const;
  std::filesystem::path file(std::string_view section, std::string_view key) const; ///< absolute; a file when read
  /// True where the value is a file's name and no word of a choice.
  bool names_file(std::string_view section, std::string_view key) const;

  /// Opens the results in a directory, which is absolute. Throws Error where there are none to begin with.
  using Opener = std::function<std::shared_ptr<const EarlierRun>(const std::filesystem::path& results)>;
  void open_runs_by(Opener open) { open_run_ = std::move(open); }
  /// The run whose results a key of type directory names. Null where nobody opens any: a run that goes on has what it began
  /// with in a checkpoint of its own. Throws Error.
  std::shared_ptr<const EarlierRun> earlier_run(std::string_view section, std::string_view key) const;

  /// Sections of named blocks in file order: "inlet" -> {"inlet.bottom", "inlet.jet"}.
  std::vector<std::string> blocks(std::string_view prefix) const;
  /// Every section that has values: plain ones in table order, blocks in file order at their place in the table.
  const std::vector<std::string>& sections() const { return sections_; }

  /// Where the value is written; of its section's header where it has its default; of the file where there is none.
  Location where(std::string_view section, std::string_view key) const;
  /// The value as it would be written in a case file: SI, unit included, the same bits when read again.
  std::string written(std::string_view section, const Key& key) const;

private:
  friend Settings validate(const KeyTable&, const WrittenCase&, Problems&);

  struct Item {
    Value value;
    Location where;
    bool by_default = false; ///< what it has by default, written or not
  };
  template <class T> const T& get(std::string_view section, std::string_view key) const;

  std::map<std::string, Item, std::less<>> items_; ///< by "section.key"
  std::map<std::string, Location, std::less<>> headers_;
  std::vector<std::string> sections_;
  Location file_;
  Opener open_run_;
};

/// Types and checks every value of the case against the table, fills in defaults, and adds to `problems` what is
/// unknown (with the nearest known name), malformed, out of range, missing, or idle (Key::read_where). The result is
/// complete where `problems` is empty afterwards.
Settings validate(const KeyTable& table, const WrittenCase& written, Problems& problems);

} // namespace corral::run
