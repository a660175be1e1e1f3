#pragma once

#include <filesystem>
#include <string>

namespace corral::app {

/// What a .vti or .vtp file of corral holds: its moment, how many cells or points, and a line for each array. Throws Error
/// where it is none, or has lost its end.
std::string vtk_contents(const std::filesystem::path& path);

} // namespace corral::app
