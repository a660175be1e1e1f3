#include "app/output/series.hpp"

#include "app/output/number.hpp"
#include "app/output/output_file.hpp"

#include <string_view>
#include <utility>

namespace corral::app {

namespace {

constexpr std::string_view head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
constexpr std::string_view end = "</Collection>\n</VTKFile>\n";

} // namespace

Series::Series(std::filesystem::path directory, std::string name, std::string extension)
    : directory_(std::move(directory)), name_(std::move(name)), extension_(std::move(extension)) {}

void Series::add(double time) {
  times_.resize(times_.size() + 1, time);
  const std::filesystem::path list = directory_ / (name_ + ".pvd");
  // Whole where it is new, and where somebody else has changed it.
  if (times_.size() > 1 && replace_end(list, end, line(times_.size() - 1) + std::string(end))) return;
  std::string text(head);
  for (std::int64_t i = 0; i < times_.size(); ++i) text += line(i);
  write_whole_file(list, text + std::string(end));
}

std::string Series::line(std::int64_t number) const {
  return "<DataSet timestep=\"" + number_text(times_[number]) + "\" part=\"0\" file=\"" + member(number) + "\"/>\n";
}

std::string Series::member(std::int64_t number) const {
  const std::string digits = std::to_string(number);
  const std::size_t zeros = digits.size() < 6 ? 6 - digits.size() : 0;
  return name_ + "_" + std::string(zeros, '0') + digits + "." + extension_;
}

} // namespace corral::app
