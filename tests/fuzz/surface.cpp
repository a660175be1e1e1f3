// Any bytes give a mesh or an Error that names the file.
#include "geometry/distances/surface_tree.hpp"
#include "geometry/files/read_mesh.hpp"
#include "geometry/measures.hpp"
#include "geometry/soundness/faults.hpp"

#include <corral/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace corral;
using namespace corral::geometry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FileBytes file{"file", {reinterpret_cast<const char*>(data), size}};
  try {
    const MeshOfFile read =
        mesh_of(file, {.unit = 1e-6, .components = size % 2 == 0 ? Components::one : Components::any});
    if (!find_faults(read.mesh.surface(), Components::any).none()) std::abort();
    if (!(volume(Cpu{}, read.mesh.points(), read.mesh.triangles()) > 0)) std::abort();
    const SurfaceTree tree(read.mesh);
    tree.windings(tree.bound().centre);
    nearer_than(0, tree, {}, tree, {{}, {tree.bound().radius, 0, 0}});
  } catch (const Error& e) {
    if (!std::string_view(e.what()).starts_with("file:")) std::abort();
  }
  return 0;
}
