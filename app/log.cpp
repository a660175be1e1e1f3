#include "app/log.hpp"

#include "app/number.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::app {

Log::Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns)
    : columns_(columns.size()), file_(path) {
  std::string header = "step,time,dt";
  for (const run::LogColumn& c : columns) header += "," + c.name;
  file_.write(header + "\n");
  file_.flush();
}

void Log::row(const run::Clock& clock, std::span<const double> values) {
  if (values.size() != columns_)
    throw Error("a log row of " + std::to_string(values.size()) + " values (the driver announced " +
                std::to_string(columns_) + " columns)");
  std::string text = std::to_string(clock.step()) + "," + number_text(clock.time()) + "," + number_text(clock.dt());
  for (const double v : values) text += "," + number_text(v);
  file_.write(text + "\n");
  file_.flush();
}

} // namespace corral::app
