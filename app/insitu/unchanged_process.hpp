#pragma once

#include "app/command/descriptor.hpp"

#include <array>
#include <cfenv>
#include <csignal>
#include <string>

namespace corral::app {

/// Keeps what a foreign library might change for the whole process, and puts it back: handlers of signals, modes and
/// traps of the floating-point unit, the locale, the working directory. Results of a run depend on none of its plug-ins.
class UnchangedProcess {
public:
  UnchangedProcess();
  /// Meanwhile relative paths are those in `directory`.
  explicit UnchangedProcess(const std::string& directory);
  UnchangedProcess(const UnchangedProcess&) = delete;
  UnchangedProcess& operator=(const UnchangedProcess&) = delete;
  ~UnchangedProcess();

private:
  static constexpr std::array signals{SIGHUP, SIGINT, SIGILL,  SIGABRT, SIGBUS,
                                      SIGFPE, SIGSEGV, SIGPIPE, SIGTERM, SIGXFSZ};

  std::fenv_t arithmetic_{};
  std::array<struct sigaction, signals.size()> handlers_{};
  std::string locale_;
  Descriptor working_directory_;
};

} // namespace corral::app
