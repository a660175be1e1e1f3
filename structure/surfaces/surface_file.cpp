#include "structure/surfaces/surface_file.hpp"

#include "geometry/measures.hpp"
#include "geometry/vector.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <filesystem>

namespace corral::structure {

using geometry::operator*;

std::optional<geometry::MeshOfFile> SurfaceFileReader::read(const std::string& block, const char* key, double unit) {
  const std::filesystem::path file = s_.file(block, key);
  try {
    geometry::MeshOfFile read = geometry::read_mesh(file, {.unit = unit});
    const geometry::Vector centre = geometry::solid(Cpu{}, read.mesh.points(), read.mesh.triangles()).centroid;
    geometry::shift(read.mesh.points(), -1.0 * centre);
    if (read.turned_round) warnings_.push_back("the surface of " + whose(block, key) + " was inside out, and has been turned round");
    if (read.joined_points > 0)
      warnings_.push_back(std::to_string(read.joined_points) + " points of " + whose(block, key) +
                          " lay on open edges close together, and have been joined");
    return read;
  } catch (const Error& e) {
    complain_of_file(block, key, file.string(), e.what());
    return std::nullopt;
  }
}

void SurfaceFileReader::complain_of_file(std::string_view section, std::string_view key, const std::string& file,
                                   std::string_view lines) {
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = lines.substr(begin, end - begin);
    const std::size_t text = line.find(": ", std::min(file.size(), line.size()));
    if (!line.starts_with(file + ":") || text == line.npos) complain(section, key, std::string(line));
    else problems_.add({std::string(line.substr(0, text)), 0}, std::string(line.substr(text + 2)));
  }
  complained_ = true;
}

} // namespace corral::structure
