#pragma once

#include "app/command/descriptor.hpp"

#include <array>
#include <cfenv>
#include <csignal>
#include <string>
#include <sys/types.h>

namespace corral::app {

/// Keeps what a foreign library might change for the whole process, and puts it back: handlers of signals, modes and
/// traps of the floating-point unit, the locale, the working directory, the mode of new files. Results of a run depend on
/// none of its plug-ins.
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
  static constexpr std::array signals{SIGHUP, SIGINT, SIGILL,  SIGABRT, SIGBUS,
                                      SIGFPE, SIGSEGV, SIGPIPE, SIGTERM, SIGXFSZ};

  std::fenv_t arithmetic_{};
  std::array<struct sigaction, signals.size()> handlers_{};
  std::string locale_;
  mode_t mode_of_files_ = 0;
  Descriptor working_directory_;
};

} // namespace corral::app
