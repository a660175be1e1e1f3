#include "tests/cuda_on_host/runtime/block/async_copies.hpp"

#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <cstring>

namespace cuda_on_host {

void ask_for_copy(void* to, const void* from, unsigned bytes, const PhaseBarrier* barrier, Place place) {
  running_block().ask_for_copy(to, from, bytes, barrier, place);
}
void commit_copies() { running_block().commit_copies(); }
void await_copies(unsigned pending) { running_block().await_copies(pending); }

/// What TSan takes for somebody else's work, who begins when asked. One for all copies of a block, and none of the last
/// block's, or blocks would seem to follow one another.
template <class Body> void BlockRunner::as_copier(Body&& body) {
  void* const caller = tsan::current_fiber();
  if (!copier_) copier_ = tsan::create_fiber();
  tsan::switch_to(copier_);
  body();
  tsan::switch_to(caller);
}

void BlockRunner::drop_copier() {
  if (!copier_) return;
  as_copier([&] { tsan::release(&end_token_); });
  tsan::destroy_fiber(copier_);
  copier_ = nullptr;
}

/// False, with an error, where a device would stop, or write and read what it should not.
bool BlockRunner::accepts(const Copy& copy) {
  const unsigned unit = copy.bulk ? 16 : copy.bytes;
  const auto aligned = [&](const void* address) { return reinterpret_cast<std::uintptr_t>(address) % unit == 0; };
  const DeviceMemory& device = state().device;
  std::string wrong;
  if (copy.bytes % unit)
    wrong = "its size is no multiple of 16";
  else if (!shared_.owns(copy.to))
    wrong = "its destination is not shared memory";
  else if (!aligned(copy.to))
    wrong = "its destination is not aligned to " + std::to_string(unit) + " bytes";
  else if (!shared_.covers(copy.to, copy.bytes))
    wrong = "its destination lies outside the block's variables, or ends there";
  else if (!device.owns(copy.from))
    wrong = "its source is not device memory";
  else if (!aligned(copy.from))
    wrong = "its source is not aligned to " + std::to_string(unit) + " bytes";
  else if (!device.covers(copy.from, copy.bytes)) {
    char what[400];
    device.describe(copy.from, what, sizeof what);
    wrong = std::string("its source ends outside device memory that is allocated: it begins ") + what;
  } else
    return true;
  error_ = name_of(threads_[copy.thread]) + ": " + (copy.bulk ? "bulk copy" : "copy") + " of " +
      std::to_string(copy.bytes) + " bytes at " + text(copy.place) + ": " + wrong;
  return false;
}

void BlockRunner::ask_for_copy(void* to, const void* from, unsigned bytes, const PhaseBarrier* barrier, Place place) {
  ThreadState& thread = threads_[current_thread->number];
  const unsigned phases = barrier ? find_phases(barrier, place) : 0;
  const Copy copy{to, from, bytes, barrier != nullptr, phases, thread.number, thread.copy_groups, place};
  if (!accepts(copy)) stop();
  if (!thread.asked_token) thread.asked_token = new_token(), thread.arrived_token = new_token();
  tsan::release(thread.asked_token);
  as_copier([&] {
    tsan::acquire(thread.asked_token);
    std::memset(to, 0xff, bytes);
  });
  copies_.push(copy);
}

void BlockRunner::commit_copies() { ++threads_[current_thread->number].copy_groups; }

void BlockRunner::await_copies(unsigned pending) {
  ThreadState& thread = threads_[current_thread->number];
  for (unsigned i = 0; i < copies_.size();) {
    const Copy& copy = copies_[i];
    if (!copy.bulk && copy.thread == thread.number && copy.group + pending < thread.copy_groups)
      deliver(i);
    else
      ++i;
  }
  if (thread.arrived_token) tsan::acquire(thread.arrived_token);
}

void BlockRunner::deliver(unsigned place) {
  const Copy copy = copies_.take(place);
  const ThreadState& thread = threads_[copy.thread];
  as_copier([&] {
    tsan::acquire(thread.asked_token);
    std::memcpy(copy.to, copy.from, copy.bytes);
    tsan::release(copy.bulk ? phases_[copy.phases].token : thread.arrived_token);
  });
  if (!copy.bulk) return;
  phases_[copy.phases].bytes -= copy.bytes;
  end_phase_if_complete(copy.phases);
}

/// Lets a copy arrive before it must, now and then: some follow one another, some come after hundreds of switches.
void BlockRunner::maybe_deliver() {
  if (!copies_.size() || next_random(random_) % copy_pace_) return;
  copy_pace_ = 1u << next_random(random_) % 10;
  deliver(static_cast<unsigned>(next_random(random_) % copies_.size()));
}

/// Lets a bulk copy arrive; false if there is none.
bool BlockRunner::deliver_bulk(Order order) {
  unsigned bulk = 0;
  for (unsigned i = 0; i < copies_.size(); ++i) bulk += copies_[i].bulk;
  if (!bulk) return false;
  unsigned before = order == Order::random ? static_cast<unsigned>(next_random(random_) % bulk)
      : order == Order::reverse            ? bulk - 1
                                           : 0;
  for (unsigned i = 0;; ++i) {
    if (!copies_[i].bulk || before-- != 0) continue;
    deliver(i);
    return true;
  }
}

/// What a block that has ended leaves undone; empty if nothing. Words that nobody waits for arrive now, for TSan to see.
std::string BlockRunner::left_undone() {
  const std::string who = "block " + text(position_.index);
  for (unsigned i = 0; i < copies_.size(); ++i)
    if (copies_[i].bulk)
      return who + " ended before the bulk copy of " + std::to_string(copies_[i].bytes) + " bytes at " +
          text(copies_[i].place) + " had arrived: no thread has waited for it";
  for (unsigned i = 0; i < phases_.size(); ++i)
    if (phases_[i].bytes) return who + " ended in " + name_of(phases_[i]);
  while (copies_.size()) deliver(copies_.size() - 1);
  return "";
}

} // namespace cuda_on_host
