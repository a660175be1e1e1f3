#include "app/points/point_table.hpp"

#include "app/points/vtp_points.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace corral::app {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t largest_table = std::size_t{1} << 34; // [bytes]

std::string list_of(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

/// A text, a line after the other, without what ends them.
class Lines {
public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// False at the end. Lines of blanks are passed over.
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      ++number_;
      if (!run::trimmed(line_).empty()) return true;
    }
    return false;
  }
  std::string_view line() const { return line_; }
  int number() const { return number_; } ///< from 1 on

private:
  std::string_view rest_, line_;
  int number_ = 0;
};

/// Calls `use` with each value between commas and its place from 0 on; returns how many there are.
template <class F> std::size_t each_value(std::string_view line, const F& use) {
  std::size_t n = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++n) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    use(n, run::trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return n;
}

/// Reads a table and keeps what is wrong with it.
class TableReader {
public:
  TableReader(const std::filesystem::path& file, std::string_view text, std::span<const std::string_view> known)
      : file_(file), lines_(text), known_(known) {}

  PointTable read();

private:
  void read_names();
  void read_row();
  void add_name(std::string_view written);
  double number(std::size_t column, std::string_view text);
  void refuse(const std::string& message) { problems_.add({file_.string(), std::max(lines_.number(), 1)}, message); }

  std::filesystem::path file_;
  Lines lines_;
  std::span<const std::string_view> known_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;
  run::Problems problems_;
};

void TableReader::add_name(std::string_view written) {
  std::string name;
  try {
    name = run::unquoted(written); // as spreadsheets write them
  } catch (const Error& e) {
    return refuse(e.what());
  }
  if (std::ranges::find(names_, name) != names_.end())
    refuse("column " + run::cited(name) + " is there twice (each is read once) take one of them out");
  else if (std::ranges::find(known_, name) == known_.end())
    refuse(run::cited(name) + " is not the name of a column (" + list_of(known_) + ") rename it, or take it out");
  names_.push_back(name);
}

void TableReader::read_names() {
  if (!lines_.next()) {
    refuse("the file is empty (a line of names such as x,y,z and rows of numbers are expected)");
    problems_.throw_if_any();
  }
  if (lines_.line().find_first_of(letters) == std::string_view::npos)
    refuse("the first line names no columns (" + list_of(known_) + ") put their names above the numbers");
  else
    each_value(lines_.line(), [&](std::size_t, std::string_view written) { add_name(written); });
  problems_.throw_if_any(); // rows cannot be read without
  for (const std::string_view axis : {"x", "y", "z"})
    if (std::ranges::find(names_, axis) == names_.end())
      refuse("column '" + std::string(axis) + "' is missing (points have x, y and z) add it");
  problems_.throw_if_any();
  values_.resize(names_.size());
}

double TableReader::number(std::size_t column, std::string_view text) {
  const std::string_view digits = text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
  double value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault == std::errc::result_out_of_range)
    refuse(names_[column] + " is " + run::cited(text) + " (beyond the range of numbers)");
  else if (text.empty())
    refuse(names_[column] + " has no value (each row has all columns)");
  else if (fault != std::errc() || end != digits.data() + digits.size())
    refuse(names_[column] + " is " + run::cited(text) + " (a decimal number is expected)");
  else if (!std::isfinite(value))
    refuse(names_[column] + " is " + run::cited(text) + " (a finite number is expected)");
  return value;
}

void TableReader::read_row() {
  const std::size_t columns = names_.size();
  const std::size_t values = each_value(lines_.line(), [&](std::size_t c, std::string_view text) {
    if (c < columns) values_[c].push_back(number(c, text));
  });
  if (values != columns)
    refuse("a row of " + std::to_string(values) + (values == 1 ? " value" : " values") + " (the first line names " +
           std::to_string(columns) + " columns)");
}

PointTable TableReader::read() {
  read_names();
  while (!problems_.full() && lines_.next()) read_row();
  if (problems_.empty() && values_.front().empty()) refuse("no points (rows of numbers are expected below the names)");
  problems_.throw_if_any();
  PointTable table{.file = file_, .points = static_cast<std::int64_t>(values_.front().size())};
  for (std::size_t c = 0; c < names_.size(); ++c) table.columns[names_[c]] = std::move(values_[c]);
  return table;
}

} // namespace

PointTable read_points(const std::filesystem::path& file, std::span<const std::string_view> known) {
  if (const std::string fault = run::fault_of(file); !fault.empty())
    throw UsageError(file.string() + " " + fault + " (a table of points is expected)");
  const std::string text = read_whole_file(file, largest_table);
  if (file.extension() == ".vtp") return read_vtp_points(file, text, known);
  if (const std::string_view other = run::wide_encoding(text); !other.empty()) {
    run::Problems problems;
    problems.add({file.string(), 1}, "the file is written in " + std::string(other) + " (UTF-8 is read) save it as UTF-8");
    problems.throw_if_any();
  }
  return TableReader(file, run::without_byte_order_mark(text), known).read();
}

} // namespace corral::app
