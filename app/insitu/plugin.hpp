#pragma once

#include "app/insitu/corral_insitu.h"

#include <filesystem>

namespace corral::app {

/// What CORRAL_INSITU_PLUGIN names, `catalyst`, `catalyst2` or a file; or that of these two which is there, beside the
/// command, where it is built or where it is installed; or where the first of them should be.
std::filesystem::path plugin_path();

/// Loads a plug-in, which stays until the process ends: neither Python nor ParaView can be unloaded. Throws Error where
/// it is not there, cannot be loaded, or is made for another version of corral.
const corral_insitu_plugin& load_plugin(const std::filesystem::path& path);

} // namespace corral::app
