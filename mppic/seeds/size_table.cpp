#include "mppic/seeds/sizes.hpp"

#include "run/case/problems.hpp"
#include "run/case/units.hpp"
#include "run/case/values.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace corral::mppic {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

/// Throws Error where the file cannot be read or holds too much.
std::string read_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw Error(std::filesystem::is_directory(file, ignored) ? "no size table (it is a directory)"
                                                             : "no size table (there is no such file)");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.eof() && !stream.good()) {
    throw Error(std::string("size table cannot be read (") + std::strerror(errno) + ")");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > most_bytes) {
    throw Error("size table of more than 1 MiB (a few dozen lines describe a distribution)");
  }
  return text;
}

struct Point {
  double diameter, share;
};

Point read_point(std::string_view line) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos || line.find(',', comma + 1) != std::string_view::npos) {
    throw Error("line " + run::cited(line) + " (two values are expected) write: diameter, cumulative share");
  }
  const Point point{run::parse_quantity(run::trimmed(line.substr(0, comma)), "m"),
                    run::parse_quantity(run::trimmed(line.substr(comma + 1)), "")};
  if (!(point.diameter >= smallest_particle && point.diameter <= largest_particle)) {
    throw Error("diameter " + run::write_number(point.diameter) + " m (it lies between 1e-9 m and 100 m) is a unit missing?");
  }
  if (!(point.share >= 0.0 && point.share <= 1.0)) {
    throw Error("cumulative share " + run::write_number(point.share) + " (it goes from 0 to 1)");
  }
  return point;
}

void require_rise(const Point& last, const Point& point) {
  if (!(point.diameter > last.diameter)) {
    throw Error("diameter " + run::write_number(point.diameter) + " m (the line before has " +
                run::write_number(last.diameter) + " m) order the lines by rising diameter");
  }
  if (point.share < last.share) {
    throw Error("cumulative share " + run::write_number(point.share) + " (the line before has " +
                run::write_number(last.share) + ") a cumulative share never falls");
  }
}

} // namespace

std::optional<SizeDistribution> read_size_table(const std::filesystem::path& file, Weighting weighting,
                                                run::Problems& problems) {
  run::Location where{file.string(), 1};
  bool right = true;
  const auto attempt = [&](auto&& work) {
    try {
      work();
    } catch (const Error& error) {
      problems.add(where, error.what());
      right = false;
    }
  };
  std::string text;
  attempt([&] {
    text = read_text(file);
    if (const std::string_view encoding = run::wide_encoding(text); !encoding.empty())
      throw Error("the file is " + std::string(encoding) + " (a size table is plain text) save it as UTF-8");
    text = std::string(run::without_byte_order_mark(text));
  });
  if (!right) return std::nullopt;
  std::vector<double> diameters;
  std::vector<double> shares;
  std::istringstream lines(text);
  lines.exceptions(std::ios::badbit); // where memory fails a stream would end without a word
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    where.line = ++number;
    if (line.ends_with('\r')) line.pop_back();
    const std::string_view content = run::trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    attempt([&] {
      const Point point = read_point(content);
      if (!diameters.empty()) require_rise({diameters.back(), shares.back()}, point);
      diameters.push_back(point.diameter);
      shares.push_back(point.share);
    });
  }
  if (!right) return std::nullopt;
  std::optional<SizeDistribution> sizes;
  attempt([&] { sizes = SizeDistribution::table(std::move(diameters), std::move(shares), weighting); });
  return sizes;
}

} // namespace corral::mppic
