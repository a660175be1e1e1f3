#pragma once

#include <array>
#include <csignal>

namespace corral::app {

/// While one lives, SIGINT and SIGTERM are remembered instead of ending the process; a second one of a kind ends it.
/// A write beyond the file size limit fails as a write instead of by SIGXFSZ. One at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// The signal that came, 0 for none.
  int pending() const;

private:
  std::array<struct sigaction, 3> before_{};
};

} // namespace corral::app
