#include "app/insitu/plugin.hpp"

#include "app/insitu/unchanged_process.hpp"

#include <corral/error.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace corral::app {

namespace fs = std::filesystem;

fs::path plugin_path() {
  if (const char* named = std::getenv("CORRAL_INSITU_PLUGIN")) return named;
  std::error_code code;
  const fs::path beside = fs::read_symlink("/proc/self/exe", code).parent_path();
  const fs::path built = beside / "insitu/catalyst/corral_catalyst.so";
  return fs::exists(built, code) ? built : (beside / CORRAL_PLUGIN_FOLDER / "corral_catalyst.so").lexically_normal();
}

const corral_insitu_plugin& load_plugin(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code))
    throw Error("there is no plug-in " + path.string() +
                " (corral was built without ParaView) `tools/packages insitu` installs it, then build again");
  const UnchangedProcess unchanged; // libraries may change the mode of the floating-point unit when they are loaded
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("the plug-in cannot be loaded (" + std::string(dlerror()) + ")");
  const auto entry = reinterpret_cast<const corral_insitu_plugin* (*)()>(dlsym(library, CORRAL_INSITU_ENTRY));
  if (!entry) throw Error("the plug-in " + path.string() + " has no " CORRAL_INSITU_ENTRY " (it is something else)");
  const corral_insitu_plugin* plugin = entry();
  if (!plugin || plugin->version != CORRAL_INSITU_VERSION || plugin->size != sizeof(corral_insitu_plugin))
    throw Error("the plug-in " + path.string() + " is of version " + std::to_string(plugin ? plugin->version : 0) +
                " (this corral takes version " + std::to_string(CORRAL_INSITU_VERSION) + ") build both together");
  return *plugin;
}

} // namespace corral::app
