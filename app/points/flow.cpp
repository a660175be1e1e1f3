#include "app/points/flow.hpp"

#include "app/output/state_files.hpp"
#include "app/system/files.hpp"
#include "app/system/text.hpp"

#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::app {

namespace {

Grid one_cell() { return Grid({Axis{.cells = 1}, {.cells = 1}, {.cells = 1}}); }

constexpr std::string_view axes = "xyz";

/// "dux_dx", "dux_dy" and so on of a vector; of a potential, "dphi_dx" and so on.
std::vector<std::string> derivatives(const std::vector<std::string>& of) {
  std::vector<std::string> all;
  for (const std::string& name : of)
    for (const char axis : axes) all.push_back("d" + name + "_d" + axis);
  return all;
}

Column<double> column(Array<double>& values) { return {values.data(), values.size(), 1}; }

void multiply(const std::vector<Array<double>*>& columns, double factor) {
  for (Array<double>* values : columns)
    for_each(Cpu{}, values->size(), [p = values->data(), factor](std::int64_t i) { p[i] *= factor; });
}

} // namespace

Flow::Flow(stokes::Sum sum, const std::array<std::span<const double>, 3>& at, bool pressure, bool gradient)
    : registry_(one_cell()), points_(registry_.declare_set({.name = "points", .one = "point"})) {
  const bool potential = sum == stokes::Sum::laplace;
  const std::vector<std::string> u = potential ? std::vector<std::string>{"phi"} : std::vector<std::string>{"ux", "uy", "uz"};
  add("position", {"x", "y", "z"}, position_);
  add(potential ? "potential" : "velocity", u, velocity_);
  if (pressure) add("pressure", {"p"}, pressure_);
  if (gradient) add("gradient", derivatives(u), gradient_);
  points_.resize(static_cast<std::int64_t>(at[0].size()));
  for (std::size_t d = 0; d < 3; ++d) std::ranges::copy(at[d], position_[d]->data());
}

void Flow::add(const std::string& name, const std::vector<std::string>& in_csv, std::vector<Array<double>*>& columns) {
  columns = points_.declare_columns(name, "", "", static_cast<int>(in_csv.size()), run::Use::shown);
  for (std::size_t c = 0; c < in_csv.size(); ++c) all_.push_back({in_csv[c], columns[c]});
}

stokes::Targets Flow::targets(const Positions<double>& at) {
  stokes::Targets targets{.at = at};
  for (std::size_t c = 0; c < velocity_.size(); ++c) targets.velocity[c] = column(*velocity_[c]);
  for (std::size_t c = 0; c < gradient_.size(); ++c) targets.gradient[c] = column(*gradient_[c]);
  if (!pressure_.empty()) targets.pressure = column(*pressure_[0]);
  return targets;
}

void Flow::scale(double velocity, double pressure) {
  multiply(velocity_, velocity);
  multiply(gradient_, velocity);
  multiply(pressure_, pressure);
}

void Flow::put_csv(const std::function<void(std::string_view)>& put) const {
  constexpr std::size_t piece = std::size_t{1} << 16; // [bytes]
  std::string text;
  for (const Named& c : all_) text += (text.empty() ? "" : ",") + c.name;
  text += "\n";
  for (std::int64_t i = 0; i < points_.size(); ++i) {
    for (std::size_t c = 0; c < all_.size(); ++c) text += (c == 0 ? "" : ",") + number_text((*all_[c].values)[i]);
    text += "\n";
    if (text.size() < piece) continue;
    put(text);
    text.clear();
  }
  put(text);
}

void Flow::write(const std::filesystem::path& path) const {
  if (path.extension() == ".vtp") return write_particles(path, points_, 0);
  AtomicFile file(path);
  put_csv([&](std::string_view text) { file.write(text); });
  file.commit();
}

} // namespace corral::app
