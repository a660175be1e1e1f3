#include "geometry/files/read_mesh.hpp"

#include <corral/error.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>

namespace corral::geometry {

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
