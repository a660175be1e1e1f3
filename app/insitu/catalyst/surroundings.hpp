#pragma once

#include <sys/types.h>

#include <string>

/// What ParaView finds in the process: a display to draw on, and Python.
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

/// Before ParaView starts the interpreter: makes libpython's symbols visible to Python's own modules, which look for
/// them among those of the whole process. Throws std::runtime_error where the library is not there.
void make_python_visible();

/// After ParaView has started the interpreter: catches what scripts throw, keeps them from ending the process, and
/// from drawing where nothing can be drawn. Throws std::runtime_error.
void prepare_python();

/// What a script threw since the last call, in a sentence; "" where nothing was thrown.
std::string take_failure();

} // namespace corral::catalyst
