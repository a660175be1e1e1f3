#include "run/case/to_blame.hpp"

namespace corral::run {

const char* to_blame(const Settings& settings, const std::string& section, std::initializer_list<const char*> keys) {
  const Location header = settings.where(section, "");
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line == 0) return key;
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line != header.line) return key;
  return *keys.begin();
}

} // namespace corral::run
