#include "geometry/files/readers.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <system_error>

namespace corral::geometry {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) { throw Error(file.string() + ":1: " + why); }

} // namespace

Array<char> read_bytes(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found) refuse(file, "does not exist (a surface file is expected)");
  if (code) refuse(file, "cannot be looked at (" + code.message() + ")");
  if (fs::is_directory(status)) refuse(file, "is a directory (a surface file is expected) name the file in it");
  if (!fs::is_regular_file(status)) refuse(file, "is not a plain file (a surface file is expected)");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  const auto size = static_cast<std::int64_t>(fs::file_size(file, code));
  if (code) refuse(file, "cannot be looked at (" + code.message() + ")");
  if (size > largest_file)
    refuse(file, "has " + std::to_string(size) + " bytes (at most " + std::to_string(largest_file) +
                     " are read) write a binary file, or fewer triangles");
  Array<char> bytes(size);
  if (size > 0) in.read(bytes.data(), size);
  if (in.bad()) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  bytes.resize(size > 0 ? in.gcount() : 0);
  return bytes;
}

std::string cited(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : bytes.substr(0, 40)) {
    const auto b = static_cast<unsigned char>(c);
    if (b >= 0x20 && b < 0x7f) text += c;
    else (((text += "\\x") += digits[b >> 4]) += digits[b & 15]);
  }
  return text + (bytes.size() > 40 ? "...'" : "'");
}

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

// std::from_chars knows no leading +.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

} // namespace

void TextReader::refuse(const std::string& why) const {
  throw Error(file_.name + ":" + std::to_string(std::max<std::int64_t>(line_, 1)) + ": " + why);
}

bool TextReader::next_line() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    now_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (comments_ == Comments::hash) now_ = now_.substr(0, now_.find('#'));
    if (now_.find_first_not_of(blanks) != now_.npos) return true;
  }
  now_ = {};
  return false;
}

void TextReader::need_line(const std::string& what) {
  if (!next_line()) refuse("the file ends here (" + what + " is missing) it may have been cut off");
}

std::string_view TextReader::word() {
  const std::size_t begin = std::min(now_.find_first_not_of(blanks), now_.size());
  const std::size_t end = std::min(now_.find_first_of(blanks, begin), now_.size());
  const std::string_view found = now_.substr(begin, end - begin);
  now_.remove_prefix(end);
  return found;
}

std::string_view TextReader::word_anywhere() {
  std::string_view found = word();
  while (found.empty() && next_line()) found = word();
  return found;
}

bool TextReader::at_end_of_line() const { return now_.find_first_not_of(blanks) == now_.npos; }

bool TextReader::take_word(std::string_view expected) {
  const std::string_view before = now_;
  if (word() == expected) return true;
  now_ = before;
  return false;
}

double TextReader::to_number(std::string_view word, std::string_view what) const {
  if (word.empty()) refuse(std::string(what) + " is missing (a number is expected)");
  const std::string_view digits = without_plus(word);
  double value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault == std::errc::result_out_of_range)
    refuse(std::string(what) + " is " + cited(word) + " (beyond the range of numbers)");
  if (fault != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    refuse(std::string(what) + " is " + cited(word) + " (a finite decimal number is expected)");
  return value;
}

double TextReader::number(std::string_view what) { return to_number(word(), what); }

double TextReader::number_anywhere(std::string_view what) { return to_number(word_anywhere(), what); }

std::int64_t TextReader::whole_number(std::string_view what) {
  const std::string_view found = word();
  if (found.empty()) refuse(std::string(what) + " is missing (a whole number is expected)");
  const std::string_view digits = without_plus(found);
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault == std::errc::result_out_of_range)
    refuse(std::string(what) + " is " + cited(found) + " (beyond the range of numbers)");
  if (fault != std::errc() || end != digits.data() + digits.size())
    refuse(std::string(what) + " is " + cited(found) + " (a whole number is expected)");
  return value;
}

void TextReader::need_end_of_line(std::string_view behind) {
  if (const std::string_view found = word(); !found.empty())
    refuse("the line goes on with " + cited(found) + " (it ends behind " + std::string(behind) + ")");
}

SurfaceBuilder::SurfaceBuilder(const FileBytes& file, double unit, bool binary) {
  file_.origin.file = file.name;
  file_.origin.unit = unit;
  file_.origin.binary = binary;
}

void SurfaceBuilder::refuse(std::int64_t place, const std::string& why) const {
  throw Error(file_.origin.place(place) + why);
}

void SurfaceBuilder::expect(std::int64_t points, std::int64_t triangles) {
  const auto make_room = [](auto& array, std::int64_t size) {
    array.resize(size);
    array.resize(0);
  };
  make_room(file_.surface.points, points);
  make_room(file_.origin.points, points);
  make_room(file_.surface.triangles, triangles);
  make_room(file_.origin.triangles, triangles);
}

void SurfaceBuilder::add_point(const Vector& x, std::int64_t place) {
  const std::int64_t count = points();
  if (count >= most_points) refuse(place, "more than " + std::to_string(most_points) + " vertices (that is the limit)");
  file_.surface.points.resize(count + 1, file_.origin.unit * x);
  file_.origin.points.resize(count + 1, static_cast<std::uint32_t>(place));
}

std::int32_t SurfaceBuilder::point(const Vector& x, std::int64_t place) {
  add_point(x, place);
  const auto last = static_cast<std::int32_t>(points() - 1);
  const std::int32_t first = index_.first(file_.surface.points.span(), last);
  if (first != last) {
    file_.surface.points.resize(last);
    file_.origin.points.resize(last);
  }
  file_.origin.numbered = false;
  return first;
}

void SurfaceBuilder::begin_polygon(std::int64_t place) {
  ++polygons_;
  place_ = place;
  corners_ = 0;
}

void SurfaceBuilder::corner(std::int64_t point) {
  if (point < 0 || point >= points())
    refuse(place_, "face " + std::to_string(polygons_ - 1) + " has vertex " + std::to_string(point) +
                       " as a corner (there are " + std::to_string(points()) + ", numbered from 0)");
  const auto p = static_cast<std::int32_t>(point);
  if (++corners_ == 1) first_ = p;
  if (corners_ >= 3) add_triangle({first_, previous_, p});
  previous_ = p;
}

void SurfaceBuilder::end_polygon() {
  if (corners_ < 3)
    refuse(place_, "face " + std::to_string(polygons_ - 1) + " has " + std::to_string(corners_) +
                       " corners (a polygon has three or more)");
}

void SurfaceBuilder::add_triangle(const Triangle& t) {
  const std::int64_t count = file_.surface.triangles.size();
  if (count >= most_triangles)
    refuse(place_, "more than " + std::to_string(most_triangles) + " triangles (that is the limit)");
  // Two triangles at each edge, three edges to a triangle: few points join few. Without this bound a polygon of points
  // with short numbers could ask for a triangle with each of its bytes.
  constexpr std::int64_t always_allowed = 100'000;
  highest_ = std::max({highest_, std::int64_t{t[0]}, std::int64_t{t[1]}, std::int64_t{t[2]}});
  if (count >= always_allowed && 3 * count >= highest_ * (highest_ + 1))
    refuse(place_, "more than " + std::to_string(count) + " triangles of the first " + std::to_string(highest_ + 1) +
                       " vertices (two meet at an edge, so that these can join no more)");
  file_.surface.triangles.resize(count + 1, t);
  file_.origin.triangles.resize(count + 1, static_cast<std::uint32_t>(place_));
}

} // namespace corral::geometry
