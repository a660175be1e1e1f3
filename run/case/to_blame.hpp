#pragma once

#include "run/case/settings.hpp"

#include <initializer_list>
#include <string>

namespace corral::run {

/// Which of the keys of a contradiction within [section] is blamed: the first that the command line gives, else the first
/// that has a line of its own, else the first.
const char* to_blame(const Settings& settings, const std::string& section, std::initializer_list<const char*> keys);

} // namespace corral::run
