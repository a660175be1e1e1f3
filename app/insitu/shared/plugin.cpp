#include "app/insitu/shared/plugin.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace corral::insitu {

namespace {

// Of the library that this is a part of.
std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return "";
  return std::filesystem::absolute(info.dli_fname).parent_path().string();
}

} // namespace

void tell_script(const corral_insitu_request& request) {
  ::setenv("CORRAL_INSITU_DIR", request.directory, 1);
  ::setenv("CORRAL_INSITU_TITLE", request.title, 1);
  static const bool once = [] {
    const char* others = std::getenv("PYTHONPATH");
    const std::string folder = own_folder(); // last: nothing of the user's is hidden by it
    ::setenv("PYTHONPATH", (others && *others ? others + (":" + folder) : folder).c_str(), 1);
    return true;
  }();
  static_cast<void>(once);
}

} // namespace corral::insitu
