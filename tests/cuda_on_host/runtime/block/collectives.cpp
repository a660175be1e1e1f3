#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace cuda_on_host {

static bool same(Place a, Place b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

void BlockRunner::refuse_ended_threads(const ThreadState& thread, Place place) {
  if (!ended_ || !configuration().strict_exit) return;
  error_ = "barrier " + text(place) + " reached by " + name_of(thread) + " after " + std::to_string(ended_) +
      " threads of the block have ended";
  stop();
}

int BlockRunner::barrier(Barrier kind, bool predicate, Place place) {
  ThreadState& thread = threads_[current_thread->number];
  ++counted_.barriers;
  if (at_barrier_ && (barrier_kind_ != kind || !same(barrier_place_, place))) {
    error_ =
        "divergent barrier: " + name_of(thread) + " is at " + text(place) + ", others wait at " + text(barrier_place_);
    stop();
  }
  refuse_ended_threads(thread, place);
  if (!at_barrier_) {
    barrier_sum_ = 0;
    barrier_place_ = place;
    barrier_kind_ = kind;
    barrier_token_ = new_token();
  }
  void* token = barrier_token_;
  tsan::release(token);
  barrier_sum_ += predicate;
  ++at_barrier_;
  thread.status = Status::at_barrier;
  thread.place = place;
  release_barrier_if_complete();
  wait();
  tsan::acquire(token);
  switch (kind) {
  case Barrier::all: return thread.barrier_result == static_cast<int>(thread_count_ - ended_);
  case Barrier::any: return thread.barrier_result != 0;
  default: return thread.barrier_result;
  }
}

void BlockRunner::release_barrier_if_complete() {
  if (!at_barrier_ || at_barrier_ + ended_ < thread_count_) return;
  at_barrier_ = 0;
  for (unsigned i = 0; i < thread_count_; ++i) {
    if (threads_[i].status != Status::at_barrier) continue;
    threads_[i].barrier_result = barrier_sum_;
    wake(threads_[i]);
  }
}

LaneValue BlockRunner::collective(Operation operation, unsigned mask, LaneValue value, int lane, Place place) {
  ThreadState& thread = threads_[current_thread->number];
  Warp& warp = warps_[thread.warp];
  ++counted_.collectives;
  thread.brought = value;
  thread.taken = {};
  thread.source_lane = lane;
  thread.place = place;
  thread.status = Status::at_collective;

  Meeting& meeting = meet(warp, thread, operation, mask, place);
  void* token = meeting.token;
  meeting.arrived |= 1u << thread.lane;
  // Shuffles, votes and reductions order no memory.
  if (operation == Operation::sync) tsan::release(token);
  complete_if_all_are_there(warp, thread.warp, static_cast<int>(&meeting - warp.meeting));
  wait();
  if (operation == Operation::sync) tsan::acquire(token);
  return thread.taken;
}

/// The meeting that this call belongs to, a new one if it is the first to come.
Meeting& BlockRunner::meet(Warp& warp, const ThreadState& thread, Operation operation, unsigned mask, Place place) {
  const unsigned me = 1u << thread.lane;
  if (!(mask & me)) {
    error_ = "warp collective " + text(place) + " of " + name_of(thread) + ": the mask lacks its own lane";
    stop();
  }
  if (mask & ~warp.present) {
    error_ = "warp collective " + text(place) + " of " + name_of(thread) + ": the mask names lanes outside the block";
    stop();
  }
  Meeting* found = nullptr;
  for (int i = 0; i < warp.meetings; ++i) {
    Meeting& other = warp.meeting[i];
    const bool same_place = other.place.line() == place.line() && other.place.column() == place.column();
    if (other.mask == mask && other.operation == operation && same_place) {
      found = &other;
    } else if ((other.arrived & mask) && (other.mask & me)) { // either waits for the other
      error_ = "divergent warp collective: " + name_of(thread) + " is at " + text(place) +
          ", lanes that it waits for are at " + text(other.place) + " (another place, mask or operation)";
      stop();
    }
  }
  if (found) return *found;
  Meeting& opened = warp.meeting[warp.meetings++]; // never more than lanes
  opened = {operation, mask, 0, place, new_token()};
  return opened;
}

void BlockRunner::complete_if_all_are_there(Warp& warp, unsigned warp_number, int number) {
  const Meeting& waiting = warp.meeting[number];
  const bool of_all = waiting.operation == Operation::mma || waiting.operation == Operation::mma_16x8x4;
  if ((waiting.mask & warp.ended) && waiting.operation != Operation::sync && (of_all || configuration().strict_exit)) {
    error_ = "warp collective " + text(waiting.place) + " in block " + text(position_.index) + " warp " +
        std::to_string(warp_number) + ": the mask names lanes that have ended";
    stop();
  }
  if (waiting.arrived != (waiting.mask & ~warp.ended)) return;
  const Meeting meeting = waiting;
  warp.meeting[number] = warp.meeting[--warp.meetings];
  ThreadState* lanes = &threads_[32 * warp_number];
  exchange(meeting, lanes);
  for (unsigned left = meeting.arrived; left; left &= left - 1) wake(lanes[std::countr_zero(left)]);
}

static void multiply(ThreadState* lanes) {
  double a[8][4], b[4][8];
  for (int i = 0; i < 32; ++i) {
    a[i / 4][i % 4] = std::bit_cast<double>(lanes[i].brought.word[0]);
    b[i % 4][i / 4] = std::bit_cast<double>(lanes[i].brought.word[1]);
  }
  for (int i = 0; i < 32; ++i)
    for (int half = 0; half < 2; ++half) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += a[i / 4][k] * b[k][2 * (i % 4) + half];
      lanes[i].taken.word[half] = std::bit_cast<std::uint64_t>(sum);
    }
}

/// A device's own chain: fused, of rising k, from the sum that was there.
static void multiply_16x8x4(ThreadState* lanes) {
  double a[16][4], b[4][8];
  const auto step = [&](int lane) -> Step16x8x4& {
    return *reinterpret_cast<Step16x8x4*>(static_cast<std::uintptr_t>(lanes[lane].brought.word[0]));
  };
  for (int i = 0; i < 32; ++i) {
    a[i / 4][i % 4] = step(i).a[0];
    a[i / 4 + 8][i % 4] = step(i).a[1];
    b[i % 4][i / 4] = step(i).b;
  }
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        step(i).sum[j] = std::fma(a[i / 4 + j / 2 * 8][k], b[k][i % 4 * 2 + j % 2], step(i).sum[j]);
}

static std::uint64_t combined(Operation operation, std::uint64_t a, std::uint64_t b) {
  const auto signed_a = static_cast<std::int64_t>(a), signed_b = static_cast<std::int64_t>(b); // unsigned ones fit, too
  switch (operation) {
  case Operation::add: return a + b;
  case Operation::minimum: return signed_a < signed_b ? a : b;
  case Operation::maximum: return signed_a < signed_b ? b : a;
  case Operation::bit_and: return a & b;
  case Operation::bit_xor: return a ^ b;
  default: return a | b;
  }
}

static void shuffle(unsigned arrived, ThreadState* lanes) {
  for (unsigned left = arrived; left; left &= left - 1) {
    ThreadState& lane = lanes[std::countr_zero(left)];
    const bool takes_part = arrived >> lane.source_lane & 1;
    lane.taken.word[0] = takes_part ? lanes[lane.source_lane].brought.word[0] : ~std::uint64_t{0};
  }
}

static void match(unsigned arrived, ThreadState* lanes) {
  for (unsigned left = arrived; left; left &= left - 1) {
    ThreadState& lane = lanes[std::countr_zero(left)];
    for (unsigned others = arrived; others; others &= others - 1) {
      const int other = std::countr_zero(others);
      if (lanes[other].brought.word[0] == lane.brought.word[0]) lane.taken.word[0] |= std::uint64_t{1} << other;
    }
  }
}

static void reduce(Operation operation, unsigned arrived, ThreadState* lanes) {
  std::uint64_t common = 0;
  for (unsigned left = arrived; left; left &= left - 1) {
    const int i = std::countr_zero(left);
    const std::uint64_t brought = lanes[i].brought.word[0];
    if (operation == Operation::ballot)
      common |= brought << i;
    else
      common = left == arrived ? brought : combined(operation, common, brought); // the first lane's value as it is
  }
  for (unsigned left = arrived; left; left &= left - 1) lanes[std::countr_zero(left)].taken.word[0] = common;
}

/// Gives each lane that has arrived what it takes away.
void BlockRunner::exchange(const Meeting& meeting, ThreadState* lanes) {
  switch (meeting.operation) {
  case Operation::sync: return;
  case Operation::mma: return multiply(lanes);
  case Operation::mma_16x8x4: return multiply_16x8x4(lanes);
  case Operation::shuffle: return shuffle(meeting.arrived, lanes);
  case Operation::match: return match(meeting.arrived, lanes);
  default: return reduce(meeting.operation, meeting.arrived, lanes);
  }
}

} // namespace cuda_on_host
