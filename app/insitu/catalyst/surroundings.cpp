#include <Python.h> // before any other header, as it asks for

#include "app/insitu/catalyst/surroundings.hpp"

#include "prelude.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace corral::catalyst {
namespace {

bool display_answers() {
  if (!std::getenv("DISPLAY")) return false;
  void* x = dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL);
  if (!x) return false;
  const auto open = reinterpret_cast<void* (*)(const char*)>(dlsym(x, "XOpenDisplay"));
  const auto close = reinterpret_cast<int (*)(void*)>(dlsym(x, "XCloseDisplay"));
  void* connection = open && close ? open(nullptr) : nullptr;
  if (connection) close(connection);
  return connection != nullptr;
}

// The number that Xvfb writes once it is ready; "" where it ends before, or takes longer than anyone waits.
std::string number_from(int pipe_end) {
  std::string number;
  constexpr int patience = 20000; // ms
  for (char c = 0; number.size() < 8;) {
    pollfd ready{pipe_end, POLLIN, 0};
    if (poll(&ready, 1, patience) <= 0 || read(pipe_end, &c, 1) != 1) return "";
    if (c == '\n') return number;
    number += c;
  }
  return "";
}

} // namespace

Display::Display() {
  if (const char* wanted = std::getenv("CORRAL_INSITU_RENDER"); wanted && *wanted == '0') return;
  answers_ = display_answers();
  // A server that ends may take the socket of one that has just got its number.
  for (int attempt = 0; !answers_ && attempt < 3; ++attempt) answers_ = start_xvfb();
}

Display::~Display() { stop(); }

bool Display::start_xvfb() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return false;
  const pid_t parent = getpid();
  const std::string descriptor = std::to_string(ends[1]);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  xvfb_ = fork();
  if (xvfb_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); // no orphan where the run is killed
    if (getppid() != parent) _exit(1);
    setpgid(0, 0); // Ctrl-C in a terminal is for the run alone
    for (int stream = 0; stream < 3; ++stream) dup2(nothing, stream);
    execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "1920x1200x24", "-nolisten", "tcp",
           "-noreset", static_cast<char*>(nullptr));
    _exit(127);
  }
  ::close(ends[1]);
  ::close(nothing);
  const std::string number = xvfb_ > 0 ? number_from(ends[0]) : "";
  ::close(ends[0]);
  if (!number.empty()) {
    ::setenv("DISPLAY", (":" + number).c_str(), 1);
    if (display_answers()) return true;
  }
  stop();
  return false;
}

void Display::stop() {
  if (xvfb_ <= 0) return;
  kill(xvfb_, SIGTERM);
  waitpid(xvfb_, nullptr, 0);
  xvfb_ = 0;
}

void make_python_visible() {
  if (!dlopen(CORRAL_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL)) throw std::runtime_error(dlerror());
  // As with `python -i`, SystemExit is an exception like others and not the end of the process.
  ::setenv("PYTHONINSPECT", "1", 1);
}

void prepare_python() {
  ::unsetenv("PYTHONINSPECT"); // it was meant for this interpreter alone
  if (!Py_IsInitialized()) throw std::runtime_error("ParaView has not started Python");
  if (PyRun_SimpleString(prelude) != 0) throw std::runtime_error("ParaView's Python modules cannot be loaded");
}

std::string take_failure() {
  if (PyErr_Occurred()) PyErr_Print(); // nobody did; the hook is told of it
  std::string failure;
  PyObject* said = PySys_GetObject("corral_failure"); // borrowed
  if (said && PyUnicode_Check(said)) {
    if (const char* text = PyUnicode_AsUTF8(said)) failure = text;
    else PyErr_Clear();
  }
  PySys_SetObject("corral_failure", Py_None);
  return failure;
}

} // namespace corral::catalyst
