#pragma once

#include <sys/types.h>

#include <string>

namespace corral::catalyst {

/// An X server to draw on: Debian's ParaView has no other way, and VTK aborts the process where none answers. That of
/// $DISPLAY if there is one, otherwise a private Xvfb, which ends with this or with the process.
class Display {
public:
  Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  ~Display();

  bool answers() const { return answers_; }

private:
  bool start_xvfb();
  void stop();

  pid_t xvfb_ = 0;
  bool answers_ = false;
};

} // namespace corral::catalyst
