#pragma once

#include "geometry/files/read_mesh.hpp"
#include "run/case/reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::structure {

/// Reads files of surfaces that a case's keys name.
class SurfaceFileReader : public run::Reader {
public:
  /// Keeps references. `warnings` gets what was done to make a surface sound.
  SurfaceFileReader(const run::Settings& settings, run::Problems& problems, std::vector<std::string>& warnings)
      : Reader(settings, problems), warnings_(warnings) {}

  /// A sound surface about the centroid of what it encloses, its coordinates in `unit` [m]. Complains, at lines of the file
  /// where it can, and gives nothing, where the file holds none.
  std::optional<geometry::MeshOfFile> read(const std::string& block, const char* key, double unit);
  /// "[surface.cell]", or "stress_free of [surface.cell]".
  static std::string whose(const std::string& block, std::string_view key) {
    return key == "file" ? "[" + block + "]" : std::string(key) + " of [" + block + "]";
  }

private:
  /// The lines of an Error about a file, "FILE:PLACE: ..." each, at their places in it; others at the key.
  void complain_of_file(std::string_view section, std::string_view key, const std::string& file, std::string_view lines);

  std::vector<std::string>& warnings_;
};

} // namespace corral::structure
