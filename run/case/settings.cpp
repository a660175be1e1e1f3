#include "run/case/settings.hpp"

#include "run/case/reader.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace corral::run {

namespace {

std::string path_of(std::string_view section, std::string_view key) {
  return std::string(section) + "." + std::string(key);
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

std::string suggestion(const std::optional<std::string>& near, std::string_view what,
                       const std::vector<std::string>& candidates) {
  return near ? "(nearest " + std::string(what) + ": " + *near + ")"
              : "(known " + std::string(what) + "s: " + joined(candidates) + ")";
}

// The written case against the table. What was misspelt or malformed is not called missing as well.
class Validation {
public:
  Validation(const KeyTable& table, const WrittenCase& written, Problems& problems)
      : table_(table), written_(written), problems_(problems) {}

  void judge_section(const WrittenCase::Section& s) {
    if (table_.pattern(s.name).empty()) problems_.add(s.where, unknown_section(s.name));
  }

  /// True where the key has a value to be read.
  bool judge_key(const WrittenCase::Entry& e) {
    if (table_.pattern(e.section).empty()) {
      if (e.where.line == 0) problems_.add(e.where, unknown_section(e.section));
      return false; // in the file, the section's header was judged
    }
    if (table_.find(e.section, e.key) == nullptr) {
      problems_.add(e.where, unknown_key(e));
      return false;
    }
    if (e.unset) unset_.emplace(path_of(e.section, e.key), e.where);
    else excused_.insert(path_of(e.section, e.key));
    return !e.unset;
  }

  void call_missing(const std::string& section, const Key& key, const Location& where) {
    const bool excused = excused_.contains(section) || excused_.contains(path_of(section, key.name));
    if (!written_.whole || excused) return;
    const std::string unit = key.unit.empty() ? "" : " [" + key.unit + "]";
    const auto unset = unset_.find(path_of(section, key.name));
    problems_.add(unset != unset_.end() ? unset->second : where,
                  path_of(section, key.name) + " is missing (" + key.meaning + unit + ")");
  }

private:
  std::string unknown_section(const std::string& name) {
    std::vector<std::string> candidates = table_.sections();
    const std::string wildcard = name + ".*";
    if (std::find(candidates.begin(), candidates.end(), wildcard) != candidates.end())
      return "[" + name + "] lacks a name of its own (write [" + name + ".NAME], one for each)";

    // A block is as near as the part before its point.
    const std::size_t point = name.find('.');
    for (std::string& c : candidates)
      if (point != name.npos && c.ends_with(".*")) c.replace(c.size() - 2, 2, name.substr(point));
    const auto near = nearest(name, candidates);
    if (near) excused_.insert(*near);
    return "[" + name + "] is not known " + suggestion(near, "section", table_.sections());
  }

  std::string unknown_key(const WrittenCase::Entry& e) {
    std::vector<std::string> candidates;
    for (const Key* k : table_.keys(e.section)) candidates.push_back(k->name);
    const std::string problem = path_of(e.section, e.key) + " is not known ";
    const auto near = nearest(e.key, candidates);
    if (const Key* row = near ? nullptr : key_elsewhere(e))
      return problem + "(it is a key of [" + row->section + "]: " + row->meaning + ")";
    if (near) excused_.insert(path_of(e.section, *near));
    return problem + suggestion(near, "key", candidates);
  }

  // The table has sections of one subject side by side: a size's density is meant for the solids, not for the gas.
  const Key* key_elsewhere(const WrittenCase::Entry& e) const {
    const std::vector<std::string> sections = table_.sections();
    const auto place = [&](const std::string& section) {
      return std::find(sections.begin(), sections.end(), section) - sections.begin();
    };
    const auto here = place(table_.pattern(e.section));
    const auto distance = [&](const Key* row) { return std::abs(place(row->section) - here); };
    const Key* best = nullptr;
    for (const Key& row : table_.rows())
      if (row.name == e.key && (best == nullptr || distance(&row) < distance(best))) best = &row;
    return best;
  }

  const KeyTable& table_;
  const WrittenCase& written_;
  Problems& problems_;
  std::map<std::string, Location, std::less<>> unset_; // by "section.key"
  std::set<std::string, std::less<>> excused_; // sections, and keys as "section.key"
};

/// Keys that have a value of their own and that nothing reads. What they have by default does no harm: used.ini writes all of
/// it.
class IdleKeys {
public:
  IdleKeys(const KeyTable& table, const Settings& settings, Problems& problems)
      : table_(table), settings_(settings), problems_(problems) {}

  void refuse() {
    for (const std::string& section : settings_.sections())
      for (const Key* key : table_.keys(section))
        for (const ReadWhere& read : key->read_where)
          if (!holds(section, read) && settings_.changed(section, key->name)) {
            complain(section, *key, read);
            break;
          }
  }

private:
  static const std::string& section_of(const std::string& section, const ReadWhere& read) {
    return read.section.empty() ? section : read.section;
  }

  bool holds(const std::string& section, const ReadWhere& read) const {
    const Key& other = table_.condition(section, read);
    if (!settings_.given(section_of(section, read), read.key)) return !read.values.empty(); // nobody knows yet what it is
    const std::string value = settings_.names_file(section_of(section, read), read.key)
                                  ? ReadWhere::any_file
                                  : settings_.written(section_of(section, read), other);
    return read.values.empty() || std::find(read.values.begin(), read.values.end(), value) != read.values.end();
  }

  void complain(const std::string& section, const Key& key, const ReadWhere& read) {
    const std::string name = read.section.empty() ? key.name : path_of(section, key.name);
    const std::string& of_other = section_of(section, read);
    if (read.values.empty())
      return problems_.add(settings_.where(section, key.name), name + " without " + read.path() + " (nothing would read it) give " +
                                                                   read.path() + ", or leave it out");
    const bool beside = of_other == section;
    problems_.add(beside ? settings_.where(section, to_blame(settings_, section, {key.name.c_str(), read.key.c_str()}))
                         : settings_.where(section, key.name),
                  name + " with " + read.path() + " = " + settings_.written(of_other, table_.condition(section, read)) +
                      " (it is for " + read.values_text("and") + ") choose " + (read.values.size() == 1 ? "that" : "one of them") +
                      ", or leave it out");
  }

  const KeyTable& table_;
  const Settings& settings_;
  Problems& problems_;
};

} // namespace

Settings validate(const KeyTable& table, const WrittenCase& written, Problems& problems) {
  Settings settings;
  settings.file_ = written.file;
  Validation validation(table, written, problems);
  for (const WrittenCase::Section& s : written.sections) {
    validation.judge_section(s);
    settings.headers_.emplace(s.name, s.where);
  }
  for (const WrittenCase::Entry& e : written.entries) {
    if (problems.full()) break;
    if (!validation.judge_key(e)) continue;
    try {
      const Key& key = *table.find(e.section, e.key);
      settings.items_[path_of(e.section, e.key)] = {parse_value(key, e.value, written.directory), e.where};
    } catch (const FileError& error) {
      // What is said of a file stands at the file, unless a line of the case is to be corrected.
      const std::string path = path_of(e.section, e.key);
      if (e.where.line > 0) problems.add(e.where, path + ": " + error.what());
      else problems.add({error.file, 0}, error.fault + " (" + path + " of " + e.where.file + " names it)");
    } catch (const Error& error) {
      problems.add(e.where, path_of(e.section, e.key) + ": " + error.what());
    }
  }

  for (const std::string& pattern : table.sections()) {
    if (!pattern.ends_with(".*")) settings.sections_.push_back(pattern);
    else
      for (const WrittenCase::Section& s : written.sections)
        if (table.pattern(s.name) == pattern) settings.sections_.push_back(s.name);
  }
  for (const std::string& section : settings.sections_)
    for (const Key* key : table.keys(section)) {
      const std::string path = path_of(section, key->name);
      const auto item = settings.items_.find(path);
      const bool there = item != settings.items_.end();
      if (key->fallback) {
        Value value = parse_value(*key, *key->fallback, written.directory);
        if (there) item->second.by_default = item->second.value == value;
        else settings.items_[path] = {std::move(value), settings.where(section, key->name), true};
      } else if (key->required && !there) {
        validation.call_missing(section, *key, settings.where(section, key->name));
      }
    }
  if (problems.empty()) IdleKeys(table, settings, problems).refuse(); // else what a value should be is not known
  return settings;
}

template <class T> const T& Settings::get(std::string_view section, std::string_view key) const {
  const auto item = items_.find(path_of(section, key));
  if (item == items_.end())
    throw Error(path_of(section, key) + " has no value (the program should ask given() first)");
  const T* value = std::get_if<T>(&item->second.value);
  if (value == nullptr) throw Error(path_of(section, key) + " is read as another type than the key table declares");
  return *value;
}

bool Settings::given(std::string_view section, std::string_view key) const {
  return items_.contains(path_of(section, key));
}
bool Settings::changed(std::string_view section, std::string_view key) const {
  const auto item = items_.find(path_of(section, key));
  return item != items_.end() && !item->second.by_default;
}
bool Settings::flag(std::string_view section, std::string_view key) const { return get<bool>(section, key); }
std::int64_t Settings::integer(std::string_view section, std::string_view key) const {
  return get<std::int64_t>(section, key);
}
std::array<std::int64_t, 3> Settings::integers3(std::string_view section, std::string_view key) const {
  return get<std::array<std::int64_t, 3>>(section, key);
}
double Settings::real(std::string_view section, std::string_view key) const { return get<double>(section, key); }
std::array<double, 3> Settings::reals3(std::string_view section, std::string_view key) const {
  return get<std::array<double, 3>>(section, key);
}
std::vector<double> Settings::list(std::string_view section, std::string_view key) const {
  return get<std::vector<double>>(section, key);
}
std::string Settings::choice(std::string_view section, std::string_view key) const {
  return get<std::string>(section, key);
}
std::string Settings::text(std::string_view section, std::string_view key) const {
  return get<std::string>(section, key);
}
std::filesystem::path Settings::file(std::string_view section, std::string_view key) const {
  return get<std::filesystem::path>(section, key);
}
bool Settings::names_file(std::string_view section, std::string_view key) const {
  const auto item = items_.find(path_of(section, key));
  return item != items_.end() && std::holds_alternative<std::filesystem::path>(item->second.value);
}
std::shared_ptr<const EarlierRun> Settings::earlier_run(std::string_view section, std::string_view key) const {
  return open_run_ ? open_run_(get<std::filesystem::path>(section, key)) : nullptr;
}

std::vector<std::string> Settings::blocks(std::string_view prefix) const {
  std::vector<std::string> found;
  for (const std::string& s : sections_)
    if (s.size() > prefix.size() && s.starts_with(prefix) && s[prefix.size()] == '.') found.push_back(s);
  return found;
}

Location Settings::where(std::string_view section, std::string_view key) const {
  if (const auto item = items_.find(path_of(section, key)); item != items_.end()) return item->second.where;
  if (const auto header = headers_.find(section); header != headers_.end()) return header->second;
  return file_;
}

std::string Settings::written(std::string_view section, const Key& key) const {
  const auto item = items_.find(path_of(section, key.name));
  if (item == items_.end())
    throw Error(path_of(section, key.name) + " has no value (the program should ask given() first)");
  return write_value(key, item->second.value);
}

} // namespace corral::run
