#include "app/insitu/unchanged_process.hpp"

#include "app/output/system_calls.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <clocale>

namespace corral::app {

UnchangedProcess::UnchangedProcess() {
  // Where it can't be opened, nobody can go back to it.
  [[maybe_unused]] const int ignored = system_calls::open(working_directory_, ".", O_RDONLY | O_DIRECTORY);
  std::feholdexcept(&arithmetic_); // traps that the run may have set are not meant for others
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &handlers_[i]);
  if (const char* name = std::setlocale(LC_ALL, nullptr)) locale_ = name;
}

UnchangedProcess::UnchangedProcess(const std::string& directory) : UnchangedProcess() {
  // Where it can't be entered, whoever writes there will say so.
  [[maybe_unused]] const int ignored = ::chdir(directory.c_str());
}

UnchangedProcess::~UnchangedProcess() {
  if (working_directory_.number() >= 0) [[maybe_unused]] const int ignored = ::fchdir(working_directory_.number());
  if (!locale_.empty()) std::setlocale(LC_ALL, locale_.c_str());
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &handlers_[i], nullptr);
  std::fesetenv(&arithmetic_);
}

} // namespace corral::app
