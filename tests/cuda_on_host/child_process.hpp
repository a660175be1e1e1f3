#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace corral::test {

struct ChildResult {
  int status = 0; ///< 0 if all went well
  std::string output;
};

/// Runs one test case of this program in a process of its own, with variables such as "A=1 B=2" in its environment.
inline ChildResult run_test_case_apart(const std::string& test_case, const std::string& variables) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) < 0) throw std::runtime_error("no /proc/self/exe");
  const std::string command = variables + " '" + path.data() + "' '" + test_case + "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("no process for " + command);
  ChildResult result;
  std::array<char, 4096> part;
  while (const std::size_t read = fread(part.data(), 1, part.size(), pipe)) result.output.append(part.data(), read);
  result.status = pclose(pipe);
  return result;
}

} // namespace corral::test
