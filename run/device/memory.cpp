#include "run/device/memory.hpp"

#include "run/case/values.hpp"

#include <corral/device.hpp>

#include <algorithm>
#include <string_view>

namespace corral::run {

std::vector<std::string> with_device_memory(std::vector<std::string> lines, double needed) {
  const auto memory = std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return line.starts_with("memory "); });
  if (memory != lines.end())
    *memory = formatted("device    %.100s: about %.1f MB of its memory", find_device().name.c_str(), needed / 1e6);
  return lines;
}

bool suffices(double needed, const std::string& what, const Settings& settings, Problems& problems) {
  const double free = find_device().free_bytes;
  if (needed <= free) return true;
  problems.add(settings.where("grid", "cells"),
               formatted("--backend gpu with %.3g GB of %s (the device has %.3g GB free) take fewer of them, a device that has "
                         "more, or the CPU", needed / 1e9, what.c_str(), free / 1e9));
  return false;
}

} // namespace corral::run
