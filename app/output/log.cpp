#include "app/output/log.hpp"

#include "app/output/number.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::app {

Log::Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns)
    : columns_(columns), file_(path) {
  std::string header = "step,time,dt";
  for (const run::LogColumn& c : columns) header += "," + c.name;
  file_.write(header + "\n");
}

std::optional<std::string> Log::find_not_finite(std::span<const double> values) const {
  for (std::size_t i = 0; i < std::min(values.size(), columns_.size()); ++i)
    if (!std::isfinite(values[i])) return columns_[i].name + " of log.csv is " + number_text(values[i]);
  return std::nullopt;
}

void Log::row(const run::Clock& clock, std::span<const double> values) {
  if (values.size() != columns_.size())
    throw Error("a log row of " + std::to_string(values.size()) + " values (the driver announced " +
                std::to_string(columns_.size()) + " columns)");
  std::string text = std::to_string(clock.step()) + "," + number_text(clock.time()) + "," + number_text(clock.dt());
  for (const double v : values) text += "," + number_text(v);
  file_.write(text + "\n");
}

} // namespace corral::app
