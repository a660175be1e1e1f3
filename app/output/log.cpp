#include "app/output/log.hpp"

#include "app/system/text.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::app {

std::string header_of(const std::vector<run::LogColumn>& columns) {
  std::string header = "step,time,dt";
  for (const run::LogColumn& c : columns) header += "," + c.name;
  return header;
}

Log::Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns)
    : path_(path), columns_(columns), file_(path) {
  file_.write(header_of(columns) + "\n");
}

std::optional<std::string> Log::find_not_finite(const run::Rows& rows) const {
  for (const std::vector<double>& values : rows)
    for (std::size_t i = 0; i < std::min(values.size(), columns_.size()); ++i)
      if (!std::isfinite(values[i])) return columns_[i].name + " of " + name() + " is " + number_text(values[i]);
  return std::nullopt;
}

void Log::rows(const run::Clock& clock, const run::Rows& rows) {
  const std::string moment =
      std::to_string(clock.step()) + "," + number_text(clock.time()) + "," + number_text(clock.dt());
  std::string text;
  for (const std::vector<double>& values : rows) {
    if (values.size() != columns_.size())
      throw Error("a row of " + std::to_string(values.size()) + " values for " + name() + " (the driver announced " +
                  std::to_string(columns_.size()) + " columns)");
    text += moment;
    for (const double v : values) text += "," + number_text(v);
    text += "\n";
  }
  file_.write(text);
}

} // namespace corral::app
