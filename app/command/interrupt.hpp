#pragma once

#include <array>
#include <csignal>

namespace corral::app {

/// While one lives, SIGINT, SIGTERM and SIGHUP are remembered instead of ending the process; a second one of a kind
/// ends it. One that was ignored before stays so: under nohup a run survives its terminal. Writes beyond the file
/// size limit, and into a pipe that nobody reads, fail as writes instead of by SIGXFSZ and SIGPIPE. One at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// The signal that came, 0 for none.
  int pending() const;

private:
  std::array<struct sigaction, 5> before_{};
};

} // namespace corral::app
