#pragma once

#include "app/case/case_file.hpp"
#include "run/case/problems.hpp"
#include "tests/app/fake_driver.hpp"

#include <string>
#include <vector>

namespace corral::test {

/// What is said of a case file of these lines, or nothing.
inline std::string problems_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    app::parse_case(text, "case.ini", ".", overrides, fake_kinds());
  } catch (const run::CaseError& e) {
    return e.what();
  }
  return "";
}

} // namespace corral::test
