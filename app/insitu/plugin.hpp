#pragma once

#include "app/insitu/corral_insitu.h"
#include "app/system/system_calls.hpp"

#include <sys/types.h>

#include <array>
#include <cfenv>
#include <csignal>
#include <filesystem>
#include <string>

namespace corral::app {

/// What CORRAL_INSITU_PLUGIN names, `catalyst`, `catalyst2` or a file; or that of these two which is there, beside the
/// command, where it is built or where it is installed; or where the first of them should be.
std::filesystem::path plugin_path();

/// Loads a plug-in, which stays until the process ends: neither Python nor ParaView can be unloaded. Throws Error where
/// it is not there, cannot be loaded, or is made for another version of corral.
const corral_insitu_plugin& load_plugin(const std::filesystem::path& path);

/// Keeps what a foreign library might change for the whole process, and puts it back: handlers of signals, modes and
/// traps of the floating-point unit, the locale, the working directory, the mode of new files. A process that was forked
/// meanwhile ends. Results of a run depend on none of its plug-ins.
class ProcessStateGuard {
public:
  ProcessStateGuard();
  /// From now on relative paths are those in `directory`, which is made again where somebody has taken it away. Throws
  /// Error where that is impossible.
  void enter(const std::string& directory) const;
  ProcessStateGuard(const ProcessStateGuard&) = delete;
  ProcessStateGuard& operator=(const ProcessStateGuard&) = delete;
  ~ProcessStateGuard();

private:
  static constexpr std::array signals{SIGHUP,  SIGINT,  SIGILL,  SIGABRT, SIGBUS,  SIGFPE, SIGSEGV,
                                      SIGPIPE, SIGTERM, SIGXFSZ, SIGUSR1, SIGUSR2, SIGXCPU};

  pid_t process_;
  std::fenv_t arithmetic_{};
  std::array<struct sigaction, signals.size()> handlers_{};
  std::string locale_;
  mode_t mode_of_files_ = 0;
  Descriptor working_directory_;
};

} // namespace corral::app
