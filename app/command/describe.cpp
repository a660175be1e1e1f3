#include "app/command/commands.hpp"

#include "app/case/case_file.hpp"
#include "app/system/text.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace corral::app {

namespace {

using run::Key;

struct Chapter {
  const run::DriverKind* driver; ///< nullptr: keys of every case
  run::KeyTable table;
};

std::vector<Chapter> chapters(const std::vector<run::DriverKind>& drivers) {
  std::vector<Chapter> all(1);
  declare_case_keys(all[0].table, drivers, outputs_of(drivers));
  for (const run::DriverKind& d : drivers) {
    all.push_back({&d, {}});
    d.declare_keys(all.back().table);
  }
  return all;
}

std::string path_of(const Key& key) { return key.section + "." + key.name; }

// "gas", "gas.density", "inlet.*" or "inlet.bottom" or "inlet", "inlet.*.velocity" or "inlet.bottom.velocity".
bool answers(const run::KeyTable& table, const Key& key, const std::string& asked) {
  if (asked.empty() || table.pattern(asked) == key.section || asked + ".*" == key.section) return true;
  const std::size_t point = asked.rfind('.');
  return point != asked.npos && asked.substr(point + 1) == key.name &&
         (table.pattern(asked.substr(0, point)) == key.section || asked.substr(0, point) + ".*" == key.section);
}

// Keeps the keys that were asked for.
std::vector<Chapter> selected(const std::vector<Chapter>& all, const std::string& asked) {
  std::vector<Chapter> chosen;
  std::vector<std::string> names;
  bool found = false;
  for (const Chapter& c : all) {
    chosen.push_back({c.driver, {}});
    for (const std::string& s : c.table.sections()) names.push_back(s);
    for (const Key& key : c.table.rows()) {
      names.push_back(path_of(key));
      if (!answers(c.table, key, asked)) continue;
      chosen.back().table.add(key);
      found = true;
    }
  }
  if (found) return chosen;
  const auto near = run::nearest(asked, names);
  throw UsageError("no key or section " + run::cited(asked) +
                   (near ? " (nearest: " + *near + ")" : " (corral describe lists all)"));
}

std::string default_text(const Key& key) {
  if (key.required) return "required";
  if (!key.fallback) return "-";
  return key.fallback->empty() ? "\"\"" : *key.fallback;
}

std::string choices_text(const Key& key) {
  std::string all;
  for (const std::string& c : key.choices) all += (all.empty() ? "" : ", ") + c;
  return all;
}

// Words of `text` in lines of `width` characters, all but the first indented.
std::string folded(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string lines, word;
  for (std::size_t column = 0; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      lines += " ";
      ++column;
    }
    lines += word;
  }
  return lines;
}

std::string table_text(const run::KeyTable& table, const std::string& section) {
  using Row = std::array<std::string, 5>;
  std::vector<Row> rows;
  for (const Key* key : table.keys(section)) {
    const std::string unit = key->unit.empty() ? "" : " [" + key->unit + "]";
    const std::string choices = key->choices.empty() ? "" : " (" + choices_text(*key) + ")";
    rows.push_back(
        {key->name, std::string(name(key->type)) + unit, key->range(), default_text(*key), key->meaning + choices});
  }
  std::array<std::size_t, 4> width{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());

  constexpr std::size_t gap = 2, page = 118;
  std::size_t indent = gap;
  for (const std::size_t w : width) indent += w > 0 ? w + gap : 0;
  std::string text = "\n[" + section + "]\n";
  for (const Row& row : rows) {
    text += std::string(gap, ' ');
    for (std::size_t i = 0; i < width.size(); ++i)
      if (width[i] > 0) text += row[i] + std::string(width[i] - row[i].size() + gap, ' ');
    text += folded(row.back(), indent, page - std::min(indent, page / 2)) + "\n";
  }
  return text;
}

std::string in_full(const Key& key) {
  std::string text = path_of(key) + "\n";
  auto line = [&](std::string label, const std::string& what) {
    label.resize(9, ' ');
    if (!what.empty()) text += "  " + label + folded(what, 11, 107) + "\n";
  };
  line("meaning", key.meaning);
  line("type", std::string(name(key.type)));
  line("unit", key.unit);
  line("range", key.range());
  line("choices", choices_text(key));
  line("default", key.fallback || key.required ? default_text(key) : "none (optional)");
  std::string read;
  for (const run::ReadWhere& where : key.read_where) read += (read.empty() ? "where " : ", and ") + where.text();
  line("read", read);
  return text;
}

/// Conditions that all hold where the key is read; without values another key is given, as it may be.
void add_read_where(Json& json, const Key& key) {
  json.key("read_where");
  json.begin_array();
  for (const run::ReadWhere& read : key.read_where) {
    json.begin_object();
    json.member("section", read.section.empty() ? key.section : read.section);
    json.member("key", read.key);
    json.key("values");
    json.begin_array();
    for (const std::string& value : read.values) json.value(value);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void add_json(Json& json, const Chapter& chapter) {
  for (const Key& key : chapter.table.rows()) {
    json.begin_object();
    json.key("driver");
    if (chapter.driver != nullptr) json.value(chapter.driver->name);
    else json.null();
    json.member("section", key.section);
    json.member("key", key.name);
    json.member("type", name(key.type));
    json.member("unit", key.unit);
    json.member("minimum", key.minimum); // null where there is no limit
    json.member("minimum_excluded", key.minimum_excluded);
    json.member("maximum", key.maximum);
    json.member("maximum_excluded", key.maximum_excluded);
    json.key("default");
    if (key.fallback) json.value(*key.fallback);
    else json.null();
    json.member("required", key.required);
    json.key("choices");
    json.begin_array();
    for (const std::string& c : key.choices) json.value(c);
    json.end_array();
    json.member("meaning", key.meaning);
    add_read_where(json, key);
    json.end_object();
  }
}

} // namespace

std::string describe(const DescribeOptions& options, const std::vector<run::DriverKind>& drivers) {
  const std::vector<Chapter> chosen = selected(chapters(drivers), options.key);
  if (options.json) {
    Json json;
    json.begin_object();
    json.key("keys");
    json.begin_array();
    for (const Chapter& c : chosen) add_json(json, c);
    json.end_array();
    json.end_object();
    return json.text();
  }

  std::size_t keys = 0;
  for (const Chapter& c : chosen) keys += c.table.rows().size();
  std::string text;
  if (std::all_of(chosen.begin(), chosen.end(), [](const Chapter& c) { return c.table.rows().size() <= 1; })) {
    for (const Chapter& c : chosen)
      for (const Key& key : c.table.rows())
        text += (keys > 1 && c.driver != nullptr ? "driver = " + c.driver->name + ": " : "") + in_full(key);
    return text;
  }
  for (const Chapter& c : chosen) {
    if (options.key.empty())
      text += c.driver == nullptr ? "Keys of every case: name, type [unit], range, default, meaning\n"
                                  : "\nKeys of driver = " + c.driver->name + ": " + c.driver->meaning + "\n";
    for (const std::string& s : c.table.sections()) text += table_text(c.table, s);
  }
  return options.key.empty() ? text : text.substr(1); // without the blank line before the first section
}

} // namespace corral::app
