#include "app/output/openpmd/series.hpp"

#include "app/output/number.hpp"
#include "app/output/output_file.hpp"

#include <charconv>
#include <system_error>
#include <vector>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view begin = "openpmd_", end = ".h5";
const std::string all = std::string(begin) + "%T" + std::string(end); // as readers want to have it said

std::string member(std::int64_t step) { return std::string(begin) + padded(step, 12) + std::string(end); }

std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(begin) || !name.ends_with(end)) return std::nullopt;
  std::int64_t step = 0;
  std::from_chars(name.data() + begin.size(), name.data() + name.size() - end.size(), step);
  if (member(step) != name) return std::nullopt;
  return step;
}

} // namespace

void OpenpmdSeries::add(const run::Registry& registry, const Shown& shown, const run::Clock& clock) const {
  write_shown(directory_ / member(clock.step()), registry, shown, clock, all);
  std::error_code ignored;
  if (const fs::path list = directory_ / "openpmd.pmd"; !fs::exists(list, ignored)) write_whole_file(list, all + "\n");
}

void OpenpmdSeries::restore(const run::Clock& clock) const {
  std::error_code code; // whoever made the directory can read it
  std::vector<fs::path> later;
  for (fs::directory_iterator it(directory_, code), last; !code && it != last; it.increment(code))
    if (const auto step = step_of(it->path().filename().string()); step && *step > clock.step()) later.push_back(it->path());
  for (const fs::path& file : later) fs::remove(file, code);
}

} // namespace corral::app
