#pragma once

#include "fluid/lattice/block.hpp"
#include "fluid/lattice/device/views.hpp"

#include <corral/execution.hpp>

#include <cstdint>

namespace corral::fluid::lattice {

inline constexpr int collide_threads = 128, look_threads = 128; ///< of a block

inline unsigned blocks_for(const CellsView& cells, int threads) {
  return static_cast<unsigned>((cells.threads() + static_cast<unsigned>(threads) - 1) / static_cast<unsigned>(threads));
}

// In order on the stream, each compiled in the file of its set. They return before the work is done.
template <class Set, class T, class A> void launch_step(Gpu, const StepView<T, A>&, const Rule<A>&);
template <class Set, class T, class A> void launch_look(Gpu, const LookView<T, A>&);

} // namespace corral::fluid::lattice
