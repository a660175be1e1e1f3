#pragma once

#include "run/driver.hpp"

#include <string>
#include <vector>

namespace corral::test {

/// A driver kind "fake" with a key of every type; it objects to inlets faster than 10 m/s when it is made or described.
const std::vector<run::DriverKind>& fake_kinds();

/// Lines of a valid case for it.
const std::vector<std::string>& valid_case();

/// The valid case with line `line` (from 1) replaced; 0: with `text` appended as another line.
std::string case_with(int line, const std::string& text);

} // namespace corral::test
