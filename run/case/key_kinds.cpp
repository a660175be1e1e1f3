#include "run/case/key_kinds.hpp"

#include <utility>

namespace corral::run {

Key positive(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
             std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .unit = std::move(unit)};
  key.required = !fallback;
  key.fallback = std::move(fallback);
  key.minimum = 0;
  key.minimum_excluded = true;
  key.meaning = std::move(meaning);
  return key;
}

Key optional_positive(std::string section, std::string name, std::string unit, std::string meaning) {
  Key key = positive(std::move(section), std::move(name), std::move(unit), std::nullopt, std::move(meaning));
  key.required = false;
  return key;
}

Key share(std::string section, std::string name, std::string fallback, std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .fallback = std::move(fallback), .minimum = 0,
          .maximum = 1, .meaning = std::move(meaning)};
}

Key choice(std::string section, std::string name, std::vector<std::string> choices,
           std::optional<std::string> fallback, std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .type = KeyType::choice};
  key.required = !fallback;
  key.fallback = std::move(fallback);
  key.choices = std::move(choices);
  key.meaning = std::move(meaning);
  return key;
}

Key vector(std::string section, std::string name, std::string unit, std::optional<std::string> fallback,
           std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .type = KeyType::reals3, .unit = std::move(unit),
          .fallback = std::move(fallback), .meaning = std::move(meaning)};
}

Key within(Key key, double minimum, double maximum) {
  key.minimum = minimum;
  key.maximum = maximum;
  key.minimum_excluded = key.maximum_excluded = false;
  return key;
}

} // namespace corral::run
