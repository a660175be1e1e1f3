#include "engine/c/arguments.hpp"

#include <cstdio>

namespace corral::c {
namespace {
thread_local char last_error[512] = "";
}

void remember(const char* message) noexcept { std::snprintf(last_error, sizeof last_error, "%s", message); }

} // namespace corral::c

int corral_abi_version(void) { return CORRAL_ABI_VERSION; }

const char* corral_last_error(void) { return corral::c::last_error; }
