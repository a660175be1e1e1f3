#pragma once

#include "app/run_loop.hpp"
#include "tests/app/fake_driver.hpp"
#include "tests/app/surroundings.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace corral::test {

inline const app::RunPlan plan{.end = 0.1, .until = {}, .steps = {}, .log_interval = 0.02,
                               .files = {.fields_interval = 0.05, .particle_intervals = {{"parcels", 0.03}}}};

inline int run_into(const std::filesystem::path& path, run::Driver& driver, const app::RunPlan& p = plan) {
  const app::OutputDirectory directory(path, false, {.sets = {"parcels"}, .tables = {"layers"}});
  const auto lock = directory.prepare();
  const app::Interrupts interrupts;
  app::Console quiet;
  app::RunPlan titled = p;
  if (p.title.empty()) titled.title = "a \"title\"";
  return app::run_driver(driver, titled, directory, interrupts, quiet);
}

/// The message of the Error that the run ends with.
inline std::string failure(const std::filesystem::path& path, run::Driver& driver, const app::RunPlan& p = plan) {
  return message_of([&] { run_into(path, driver, p); });
}

inline std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

inline std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files_in(directory)) names.push_back(name);
  return names;
}

} // namespace corral::test
