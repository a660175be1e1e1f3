#pragma once

#include "cuda_on_host/configuration.hpp"
#include "cuda_on_host/runtime_api.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace cuda_on_host {

class Queue;

/// A queue's work up to and including one piece.
struct Point {
  std::shared_ptr<Queue> queue;
  std::uint64_t number = 0;
};

/// The work of a stream. Under TSan it runs as a fiber of its own, ordered only by what orders streams on a device:
/// a host that doesn't wait before it reads is a race, and so are two streams without an event between them.
class Queue {
public:
  explicit Queue(bool with_legacy);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void push(std::function<void()> run, std::vector<Point> after, bool even_if_forgotten);
  /// Runs the work up to that piece, and first what it must come after. Throws what a piece throws.
  void run_to(std::uint64_t number);
  /// Orders the caller behind that piece, which has been run.
  void acquire(std::uint64_t number);
  /// Drops what has not run, but for frees.
  void forget();

  std::uint64_t queued() const { return queued_; }
  bool idle() const { return work_.empty(); }
  std::uint64_t done() const { return done_; }
  bool with_legacy() const { return with_legacy_; }
  /// The host waits for that piece: false where it has done so before.
  bool wait_for(std::uint64_t number) { return number > waited_ ? waited_ = number, true : false; }

private:
  struct Work {
    std::function<void()> run;
    std::vector<Point> after;
    bool even_if_forgotten;
  };
  static constexpr std::uint64_t token_count = 64;
  void run_one();
  void* token(std::uint64_t* tokens, std::uint64_t number) { return &tokens[number % token_count]; }

  bool with_legacy_; ///< waits for the default stream, which waits for it
  std::uint64_t queued_ = 0, done_ = 0, waited_ = 0;
  std::deque<Work> work_;
  void* tsan_fiber_;
  std::uint64_t submitted_[token_count]{}, finished_[token_count]{};
};

/// All streams. The default one (legacy) is a queue of its own.
class Streams {
public:
  Streams();
  cudaStream_t create(bool with_legacy);
  /// Throws what the stream's last work throws.
  void destroy(cudaStream_t);
  /// nullptr where there is no such stream.
  std::shared_ptr<Queue> queue(cudaStream_t);

  /// Puts work into a stream; runs it at once unless the configuration defers.
  void push(const std::shared_ptr<Queue>&, std::function<void()> run, std::vector<Point> after = {},
            bool even_if_forgotten = false);
  void synchronize(const std::shared_ptr<Queue>&, std::uint64_t number);
  void synchronize_all();
  void forget();

private:
  std::vector<Queue*> in_order() const;
  void run_queue(Queue&, std::uint64_t number);

  std::shared_ptr<Queue> legacy_;
  std::vector<std::unique_ptr<CUstream_st>> streams_;
  std::uint64_t random_ = 0;
};

} // namespace cuda_on_host

struct CUstream_st {
  std::shared_ptr<cuda_on_host::Queue> queue;
};

struct CUevent_st {
  cuda_on_host::Point point; ///< where it was recorded
  bool timed = true;
  std::shared_ptr<std::chrono::steady_clock::time_point> passed;
};
