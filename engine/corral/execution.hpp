#pragma once

#include <corral/export.h>

#include <functional>
#include <string_view>

namespace corral {

/// Runs on the caller's CPU threads: whatever oneTBB arena the calling thread is in. A value that says where,
/// passed as the first argument of every map, `for_each` and `reduce`.
struct Cpu {};

/// Threads that a `Cpu{}` call made here would use.
CORRAL_PUBLIC int current_threads();

/// The instruction set that all vector code runs on here, chosen at run time: "AVX2", "AVX3", "SSE4", ...
CORRAL_PUBLIC std::string_view instruction_set();

/// Calls `work` where every `Cpu{}` call inside it uses at most `threads` threads (1 or more).
/// Codes with a oneTBB arena of their own don't need this.
CORRAL_PUBLIC void run_with_threads(int threads, const std::function<void()>& work);

} // namespace corral
