#include "geometry/files/read_mesh.hpp"
#include "geometry/files/readers.hpp"

#include <corral/error.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace corral::geometry {

namespace {

struct OffHeader {
  bool decorated = false; ///< points have colours, normals or texture coordinates
  std::int64_t points = 0, faces = 0;
};

bool take(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

bool read_first_word(TextReader& text) {
  text.need_line("the word OFF");
  const std::string_view first = text.word();
  std::string_view word = first;
  const bool texture = take(word, "ST"), colours = take(word, "C"), normals = take(word, "N");
  if (word == "4OFF" || word == "nOFF" || word == "4nOFF")
    text.refuse("the file is " + cited(first) + " (vertices have three coordinates here) write it as OFF");
  if (word != "OFF") text.refuse("the file begins with " + cited(first) + " (an OFF file begins with OFF)");
  if (text.take_word("BINARY")) text.refuse("the file is binary (OFF is read as text) write it as text, or as PLY");
  return texture || colours || normals;
}

// Counts stand in the first line or in the next one. The third one, of edges, is of no use, and left out by some.
OffHeader read_header(TextReader& text) {
  OffHeader header;
  header.decorated = read_first_word(text);
  if (text.at_end_of_line()) text.need_line("how many vertices and faces there are");
  header.points = text.whole_number("the number of vertices");
  header.faces = text.whole_number("the number of faces");
  if (!text.at_end_of_line()) text.whole_number("the number of edges");
  text.need_end_of_line("the number of edges");
  if (header.points < 0 || header.faces < 0)
    text.refuse(std::to_string(header.points) + " vertices and " + std::to_string(header.faces) +
                " faces (neither number is negative)");
  // "0 0 0\n" and "3 0 1 2\n"; the last line need not end.
  const std::int64_t left = text.bytes_left() + 1, points = left / 6;
  if (header.points > points || header.faces > (left - 6 * header.points) / 8)
    text.refuse(std::to_string(header.points) + " vertices and " + std::to_string(header.faces) +
                " faces are announced (the " + std::to_string(text.bytes_left()) + " bytes that follow hold at most " +
                std::to_string(points) + " vertices, or " + std::to_string(left / 8) +
                " faces) the file may have been cut off");
  return header;
}

void read_points(TextReader& text, const OffHeader& header, SurfaceBuilder& builder) {
  for (std::int64_t i = 0; i < header.points; ++i) {
    text.need_line("vertex " + std::to_string(i) + " of " + std::to_string(header.points));
    Vector x;
    for (std::size_t d = 0; d < 3; ++d) x[d] = text.number(std::array{"x", "y", "z"}[d]);
    builder.add_point(x, text.line());
    if (!header.decorated) text.need_end_of_line("the three coordinates of a vertex");
  }
}

void read_faces(TextReader& text, const OffHeader& header, SurfaceBuilder& builder) {
  for (std::int64_t i = 0; i < header.faces; ++i) {
    text.need_line("face " + std::to_string(i) + " of " + std::to_string(header.faces));
    const std::int64_t corners = text.whole_number("the number of corners");
    builder.begin_polygon(text.line());
    for (std::int64_t c = 0; c < corners; ++c) builder.corner(text.whole_number("a corner"));
    builder.end_polygon();
  }
}

} // namespace

SurfaceFile read_off(const FileBytes& file, double unit) {
  TextReader text(file, TextReader::Comments::hash);
  const OffHeader header = read_header(text);
  SurfaceBuilder builder(file, unit, false);
  builder.expect(header.points, header.faces);
  read_points(text, header, builder);
  read_faces(text, header, builder);
  if (text.next_line())
    text.refuse("the file goes on (" + std::to_string(header.points) + " vertices and " + std::to_string(header.faces) +
                " faces are announced, and end before) correct the numbers");
  return builder.take();
}

void write_off(const std::filesystem::path& file, const Surface& surface) {
  std::ofstream out(file, std::ios::binary);
  out << "OFF\n" << surface.points.size() << ' ' << surface.triangles.size() << " 0\n";
  for (const Vector& x : surface.points) {
    char line[100];
    char* end = line;
    for (const double v : x) {
      end = std::to_chars(end, line + sizeof line, v).ptr;
      *end++ = ' ';
    }
    end[-1] = '\n';
    out.write(line, end - line);
  }
  for (const Triangle& t : surface.triangles)
    out << "3 " << std::to_string(t[0]) << ' ' << std::to_string(t[1]) << ' ' << std::to_string(t[2]) << '\n';
  out.close();
  if (!out) throw Error(file.string() + ": cannot be written (" + std::strerror(errno) + ")");
}

} // namespace corral::geometry
