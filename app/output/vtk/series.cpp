#include "app/output/vtk/series.hpp"

#include "app/output/number.hpp"
#include "app/output/output_file.hpp"
#include "app/output/system_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

constexpr std::string_view head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
constexpr std::string_view end_of_series = "</Collection>\n</VTKFile>\n";

} // namespace

Series::Series(std::filesystem::path directory, std::string name, std::string extension)
    : directory_(std::move(directory)), name_(std::move(name)), extension_(std::move(extension)) {}

void Series::add(double time) {
  times_.resize(times_.size() + 1, time);
  const std::filesystem::path list = directory_ / (name_ + ".pvd");
  // Whole where it is new, and where somebody else has changed it.
  if (times_.size() > 1 && replace_end(list, end_of_series, line(times_.size() - 1) + std::string(end_of_series))) return;
  write_list();
}

void Series::sync() {
  for (; on_disk_ < times_.size(); ++on_disk_) {
    const std::filesystem::path file = directory_ / member(on_disk_);
    if (const int code = system_calls::sync_file(file); code != 0 && code != ENOENT) cannot_write(file, code);
  }
}

void Series::restore() {
  on_disk_ = times_.size(); // before the checkpoint was
  for (const std::filesystem::path& file : paths_in(directory_))
    if (const auto number = number_of(file.filename().string()); number && *number >= times_.size())
      system_calls::try_to_remove(file);
  if (times_.empty()) system_calls::try_to_remove(directory_ / (name_ + ".pvd"));
  else write_list();
}

void Series::write_list() const {
  std::string text(head);
  for (std::int64_t i = 0; i < times_.size(); ++i) text += line(i);
  write_whole_file(directory_ / (name_ + ".pvd"), text + std::string(end_of_series));
}

std::optional<std::int64_t> Series::number_of(std::string_view file) const {
  if (!file.starts_with(name_ + "_") || !file.ends_with("." + extension_)) return std::nullopt;
  file.remove_prefix(name_.size() + 1);
  file.remove_suffix(std::min(file.size(), extension_.size() + 1));
  std::int64_t number = 0;
  std::from_chars(file.data(), file.data() + file.size(), number);
  if (member(number) != name_ + "_" + std::string(file) + "." + extension_) return std::nullopt;
  return number;
}

std::string Series::line(std::int64_t number) const {
  return "<DataSet timestep=\"" + number_text(times_[number]) + "\" part=\"0\" file=\"" + member(number) + "\"/>\n";
}

std::string Series::member(std::int64_t number) const {
  return name_ + "_" + padded(number, 6) + "." + extension_;
}

} // namespace corral::app
