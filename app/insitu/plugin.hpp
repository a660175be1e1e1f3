#pragma once

#include "app/insitu/corral_insitu.h"

#include <filesystem>

namespace corral::app {

/// Where the plug-in of ParaView is expected: what CORRAL_INSITU_PLUGIN names, or beside the command, where it is built
/// and where it is installed.
std::filesystem::path plugin_path();

/// Loads a plug-in, which stays until the process ends: neither Python nor ParaView can be unloaded. Throws Error where
/// it is not there, cannot be loaded, or is made for another version of corral.
const corral_insitu_plugin& load_plugin(const std::filesystem::path& path);

} // namespace corral::app
