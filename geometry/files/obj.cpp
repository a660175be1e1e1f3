#include "geometry/files/readers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace corral::geometry {

namespace {

// Records of the format by their first word; all but points and faces say nothing of a surface.
constexpr std::array<std::string_view, 12> records{"v", "f", "vt", "vn", "vp", "o", "g", "s", "l", "p", "mtllib", "usemtl"};

/// The point of a corner "5", "5/2", "5//3" or "5/2/3"; -1 is the last one before this line.
std::int64_t point_of(const TextReader& text, std::string_view word, std::int64_t points) {
  const std::string_view digits = word.substr(0, word.find('/'));
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault != std::errc() || end != digits.data() + digits.size())
    text.refuse("a corner is " + cited(word) + " (the number of a vertex is expected, as in 5, 5/2, 5//3 or 5/2/3)");
  const std::int64_t point = number < 0 ? points + number : number - 1;
  if (number == 0 || point < 0 || point >= points)
    text.refuse("a corner is vertex " + std::to_string(number) + " (before this line there are " + std::to_string(points) +
                ", numbered from 1, or backwards from -1)");
  return point;
}

void read_face(TextReader& text, SurfaceBuilder& builder) {
  std::array<std::int64_t, 3> corners{};
  std::size_t count = 0;
  for (std::string_view word = text.word(); !word.empty(); word = text.word(), ++count)
    if (count < corners.size()) corners[count] = point_of(text, word, builder.points());
  if (count != corners.size())
    text.refuse("a face has " + std::to_string(count) + " corners (triangles are read) " +
                (count > corners.size() ? "cut polygons into triangles where the file is written" : "complete it"));
  builder.begin_polygon(text.line());
  for (const std::int64_t point : corners) builder.corner(point);
  builder.end_polygon();
}

} // namespace

bool is_obj(const FileBytes& file) {
  TextReader text(file, TextReader::Comments::hash);
  if (!text.next_line()) return false;
  return std::find(records.begin(), records.end(), text.word()) != records.end();
}

SurfaceFile read_obj(const FileBytes& file, double unit) {
  TextReader text(file, TextReader::Comments::hash);
  SurfaceBuilder builder(file, unit, false);
  builder.number_from(1);
  while (text.next_line()) {
    const std::string_view record = text.word();
    if (record == "f") read_face(text, builder);
    if (record != "v") continue;
    Vector x;
    for (std::size_t d = 0; d < 3; ++d) x[d] = text.number(std::array{"x", "y", "z"}[d]);
    builder.add_point(x, text.line()); // a weight or a colour may follow
  }
  return builder.take();
}

} // namespace corral::geometry
