#include "run/case/reader.hpp"

#include <utility>

namespace corral::run {

const char* to_blame(const Settings& settings, const std::string& section, std::initializer_list<const char*> keys) {
  const Location header = settings.where(section, "");
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line == 0) return key;
  for (const char* key : keys)
    if (settings.given(section, key) && settings.where(section, key).line != header.line) return key;
  return *keys.begin();
}

void Reader::complain(std::string_view section, std::string_view key, std::string message) {
  problems_.add(s_.where(section, key), std::move(message));
  complained_ = true;
}

bool Reader::refuse(std::string_view section, std::string_view key, std::string message) {
  complain(section, key, std::move(message));
  return false;
}

} // namespace corral::run
