#include "tests/cuda_on_host/runtime/stream.hpp"

#include "tests/cuda_on_host/runtime/block/fiber.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <algorithm>
#include <exception>
#include <optional>

namespace cuda_on_host {

Queue::Queue(bool with_legacy) : with_legacy_(with_legacy), tsan_fiber_(tsan::create_fiber()) {}
Queue::~Queue() { tsan::destroy_fiber(tsan_fiber_); }

void Queue::push(std::function<void()> run, std::vector<Point> after, bool even_if_forgotten) {
  work_.push_back({std::move(run), std::move(after), even_if_forgotten});
  tsan::release(token(submitted_, ++queued_));
}

void Queue::run_one() {
  for (const Point& point : work_.front().after) point.queue->run_to(point.number);
  std::optional<Work> work(std::move(work_.front()));
  work_.pop_front();
  const std::uint64_t number = ++done_;
  std::exception_ptr thrown;
  void* host = tsan::current_fiber();
  tsan::switch_to(tsan_fiber_);
  tsan::acquire(token(submitted_, number));
  for (const Point& point : work->after) point.queue->acquire(point.number);
  try {
    work->run();
  } catch (...) {
    thrown = std::current_exception();
  }
  work.reset(); // here, where its memory was used
  tsan::release(token(finished_, number));
  tsan::switch_to(host);
  if (!thrown) return;
  acquire(number); // before the exception is read
  std::rethrow_exception(thrown);
}

void Queue::run_to(std::uint64_t number) {
  if (done_ >= number || work_.empty()) return;
  const DeviceAccess once; // no code of the host runs in between: one change of protection for all
  while (done_ < number && !work_.empty()) run_one();
}

void Queue::acquire(std::uint64_t number) {
  if (number) tsan::acquire(token(finished_, number));
}

void Queue::forget() {
  while (!work_.empty()) {
    if (work_.front().even_if_forgotten) work_.front().run();
    work_.pop_front();
    ++done_;
  }
}

Streams::Streams() : legacy_(std::make_shared<Queue>(false)) {}

cudaStream_t Streams::create(bool with_legacy) {
  streams_.push_back(std::make_unique<CUstream_st>(std::make_shared<Queue>(with_legacy)));
  return streams_.back().get();
}

std::shared_ptr<Queue> Streams::queue(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return legacy_;
  for (const auto& each : streams_)
    if (each.get() == stream) return each->queue;
  return nullptr;
}

void Streams::destroy(cudaStream_t stream) {
  const auto found =
      std::find_if(streams_.begin(), streams_.end(), [&](const auto& each) { return each.get() == stream; });
  const std::shared_ptr<Queue> queue = (*found)->queue;
  streams_.erase(found);
  synchronize(queue, queue->queued());
}

void Streams::push(const std::shared_ptr<Queue>& queue, std::function<void()> run, std::vector<Point> after,
                   bool even_if_forgotten) {
  // The default stream and those made without cudaStreamNonBlocking wait for each other.
  if (queue->with_legacy()) after.push_back({legacy_, legacy_->queued()});
  if (queue == legacy_)
    for (const auto& each : streams_)
      if (each->queue->with_legacy()) after.push_back({each->queue, each->queue->queued()});
  queue->push(std::move(run), std::move(after), even_if_forgotten);
  if (!configuration().deferred) run_queue(*queue, queue->queued());
}

void Streams::run_queue(Queue& queue, std::uint64_t number) {
  try {
    queue.run_to(number);
  } catch (...) {
    forget();
    throw;
  }
}

void Streams::synchronize(const std::shared_ptr<Queue>& queue, std::uint64_t number) {
  if (queue->wait_for(number)) ++state().statistics.waits;
  run_queue(*queue, number);
  queue->acquire(number);
}

std::vector<Queue*> Streams::in_order() const {
  std::vector<Queue*> queues{legacy_.get()};
  for (const auto& each : streams_) queues.push_back(each->queue.get());
  if (configuration().order == Order::reverse) std::reverse(queues.begin(), queues.end());
  return queues;
}

void Streams::synchronize_all() {
  const std::vector<Queue*> queues = in_order();
  if (configuration().order == Order::random) { // one piece of any queue at a time
    random_ += configuration().seed;
    for (std::vector<Queue*> busy = queues; !busy.empty();) {
      Queue*& any = busy[next_random(random_) % busy.size()];
      run_queue(*any, any->done() + 1);
      if (any->idle()) any = busy.back(), busy.pop_back();
    }
  }
  for (Queue* queue : queues) run_queue(*queue, queue->queued());
  bool waited = false;
  for (Queue* queue : queues) {
    queue->acquire(queue->queued());
    waited |= queue->wait_for(queue->queued());
  }
  state().statistics.waits += waited ? 1 : 0;
}

void Streams::forget() {
  for (Queue* queue : in_order()) queue->forget();
}

} // namespace cuda_on_host
