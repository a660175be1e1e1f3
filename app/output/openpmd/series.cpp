#include "app/output/openpmd/series.hpp"

#include "app/output/number.hpp"
#include "app/output/output_file.hpp"
#include "app/output/system_calls.hpp"

#include <cerrno>
#include <charconv>
#include <utility>

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

void OpenpmdSeries::add(const run::Registry& registry, const Shown& shown, const run::Clock& clock) {
  not_on_disk_.push_back(directory_ / member(clock.step()));
  write_shown(not_on_disk_.back(), registry, shown, clock, all);
  if (!std::exchange(listed_, true)) write_whole_file(directory_ / "openpmd.pmd", all + "\n");
}

// One that somebody has taken away since is his affair.
void OpenpmdSeries::sync() {
  for (; !not_on_disk_.empty(); not_on_disk_.pop_back())
    if (const int code = system_calls::sync_file(not_on_disk_.back()); code != 0 && code != ENOENT)
      cannot_write(not_on_disk_.back(), code);
}

void OpenpmdSeries::restore(const run::Clock& clock) const {
  for (const fs::path& file : paths_in(directory_))
    if (const auto step = step_of(file.filename().string()); step && *step > clock.step()) system_calls::try_to_remove(file);
}

} // namespace corral::app
