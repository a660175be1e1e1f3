#pragma once

#include <corral/export.h>

#include <concepts>
#include <functional>
#include <string_view>

struct CUstream_st; // what CUDA's cudaStream_t points to

namespace corral {

/// Runs on the caller's CPU threads: whatever oneTBB arena the calling thread is in. A value that says where,
/// passed as the first argument of every map, `for_each` and `reduce`.
struct Cpu {};

/// Runs on the current CUDA device, in order on the caller's stream; what such a call is handed lies in device memory.
/// Calls return before their work is done, as those of CUDA do; what fails there later is reported by a later call.
/// A corral that was built without CUDA refuses such calls with an Error.
struct Gpu {
  CUstream_st* stream = nullptr; ///< a cudaStream_t; null: the default stream
};

/// Where a call runs.
template <class E>
concept Execution = std::same_as<E, Cpu> || std::same_as<E, Gpu>;

/// Threads that a `Cpu{}` call made here would use.
CORRAL_PUBLIC int current_threads();

/// The instruction set that all vector code runs on here, chosen at run time: "AVX2", "AVX3", "SSE4", ...
CORRAL_PUBLIC std::string_view instruction_set();

/// Calls `work` where every `Cpu{}` call inside it uses at most `threads` threads, 1 to 2^16.
/// Codes with a oneTBB arena of their own don't need this.
CORRAL_PUBLIC void run_with_threads(int threads, const std::function<void()>& work);

/// Calls two works at once, the second on a thread of its own, each where `Cpu{}` calls use at most so many threads, and returns
/// when both have ended. Then it throws what the first threw, else what the second did.
CORRAL_PUBLIC void run_at_once(int first_threads, const std::function<void()>& first, int second_threads,
                               const std::function<void()>& second);

} // namespace corral
