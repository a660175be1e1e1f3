#pragma once

#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace corral::run {

/// Which of the keys of a contradiction within [section] is blamed: the first that the command line gives, else the first
/// that has a line of its own, else the first.
inline const char* to_blame(const Settings& settings, const std::string& section, std::initializer_list<const char*> keys) {
  const Location header = settings.where(section, "");
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line == 0) return key;
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line != header.line) return key;
  return *keys.begin();
}

/// What those share who read a case, or look at one that was read: its values, and complaints, each at the place of the
/// value that it is about.
class Reader {
public:
  bool complained() const { return complained_; }

protected:
  Reader(const Settings& settings, Problems& problems) : s_(settings), problems_(problems) {}

  void complain(std::string_view section, std::string_view key, std::string message) {
    problems_.add(s_.where(section, key), std::move(message));
    complained_ = true;
  }
  /// Complains, and is false: for those who look at nothing beyond a first problem, which often causes others.
  bool refuse(std::string_view section, std::string_view key, std::string message) {
    complain(section, key, std::move(message));
    return false;
  }
  const char* to_blame(const std::string& section, std::initializer_list<const char*> keys) const {
    return run::to_blame(s_, section, keys);
  }

  const Settings& s_;
  Problems& problems_;
  bool complained_ = false;
};

} // namespace corral::run
