#pragma once

#include <array>
#include <csignal>

namespace corral::app {

/// While one lives, and nothing has been written, SIGINT, SIGTERM and SIGHUP end the process at once, with a sentence on
/// standard error. One that was ignored before stays so. One at a time, and none beside Interrupts.
class EndOnSignal {
public:
  EndOnSignal();
  ~EndOnSignal();
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

private:
  std::array<struct sigaction, 3> before_{};
};

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
