#include "cuda_on_host/atomics.hpp"
#include "tests/cuda_on_host/runtime/block/async_copies.hpp"
#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"

namespace cuda_on_host {

// Counts of arrivals and of bytes have 20 bits on a device.
static constexpr std::int64_t count_limit = 1 << 20;

void begin_phases(const PhaseBarrier* barrier, unsigned arrivals, Place place) {
  running_block().begin_phases(barrier, arrivals, place);
}
void fence_begun() { running_block().fence_begun(); }
void change_phase(const PhaseBarrier* barrier, unsigned arrivals, unsigned bytes, Place place) {
  before_atomic();
  running_block().change_phase(barrier, arrivals, bytes, place);
}
void await_phase(const PhaseBarrier* barrier, unsigned parity, Place place) {
  running_block().await_phase(barrier, parity, place);
}

void BlockRunner::begin_phases(const PhaseBarrier* barrier, unsigned arrivals, Place place) {
  if (!shared_.covers(barrier, sizeof *barrier))
    fail("begin() of a barrier of phases that is not shared memory", place);
  if (reinterpret_cast<std::uintptr_t>(barrier) % 8)
    fail("begin() of a barrier of phases that is not aligned to 8 bytes", place);
  if (arrivals < 1 || arrivals >= count_limit)
    fail("begin() of a barrier of phases with no arrivals, or 2^20 or more", place);
  for (unsigned i = 0; i < phases_.size(); ++i)
    if (phases_[i].barrier == barrier) fail("begin() of a barrier of phases that has begun", place);
  phases_.push({barrier, arrivals, arrivals, 0, 0, current_thread->number, false, place, new_token(), nullptr});
}

void BlockRunner::fence_begun() {
  for (unsigned i = 0; i < phases_.size(); ++i)
    if (phases_[i].thread == current_thread->number) phases_[i].fenced = true;
}

unsigned BlockRunner::find_phases(const PhaseBarrier* barrier, Place place) {
  unsigned found = 0;
  while (found < phases_.size() && phases_[found].barrier != barrier) ++found;
  if (found == phases_.size()) fail("a copy of a barrier of phases, which has not begun", place);
  if (!phases_[found].fenced) fail("a barrier of phases without fence_begun() since begin()", place);
  return found;
}

void BlockRunner::change_phase(const PhaseBarrier* barrier, unsigned arrivals, unsigned bytes, Place place) {
  const unsigned number = find_phases(barrier, place);
  Phases& phases = phases_[number];
  if (arrivals > phases.missing) fail("more arrivals in a phase than begin() said", place);
  phases.bytes += bytes;
  if (bytes >= count_limit || phases.bytes >= count_limit) fail("a phase that expects 2^20 bytes or more", place);
  if (arrivals) tsan::release(phases.token);
  phases.missing -= arrivals;
  end_phase_if_complete(number);
}

void BlockRunner::end_phase_if_complete(unsigned number) {
  Phases& phases = phases_[number];
  if (phases.missing || phases.bytes) return;
  ++phases.ended;
  phases.missing = phases.arrivals;
  phases.last_token = phases.token;
  phases.token = new_token();
  for (unsigned i = 0; i < thread_count_; ++i)
    if (threads_[i].status == Status::at_phase && threads_[i].phases == number) wake(threads_[i]);
}

void BlockRunner::await_phase(const PhaseBarrier* barrier, unsigned parity, Place place) {
  if (parity > 1) fail("a phase's parity is 0 or 1", place);
  const unsigned number = find_phases(barrier, place);
  ThreadState& thread = threads_[current_thread->number];
  // Again after it was woken: before its turn came the next phase may have ended, too, as on a device.
  while (phases_[number].ended % 2 == parity) {
    thread.status = Status::at_phase;
    thread.place = place;
    thread.phases = number;
    wait();
  }
  if (phases_[number].last_token) tsan::acquire(phases_[number].last_token);
}

std::string BlockRunner::name_of(const Phases& phases) const {
  const std::string bytes = phases.bytes < 0 ? std::to_string(-phases.bytes) + " bytes more than were expected"
                                             : "without " + std::to_string(phases.bytes) + " bytes";
  return "phase " + std::to_string(phases.ended) + " of the barrier that began at " + text(phases.place) +
      " (without " + std::to_string(phases.missing) + " of " + std::to_string(phases.arrivals) + " arrivals, " + bytes +
      ")";
}

} // namespace cuda_on_host
