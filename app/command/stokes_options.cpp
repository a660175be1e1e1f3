#include "app/command/arguments.hpp"

#include "run/case/problems.hpp"
#include "stokes/far/window.hpp"

#include <array>
#include <cstdint>
#include <sstream>
#include <string_view>

namespace corral::app {

namespace {

using run::Key;
using run::KeyType;

constexpr std::string_view stokes_usage =
    R"(corral stokes POINTS [options]: sums of Stokes flow over points in a box that is periodic, or free, along each axis, by Ewald's way

POINTS is a file of comma-separated values, names in its first line: x, y, z and the strengths of one sum at least,
  fx, fy, fz              stokeslet   u = f/r + (f.r) r/r^3
  qx, qy, qz, nx, ny, nz  stresslet   u = -6 (q.r)(n.r) r/r^5
  tx, ty, tz              rotlet      u = t x r/r^3
  charge                  laplace     phi = charge/r
over all images of all points, r from the point to the target, but for a point's own place. Without --free the mean over the
box of each result is 0. The answer has x, y, z, then ux, uy, uz, p, dux_dx, dux_dy, ... duz_dz, or phi, dphi_dx, dphi_dy, dphi_dz.
Sums are plain, without a factor, unless --viscosity is given.

A .vtp file is read, too, as corral writes it: strengths are its arrays force, torque, charge, or q and n.)";

/// "1 2 3 mm" as "1, 2, 3 mm": blanks separate three numbers where no comma does.
std::string with_commas(std::string_view text) {
  if (text.find(',') != text.npos) return std::string(text);
  std::istringstream words{std::string(text)};
  std::string all, word;
  for (int n = 0; words >> word; ++n) all += (n == 0 ? "" : n <= 2 ? ", " : " ") + word;
  return all;
}

template <class T> std::optional<std::array<T, 3>> three(const Arguments& found, const std::string& option, const Key& key) {
  if (!found.has(option)) return std::nullopt;
  return read_value<std::array<T, 3>>(option, with_commas(found.text(option)), key);
}

std::optional<std::string> choice(const Arguments& found, const std::string& option, const std::vector<std::string>& choices) {
  return value_of<std::string>(found, option, {.type = KeyType::choice, .choices = choices});
}

std::optional<double> positive(const Arguments& found, const std::string& option, const std::string& unit) {
  return value_of<double>(found, option, {.unit = unit, .minimum = 0, .minimum_excluded = true});
}

po::options_description stokes_options() {
  po::options_description known("Options");
  const auto add = [&](const char* name, const char* value, const char* meaning) {
    known.add_options()(name, po::value<std::string>()->value_name(value), meaning);
  };
  known.add_options()("help,h", "say this");
  add("sum", "NAME", "stokeslet, stresslet, rotlet or laplace; default: the one whose strengths POINTS has");
  add("box", "\"LX LY LZ\"", "edges of the box [m], or with a unit behind; needed");
  add("origin", "\"X Y Z\"", "its lower corner [m]; default: 0 0 0");
  add("free", "AXES", "axes without images, such as z or xyz: the box then holds all points along them");
  add("tolerance", "E", "root mean square error over that of the result, 1e-14 to .1; default: 1e-6");
  add("targets", "FILE", "where results are wanted, likewise a table; default: at POINTS");
  known.add_options()("pressure", "the pressure, too")("gradient", "derivatives, too");
  add("viscosity", "MU", "of the fluid [Pa s]: velocities are divided by 8 pi MU, pressures by 8 pi");
  add("radius", "A", "forces act on spheres of this radius [m], and velocities are those of such spheres");
  add("xi", "XI", "where near and far field part [1/m]; default, as below: the fastest that meets the tolerance");
  add("cut-off", "R", "of the near field [m]");
  add("modes", "\"NX NY NZ\"", "points of the grid, products of 2, 3, 5 and 7");
  add("support", "P", "points of the window along each axis: 4, 6, ... 16");
  add("window", "NAME", "kaiser_bessel, the default, or exponential_semicircle");
  add("threads", "N", threads_meaning);
  add("output", "FILE", "results as .csv or .vtp; default: as CSV to standard output");
  known.add_options()("overwrite", "replace a file that is there")(
      "report", "parameters, expected errors, and where the time went, to standard error");
  return known;
}

std::optional<stokes::Sum> sum_named(const std::optional<std::string>& asked) {
  for (const stokes::Sum sum : stokes::all_sums)
    if (asked == name(sum)) return sum;
  return std::nullopt;
}

stokes::Box box_of(const Arguments& found) {
  const Key edge{.type = KeyType::reals3, .unit = "m", .minimum = 0, .minimum_excluded = true};
  const auto box = three<double>(found, "box", edge);
  if (!box) throw UsageError("corral stokes needs --box (edges of the box) such as --box \"1 1 1 mm\"");
  stokes::Box read;
  read.edge = *box;
  read.origin = three<double>(found, "origin", {.type = KeyType::reals3, .unit = "m"}).value_or(read.origin);
  for (const char axis : found.text("free")) {
    if (axis < 'x' || axis > 'z') throw UsageError("--free: " + run::cited(found.text("free")) + " (axes are x, y and z) such as --free xyz");
    read.periodic[static_cast<std::size_t>(axis - 'x')] = false;
  }
  return read;
}

stokes::Parameters parameters_of(const Arguments& found) {
  stokes::Parameters fixed;
  fixed.xi = positive(found, "xi", "1/m").value_or(0);
  fixed.cut_off = positive(found, "cut-off", "m").value_or(0);
  fixed.modes = three<std::int64_t>(found, "modes", {.type = KeyType::integers3, .minimum = 2}).value_or(fixed.modes);
  const Key support{.type = KeyType::integer, .minimum = stokes::least_support, .maximum = stokes::most_support};
  fixed.support = static_cast<int>(value_of<std::int64_t>(found, "support", support).value_or(0));
  if (choice(found, "window", {"kaiser_bessel", "exponential_semicircle"}) == "exponential_semicircle")
    fixed.window = stokes::WindowShape::exponential_semicircle;
  return fixed;
}

/// Of a file that results go to.
std::filesystem::path output_of(const Arguments& found) {
  if (!found.has("output")) return {};
  const std::filesystem::path file = nameable("--output", found.text("output"));
  if (file.extension() != ".csv" && file.extension() != ".vtp")
    throw UsageError("--output: " + run::cited(file.string()) + " ends in neither .csv nor .vtp (these are written) rename it");
  return file;
}

} // namespace

Request read_stokes(const std::vector<std::string>& words) {
  const po::options_description known = stokes_options();
  const Arguments found = parse("stokes", words, known);
  if (found.has("help")) return help_of(std::string(stokes_usage), known);
  if (found.positional.empty() || found.positional.front().empty())
    throw UsageError("corral stokes needs a table of points (comma-separated values: see corral stokes --help)");
  if (found.positional.size() > 1)
    throw UsageError("corral stokes takes one table (" + run::cited(found.positional[1]) + " is too many)");
  StokesOptions options;
  options.points = nameable("corral stokes", found.positional.front());
  options.targets = nameable("--targets", found.text("targets"));
  options.sum = sum_named(choice(found, "sum", {"stokeslet", "stresslet", "rotlet", "laplace"}));
  options.box = box_of(found);
  options.tolerance = value_of<double>(found, "tolerance", {.minimum = 1e-14, .maximum = 0.1}).value_or(options.tolerance);
  options.pressure = found.has("pressure");
  options.gradient = found.has("gradient");
  options.fixed = parameters_of(found);
  options.radius = positive(found, "radius", "m");
  options.viscosity = positive(found, "viscosity", "Pa s");
  options.threads = threads_of(found);
  options.output = output_of(found);
  options.overwrite = found.has("overwrite");
  options.report = found.has("report");
  return options;
}

} // namespace corral::app
