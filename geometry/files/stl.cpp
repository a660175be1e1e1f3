#include "geometry/files/readers.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace corral::geometry {

namespace {

constexpr std::size_t stl_header = 84, stl_triangle = 50; // [bytes]

bool same_word(std::string_view word, std::string_view lower) {
  const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), is_same);
}

std::int64_t announced(const FileBytes& file) {
  return ByteReader(file, stl_header - 4).number<std::uint32_t>("the number of triangles");
}
std::int64_t size_of_binary(const FileBytes& file) {
  return std::int64_t{stl_header} + std::int64_t{stl_triangle} * announced(file);
}

// What no text has in its first line, and binary files have in their header.
bool looks_binary(const FileBytes& file) {
  const std::string_view begin = file.bytes.substr(0, stl_header);
  return std::any_of(begin.begin(), begin.end(), [](char c) { return c >= 0 && c < 32 && (c < '\t' || c > '\r'); });
}

SurfaceFile read_binary(const FileBytes& file, double unit) {
  const std::int64_t triangles = announced(file);
  ByteReader bytes(file, stl_header);
  if (triangles > most_triangles)
    bytes.refuse(stl_header - 4,
                 std::to_string(triangles) + " triangles (at most " + std::to_string(most_triangles) + " are read)");
  SurfaceBuilder builder(file, unit, true);
  builder.expect(triangles / 2 + 2, triangles);
  for (std::int64_t t = 0; t < triangles; ++t) {
    builder.begin_polygon(bytes.place());
    bytes.skip(12, "a normal");
    for (int corner = 0; corner < 3; ++corner) {
      const std::int64_t place = bytes.place();
      Vector x;
      for (double& v : x) {
        v = static_cast<double>(bytes.number<float>("a coordinate"));
        if (!std::isfinite(v))
          bytes.refuse(bytes.place() - 4, "a coordinate of triangle " + std::to_string(t) + " is " +
                                              (std::isnan(v) ? "not a number" : "infinite") +
                                              " (coordinates are finite)");
      }
      builder.corner(builder.point(x, place));
    }
    builder.end_polygon();
    bytes.skip(2, "an attribute");
  }
  return builder.take();
}

/// Reads the words of a text file.
class StlText {
public:
  StlText(const FileBytes& file, double unit) : text_(file), builder_(file, unit, false) {}

  SurfaceFile read() {
    while (true) {
      const std::string_view word = text_.word_anywhere();
      if (word.empty() && solids_ > 0) return builder_.take();
      if (!same_word(word, "solid") && solids_ == 0)
        text_.refuse("the file begins with " + cited(word) +
                     " (surface files begin with OFF, ply, solid or a record of OBJ; a binary STL "
                     "file of n triangles has 84 + 50 n bytes)");
      if (!same_word(word, "solid")) refuse_word(word, "solid");
      text_.leave_line(); // its name
      ++solids_;
      read_facets();
    }
  }

private:
  void read_facets() {
    while (true) {
      const std::string_view word = text_.word_anywhere();
      if (same_word(word, "endsolid")) return text_.leave_line();
      if (!same_word(word, "facet")) refuse_word(word, "facet or endsolid");
      read_facet();
    }
  }
  void read_facet() {
    builder_.begin_polygon(text_.line());
    need("normal");
    for (int i = 0; i < 3; ++i) text_.word_anywhere(); // it follows from the corners, and some write nan
    need("outer");
    need("loop");
    for (int corner = 0; corner < 3; ++corner) {
      need("vertex");
      const std::int64_t line = text_.line();
      Vector x;
      for (std::size_t d = 0; d < 3; ++d) x[d] = text_.number_anywhere(std::array{"x", "y", "z"}[d]);
      builder_.corner(builder_.point(x, line));
    }
    builder_.end_polygon();
    need("endloop");
    need("endfacet");
  }
  void need(std::string_view expected) {
    if (const std::string_view word = text_.word_anywhere(); !same_word(word, expected)) refuse_word(word, expected);
  }
  [[noreturn]] void refuse_word(std::string_view word, std::string_view expected) const {
    if (word.empty())
      text_.refuse("the file ends here (" + std::string(expected) + " is missing) it may have been cut off");
    text_.refuse(cited(word) + " where " + std::string(expected) +
                 " is expected (a text STL file has triangles of three "
                 "vertices)");
  }

  TextReader text_;
  SurfaceBuilder builder_;
  int solids_ = 0;
};

} // namespace

// Any four bytes of a text, as a number, are at least 0x09090909 triangles, which take 7.6e9 bytes: more than any file
// has that is read.
static_assert(std::int64_t{0x09090909} * std::int64_t{stl_triangle} > largest_file);
bool is_binary_stl(const FileBytes& file) {
  return file.bytes.size() >= stl_header && static_cast<std::int64_t>(file.bytes.size()) == size_of_binary(file);
}

SurfaceFile read_stl(const FileBytes& file, double unit) {
  if (is_binary_stl(file)) return read_binary(file, unit);
  if (file.bytes.size() >= stl_header && looks_binary(file)) {
    const ByteReader bytes(file, stl_header);
    const std::int64_t due = size_of_binary(file), there = static_cast<std::int64_t>(file.bytes.size());
    bytes.refuse(stl_header - 4, std::to_string(announced(file)) +
                                     " triangles are announced (a binary STL file of as many has " + std::to_string(due) +
                                     " bytes, this one has " + std::to_string(there) +
                                     (there < due ? ") it may have been cut off"
                                                  : ", and goes on behind them) correct the number, or cut the file"));
  }
  return StlText(file, unit).read();
}

} // namespace corral::geometry
