#pragma once

#include "tests/app/insitu/stand_in/tree.hpp"

#include <string>

namespace stand_in {

/// What the first rule of the Mesh Blueprint says that a mesh breaks; "" where it breaks none. Of the rules those for what
/// ParaView, from 5.9 on, makes data of: coordinates uniform or explicit, topologies uniform or of triangles or points.
std::string complaint_about_mesh(const Tree& mesh);

/// The same of what catalyst_execute is handed: a step and a time, and channels of meshes.
std::string complaint_about_call(const Tree& parameters);

} // namespace stand_in
