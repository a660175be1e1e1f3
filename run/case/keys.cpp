#include "run/case/keys.hpp"

#include "run/case/units.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::run {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Edits between two words: insert, delete, replace, swap of neighbours (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool ends_in_wildcard(std::string_view section) { return section.ends_with(".*"); }

bool is_section(std::string_view section) {
  return is_name(ends_in_wildcard(section) ? section.substr(0, section.size() - 2) : section);
}

// What is wrong with a row by itself; "" where nothing is.
std::string contradiction(const Key& key) {
  if (!is_section(key.section) || !is_name(key.name)) return "has no proper name";
  if (key.meaning.empty()) return "has no meaning";
  if (key.required && key.fallback) return "is required and has a default";
  if ((key.type == KeyType::file || key.type == KeyType::directory) && key.fallback)
    return "is a file or directory and has a default";
  if ((key.type == KeyType::choice || key.type == KeyType::choice_or_file) == key.choices.empty()) return "has choices without being one, or none";
  if (!(key.minimum <= key.maximum)) return "has an empty range";
  for (const ReadWhere& read : key.read_where)
    if (!is_name(read.key) || (read.section.empty() && read.key == key.name)) return "is read where itself is";
  const bool has_reals = key.type == KeyType::real || key.type == KeyType::reals3 || key.type == KeyType::list;
  if (!has_reals && !key.unit.empty()) return "has a unit, but no real numbers";
  const Unit unit = parse_unit(key.unit);
  if (unit.exponent != 0 || unit.factor != 1 || unit.divisor != 1) return "has a unit that is not SI's own";
  return "";
}

} // namespace

std::string_view name(KeyType type) {
  switch (type) {
  case KeyType::boolean: return "boolean";
  case KeyType::integer: return "integer";
  case KeyType::integers3: return "3 integers";
  case KeyType::real: return "real";
  case KeyType::reals3: return "3 reals";
  case KeyType::list: return "list of reals";
  case KeyType::choice: return "choice";
  case KeyType::choice_or_file: return "choice or file";
  case KeyType::text: return "text";
  case KeyType::directory: return "directory";
  case KeyType::file: break;
  }
  return "file";
}

std::string ReadWhere::path() const { return section.empty() ? key : section + "." + key; }

std::string ReadWhere::text() const { return path() + (values.empty() ? " is given" : " is " + values_text("or")); }

std::string ReadWhere::values_text(std::string_view last_by) const {
  std::string text;
  for (const std::string& value : values) {
    if (&value != &values.front()) text += &value == &values.back() ? " " + std::string(last_by) + " " : ", ";
    text += value;
  }
  return text;
}

bool Key::has_numbers() const {
  return type == KeyType::integer || type == KeyType::integers3 || type == KeyType::real || type == KeyType::reals3 ||
         type == KeyType::list;
}

bool Key::allows(double x) const {
  return (minimum_excluded ? x > minimum : x >= minimum) && (maximum_excluded ? x < maximum : x <= maximum);
}

std::string Key::range() const {
  const std::string from = write_number(minimum);
  const std::string to = write_number(maximum);
  if (!std::isfinite(minimum) && !std::isfinite(maximum)) return "";
  if (!std::isfinite(maximum)) return (minimum_excluded ? "above " : "at least ") + from;
  if (!std::isfinite(minimum)) return (maximum_excluded ? "below " : "at most ") + to;
  if (!minimum_excluded && !maximum_excluded) return from + " to " + to;
  return (minimum_excluded ? "above " : "at least ") + from + " and " + (maximum_excluded ? "below " : "at most ") +
         to;
}

void KeyTable::add(Key key) {
  const std::string label = "key " + key.section + "." + key.name;
  if (const std::string why = contradiction(key); !why.empty()) throw Error(label + " " + why);
  for (const Key& row : rows_)
    if (row.section == key.section && row.name == key.name) throw Error(label + " is declared twice");
  if (key.fallback) {
    try {
      parse_value(key, *key.fallback, {});
    } catch (const Error& e) {
      throw Error(label + " has a bad default: " + e.what());
    }
  }
  rows_.push_back(std::move(key));
}

std::vector<std::string> KeyTable::sections() const {
  std::vector<std::string> all;
  for (const Key& row : rows_)
    if (std::find(all.begin(), all.end(), row.section) == all.end()) all.push_back(row.section);
  return all;
}

std::string KeyTable::pattern(std::string_view section) const {
  const std::string wildcard = std::string(section.substr(0, section.find('.'))) + ".*";
  const bool block = section.find('.') != section.npos && is_name(section.substr(section.find('.') + 1), true);
  for (const Key& row : rows_)
    if (row.section == section || (block && row.section == wildcard)) return row.section;
  return "";
}

std::vector<const Key*> KeyTable::keys(std::string_view section) const {
  const std::string rows_of = pattern(section);
  std::vector<const Key*> all;
  for (const Key& row : rows_)
    if (row.section == rows_of) all.push_back(&row);
  return all;
}

const Key* KeyTable::find(std::string_view section, std::string_view key) const {
  for (const Key* row : keys(section))
    if (row->name == key) return row;
  return nullptr;
}

const Key& KeyTable::condition(std::string_view section, const ReadWhere& read) const {
  const Key* other = find(read.section.empty() ? section : std::string_view(read.section), read.key);
  const auto allows = [&](const std::string& value) {
    return other->type == KeyType::boolean ? value == "true" || value == "false"
                                           : std::find(other->choices.begin(), other->choices.end(), value) != other->choices.end() ||
                                                 (other->type == KeyType::choice_or_file && value == ReadWhere::any_file);
  };
  if (other && std::all_of(read.values.begin(), read.values.end(), allows)) return *other;
  throw Error("a key of " + std::string(section) + " is read where " + read.text() + ", which cannot be");
}

bool is_name(std::string_view text, bool block) {
  return !text.empty() && (is_letter(text.front()) || block) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || (block && c == '-');
  });
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64; // beyond it nothing is near, and the table of edits would grow
  if (word.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool abbreviated = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t n = abbreviated ? 1 : edits(word, candidate);
    if (n >= fewest || n >= std::max(word.size(), candidate.size())) continue;
    fewest = n;
    best = candidate;
  }
  return best;
}

Key positive(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
             std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .unit = std::move(unit)};
  key.required = !fallback;
  key.fallback = std::move(fallback);
  key.minimum = 0;
  key.minimum_excluded = true;
  key.meaning = std::move(meaning);
  return key;
}

Key optional_positive(std::string section, std::string name, std::string unit, std::string meaning) {
  Key key = positive(std::move(section), std::move(name), std::move(unit), std::nullopt, std::move(meaning));
  key.required = false;
  return key;
}

Key share(std::string section, std::string name, std::string fallback, std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .fallback = std::move(fallback), .minimum = 0,
          .maximum = 1, .meaning = std::move(meaning)};
}

Key choice(std::string section, std::string name, std::vector<std::string> choices,
           std::optional<std::string> fallback, std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .type = KeyType::choice};
  key.required = !fallback;
  key.fallback = std::move(fallback);
  key.choices = std::move(choices);
  key.meaning = std::move(meaning);
  return key;
}

Key choice_or_file(std::string section, std::string name, std::vector<std::string> choices, std::string fallback,
                   std::string meaning) {
  Key key = choice(std::move(section), std::move(name), std::move(choices), std::move(fallback), std::move(meaning));
  key.type = KeyType::choice_or_file;
  return key;
}

Key vector(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
           std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .type = KeyType::reals3, .unit = std::move(unit),
          .fallback = std::move(fallback), .meaning = std::move(meaning)};
}

Key within(Key key, double minimum, double maximum) {
  key.minimum = minimum;
  key.maximum = maximum;
  key.minimum_excluded = key.maximum_excluded = false;
  return key;
}

Key where(std::string_view other, std::vector<std::string> values, Key key) {
  const std::size_t point = other.rfind('.');
  const std::string_view section = point == other.npos ? "" : other.substr(0, point);
  key.read_where.push_back({std::string(section), std::string(other.substr(point + 1)), std::move(values)});
  return key;
}

Key where_given(std::string_view other, Key key) { return where(other, {}, std::move(key)); }

} // namespace corral::run
