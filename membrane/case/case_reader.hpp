#pragma once

#include "geometry/mesh.hpp"
#include "membrane/setup/setup.hpp"
#include "run/case/reader.hpp"
#include "structure/placing/group_case.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace corral::membrane {

/// Reads one case of membranes; every complaint carries the place of the value that it is about. The box, the fluid and
/// what drives it are read by structure/fluids/flow_case, coupling and time in read_coupling.cpp, surfaces in
/// read_surfaces.cpp, who there is by structure/placing/group_case, with paths and what pulls in read_groups.cpp.
class SetupReader : run::Reader {
public:
  SetupReader(const run::Settings& settings, run::Problems& problems) : Reader(settings, problems) {}

  MembraneSetup read();

private:
  void flow();
  void coupling();
  void time();

  /// Warns of blocks that nothing reads, and of keys (Key::read_where refuses those that one other key leaves idle).
  void unread_blocks();

  void surface(const std::string& block);
  void shape(const std::string& block, structure::SurfaceModel& kind);
  void stress_free(const std::string& block, structure::SurfaceModel& kind);
  void file(const std::string& block, structure::SurfaceModel& kind);
  void reference(const std::string& block, structure::SurfaceModel& kind);
  /// A sound surface of the file that a key names, about its centroid; complains, and gives nothing, where it holds none.
  std::optional<geometry::Mesh> mesh(const std::string& block, const char* key, double unit);
  void resolution(const std::string& block, structure::SurfaceModel& kind);
  void material(const std::string& block, structure::SurfaceModel& kind);

  void group(const std::string& block);
  structure::GroupReader group_reader();
  void pull(const std::string& block);

  bool has_box_ = false; ///< with lengths that regions can lie in
  MembraneSetup setup_;
};

/// What may be wrong with a case though it runs, a sentence each.
std::vector<std::string> warnings(const MembraneSetup&);

} // namespace corral::membrane
