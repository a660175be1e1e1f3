#include "app/series.hpp"

#include "app/number.hpp"
#include "app/output_file.hpp"

#include <utility>

namespace corral::app {

Series::Series(std::filesystem::path directory, std::string name, std::string extension)
    : directory_(std::move(directory)), name_(std::move(name)), extension_(std::move(extension)) {}

void Series::add(double time) {
  times_.push_back(time);
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t i = 0; i < times_.size(); ++i)
    text += "<DataSet timestep=\"" + number_text(times_[i]) + "\" part=\"0\" file=\"" + member(i) + "\"/>\n";
  write_whole_file(directory_ / (name_ + ".pvd"), text + "</Collection>\n</VTKFile>\n");
}

std::string Series::member(std::size_t number) const {
  const std::string digits = std::to_string(number);
  const std::size_t zeros = digits.size() < 6 ? 6 - digits.size() : 0;
  return name_ + "_" + std::string(zeros, '0') + digits + "." + extension_;
}

} // namespace corral::app
