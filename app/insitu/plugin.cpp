#include "app/insitu/plugin.hpp"

#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace corral::app {

namespace fs = std::filesystem;

namespace {

struct Shipped {
  const char* name;
  const char* library; // without which it is not built
  const char* remedy;
};

// The first that is there is taken where none is named.
constexpr Shipped shipped[] = {{"catalyst", "ParaView", "`tools/packages insitu` installs it, then build again"},
                               {"catalyst2", "libcatalyst", "docs/insitu.md says how it is built with it"}};

std::string file_of(const Shipped& plugin) { return std::string("corral_") + plugin.name + ".so"; }

// Where it is built, or else where it is installed.
fs::path place_of(const Shipped& plugin) {
  std::error_code code;
  const fs::path beside = fs::read_symlink("/proc/self/exe", code).parent_path();
  const fs::path built = beside / "insitu" / plugin.name / file_of(plugin);
  return fs::exists(built, code) ? built : (beside / CORRAL_PLUGIN_FOLDER / file_of(plugin)).lexically_normal();
}

std::string without(const fs::path& path) {
  for (const Shipped& s : shipped)
    if (path.filename() == file_of(s)) return std::string("corral was built without ") + s.library + ") " + s.remedy;
  return "CORRAL_INSITU_PLUGIN names it) name a file, or one of catalyst, catalyst2";
}

} // namespace

fs::path plugin_path() {
  const char* named = std::getenv("CORRAL_INSITU_PLUGIN");
  for (const Shipped& s : shipped)
    if (named && named == std::string(s.name)) return place_of(s);
  if (named) return named;
  std::error_code code;
  for (const Shipped& s : shipped)
    if (const fs::path place = place_of(s); fs::exists(place, code)) return place;
  return place_of(shipped[0]);
}

const corral_insitu_plugin& load_plugin(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code))
    throw Error("there is no plug-in " + path.string() + " (" + without(path));
  const ProcessStateGuard unchanged; // libraries may change the mode of the floating-point unit when they are loaded
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

ProcessStateGuard::ProcessStateGuard() : process_(::getpid()) {
  // Where it can't be opened, nobody can go back to it.
  [[maybe_unused]] const int ignored = system_calls::open(working_directory_, ".", O_RDONLY | O_DIRECTORY);
  std::feholdexcept(&arithmetic_); // traps that the run may have set are not meant for others
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &handlers_[i]);
  if (const char* name = std::setlocale(LC_ALL, nullptr)) locale_ = name;
  mode_of_files_ = ::umask(0);
  ::umask(mode_of_files_);
}

// A script that is run elsewhere would write there, and remove what is there.
void ProcessStateGuard::enter(const std::string& directory) const {
  int code = system_calls::make_directories(directory);
  if (code == 0 && ::chdir(directory.c_str()) != 0) code = errno;
  if (code != 0) throw Error("cannot enter the directory " + directory + " (" + std::strerror(code) + ")");
}

ProcessStateGuard::~ProcessStateGuard() {
  // A copy of the process that a script made and forgot would go on as the run, and write into its files.
  if (::getpid() != process_) ::_exit(0);
  if (working_directory_.number() >= 0) [[maybe_unused]] const int ignored = ::fchdir(working_directory_.number());
  ::umask(mode_of_files_);
  if (!locale_.empty()) std::setlocale(LC_ALL, locale_.c_str());
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &handlers_[i], nullptr);
  std::fesetenv(&arithmetic_);
}

} // namespace corral::app
