#include "app/case/case_file.hpp"

#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace corral::app {

namespace {

namespace po = boost::program_options;
using run::cited;

// Program_options takes every # for a comment. This character stands in for those that belong to a value: control
// characters are refused before, so it cannot be there already.
constexpr char hidden_hash = '\x1F';

bool is_section_name(std::string_view name) {
  const std::size_t point = name.find('.');
  return run::is_name(name.substr(0, point)) && (point == name.npos || run::is_name(name.substr(point + 1), true));
}

// Without its comment, which begins at a # that is first or follows a blank, outside quotes.
std::string_view without_comment(std::string_view line) {
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') in_quotes = !in_quotes;
    const bool at_word = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (line[i] == '#' && at_word && !in_quotes) return line.substr(0, i);
  }
  return line;
}

// What makes the bytes of a line unreadable; "" where nothing does.
std::string unreadable(std::string_view line) {
  if (line.size() > longest_case_line)
    return "the line has " + std::to_string(line.size()) + " bytes (the limit is " +
           std::to_string(longest_case_line) + ") move tables into files of their own";
  if (const std::size_t i = run::first_control_character(line); i < line.size())
    return "control character in column " + std::to_string(i + 1) + " (a case file is plain text)";
  if (const std::size_t i = run::first_not_utf8(line); i < line.size())
    return "the byte in column " + std::to_string(i + 1) + " is not UTF-8 (save the file as UTF-8)";
  return "";
}

// Goes over the lines before Program_options does: it knows line numbers, and reports everything that
// Program_options would misread in silence or stop at.
class Preparation {
public:
  Preparation(run::WrittenCase& written, run::Problems& problems) : written_(written), problems_(problems) {}

  void take_line(std::string_view line) {
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const std::string why = unreadable(line); !why.empty()) return refuse(why);
    line = run::trimmed(without_comment(line));
    if (line.empty()) return;
    if (line.front() == '[') take_header(line);
    else take_entry(line);
  }

  const std::string& clean_text() const { return clean_; }
  run::Location location_of_entry(std::size_t i) const { return {written_.file.file, entry_lines_.at(i)}; }

private:
  void take_header(std::string_view line) {
    section_.reset();
    if (line.back() != ']')
      return refuse("the section " + cited(line) + " is not closed (']' is missing at the end)");
    const std::string name(run::trimmed(line.substr(1, line.size() - 2)));
    if (!is_section_name(name))
      return refuse(cited(name) + " is not a section's name (letters, digits and _, as in [gas] or [inlet.bottom])");
    const auto [first, is_new] = section_lines_.emplace(name, number_);
    if (!is_new) return refuse("[" + name + "] stands twice (first in line " + std::to_string(first->second) + ")");
    section_ = name;
    written_.sections.push_back({name, here()});
    clean_ += "[" + name + "]\n";
  }

  void take_entry(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return refuse_words(line);
    const std::string key(run::trimmed(line.substr(0, equals)));
    if (!run::is_name(key)) return refuse(cited(key) + " is not a key's name (letters, digits and _)");
    if (!section_) {
      // Once, and not where a header above was meant to be one.
      if (section_lines_.empty() && written_.whole)
        refuse(cited(key) + " stands outside a section (put it below a [section])");
      return;
    }
    const auto [first, is_new] = key_lines_.emplace(*section_ + "." + key, number_);
    if (!is_new) return refuse(first->first + " stands twice (first in line " + std::to_string(first->second) + ")");

    std::string value(line.substr(equals + 1));
    std::replace(value.begin(), value.end(), '#', hidden_hash);
    clean_ += key + "=" + value + "\n";
    entry_lines_.push_back(number_);
  }

  void refuse_words(std::string_view line) {
    const bool comment = line.starts_with(';') || line.starts_with("//");
    refuse(cited(line) + (comment ? " is not a comment (comments begin with #)"
                                  : " has no '=' (a line is key = value, [section] or # comment)"));
  }

  run::Location here() const { return {written_.file.file, number_}; }
  void refuse(const std::string& why) {
    problems_.add(here(), why);
    written_.whole = false;
  }

  run::WrittenCase& written_;
  run::Problems& problems_;
  std::string clean_;
  std::vector<int> entry_lines_;
  std::optional<std::string> section_; // none before the first header, and after one that was refused
  std::map<std::string, int> section_lines_, key_lines_;
  int number_ = 0;
};

// "section.key=value" or "section.key=", of a section that may stand in the case without having been written: all but
// blocks.
run::WrittenCase::Entry read_override(std::string_view text, const run::WrittenCase& written, const run::Location& where) {
  const std::size_t equals = text.find('=');
  const std::string path(run::trimmed(text.substr(0, equals)));
  const std::size_t point = path.rfind('.');
  const bool plain = run::first_control_character(text) == text.size() && run::first_not_utf8(text) == text.size();
  if (!plain || equals == text.npos || point == path.npos || !is_section_name(path.substr(0, point)) ||
      !run::is_name(path.substr(point + 1)))
    throw Error(cited(text) + " cannot be read (section.key=value is expected)");

  const std::string section = path.substr(0, point);
  const bool is_block = section.find('.') != section.npos;
  if (is_block && std::none_of(written.sections.begin(), written.sections.end(),
                               [&](const auto& s) { return s.name == section; }))
    throw Error(path + ": the case has no [" + section + "] (blocks are made in the case file)");
  try {
    const std::string_view value = run::trimmed(text.substr(equals + 1));
    return {section, path.substr(point + 1), run::unquoted(value), where, value.empty()};
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

} // namespace

run::WrittenCase read_ini(std::string_view text, const std::string& file, const std::filesystem::path& directory,
                          run::Problems& problems) {
  run::WrittenCase written;
  written.file = {file, 1};
  written.directory = directory;
  if (const std::string_view encoding = run::wide_encoding(text); !encoding.empty()) {
    problems.add(written.file, "the file is " + std::string(encoding) + " (a case file is UTF-8) save it as UTF-8");
    written.whole = false;
    return written;
  }
  text = run::without_byte_order_mark(text);

  Preparation prepared(written, problems);
  while (!text.empty() && !problems.full()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    prepared.take_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }

  // Every key may pass here: the key table knows wildcards, lines and near names better.
  std::istringstream clean(prepared.clean_text());
  clean.exceptions(std::ios::badbit); // where memory fails a stream would end without a word
  const po::options_description none;
  const auto parsed = po::parse_config_file(clean, none, /*allow_unregistered=*/true);
  for (std::size_t i = 0; i < parsed.options.size(); ++i) {
    const std::string& path = parsed.options[i].string_key;
    const std::size_t point = path.rfind('.');
    std::string value = parsed.options[i].value.at(0);
    std::replace(value.begin(), value.end(), hidden_hash, '#');
    try {
      written.entries.push_back(
          {path.substr(0, point), path.substr(point + 1), run::unquoted(value), prepared.location_of_entry(i), false});
    } catch (const Error& e) {
      problems.add(prepared.location_of_entry(i), path + ": " + e.what());
      written.whole = false;
    }
  }
  return written;
}

void apply_overrides(run::WrittenCase& written, const std::vector<std::string>& overrides, const run::Location& where,
                     run::Problems& problems) {
  std::set<std::string> seen;
  for (const std::string& text : overrides) {
    try {
      const run::WrittenCase::Entry entry = read_override(text, written, where);
      if (!seen.insert(entry.section + "." + entry.key).second)
        throw Error(entry.section + "." + entry.key + " is set twice");
      auto same = [&](const auto& e) { return e.section == entry.section && e.key == entry.key; };
      const auto known = std::find_if(written.entries.begin(), written.entries.end(), same);
      if (known != written.entries.end()) *known = entry;
      else written.entries.push_back(entry);
    } catch (const Error& e) {
      problems.add(where, e.what());
    }
  }
}

} // namespace corral::app
