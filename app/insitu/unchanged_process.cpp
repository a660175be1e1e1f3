#include "app/insitu/unchanged_process.hpp"

#include "app/output/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstring>

namespace corral::app {

ProcessStateGuard::ProcessStateGuard() {
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
  if (working_directory_.number() >= 0) [[maybe_unused]] const int ignored = ::fchdir(working_directory_.number());
  ::umask(mode_of_files_);
  if (!locale_.empty()) std::setlocale(LC_ALL, locale_.c_str());
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &handlers_[i], nullptr);
  std::fesetenv(&arithmetic_);
}

} // namespace corral::app
