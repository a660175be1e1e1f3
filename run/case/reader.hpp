#pragma once

#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace corral::run {

/// Which of the keys of a contradiction within [section] is blamed: the first that the command line gives, else the first
/// that has a line of its own, else the first.
const char* to_blame(const Settings& settings, const std::string& section, std::initializer_list<const char*> keys);

/// What those share who read a case, or look at one that was read: its values, and complaints, each at the place of the
/// value that it is about.
class Reader {
public:
  bool complained() const { return complained_; }

protected:
  Reader(const Settings& settings, Problems& problems) : s_(settings), problems_(problems) {}

  void complain(std::string_view section, std::string_view key, std::string message);
  /// Complains, and is false: for those who look at nothing beyond a first problem, which often causes others.
  bool refuse(std::string_view section, std::string_view key, std::string message);
  const char* to_blame(const std::string& section, std::initializer_list<const char*> keys) const {
    return run::to_blame(s_, section, keys);
  }

  const Settings& s_;
  Problems& problems_;
  bool complained_ = false;
};

} // namespace corral::run
