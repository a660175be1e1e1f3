#pragma once

#include "fluid/lattice/block.hpp"
#include "fluid/lattice/device/views.hpp"

#include <corral/execution.hpp>

#include <cstdint>

namespace corral::fluid::lattice {

inline constexpr int collide_threads = 128, look_threads = 128; ///< of a block
inline constexpr int threads_a_part = 8; ///< that share a part of a row: those around bodies are short

inline unsigned collide_blocks(std::uint32_t cells) { return (cells - 1) / collide_threads + 1; }

// In order on the stream, each compiled in the file of its set. They return before the work is done.
template <class Set, class T, class A> void launch_step(Gpu, const StepView<T, A>&, const Rule<A>&);
template <class Set, class T, class A> void launch_look(Gpu, const LookView<T, A>&);

} // namespace corral::fluid::lattice
