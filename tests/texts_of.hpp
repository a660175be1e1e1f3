#pragma once

#include "run/notices.hpp"

#include <string>
#include <vector>

namespace corral::test {

inline std::vector<std::string> texts_of(const std::vector<run::Notice>& notices) {
  std::vector<std::string> texts;
  for (const run::Notice& notice : notices) texts.push_back(notice.text);
  return texts;
}

} // namespace corral::test
