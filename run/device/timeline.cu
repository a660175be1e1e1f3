#include "run/device/timeline.hpp"

#include <corral/array.hpp>
#include <corral/device_code.cuh>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace corral::run {

namespace {

/// Moments stand in a ring: from each to the next the time counts to what the former says.
class DeviceTimeline final : public Phases::Timeline {
public:
  explicit DeviceTimeline(Gpu gpu) : gpu_(gpu) {
    for (Moment& moment : ring_) corral::detail::check_cuda(cudaEventCreate(&moment.event), "making an event");
  }
  ~DeviceTimeline() override {
    for (Moment& moment : ring_) cudaEventDestroy(moment.event);
  }
  DeviceTimeline(const DeviceTimeline&) = delete;
  DeviceTimeline& operator=(const DeviceTimeline&) = delete;

  void count_to(double* seconds) noexcept override {
    if (failed_) return;
    if (pending_ == ring_.size()) add_oldest();
    else if (pending_ > ring_.size() / 2) add_those_that_are_past();
    Moment& moment = at(pending_++);
    moment.seconds = seconds;
    failed_ = cudaEventRecord(moment.event, gpu_.stream) != cudaSuccess;
  }

  void settle() noexcept override {
    if (failed_ || pending_ == 0) return;
    failed_ = cudaEventSynchronize(at(pending_ - 1).event) != cudaSuccess;
    add_those_that_are_past();
  }

  double copy_rate() noexcept override {
    settle();
    if (!failed_ && copy_rate_ == 0) measure_copies();
    return copy_rate_;
  }

private:
  struct Moment {
    cudaEvent_t event = nullptr;
    double* seconds = nullptr;
  };

  Moment& at(std::size_t i) { return ring_[(first_ + i) % ring_.size()]; }

  void add_those_that_are_past() {
    while (!failed_ && pending_ > 1 && cudaEventQuery(at(1).event) == cudaSuccess) add_oldest();
    (void)cudaGetLastError(); // "not ready" is no error of anybody's
  }
  void add_oldest() {
    float milliseconds = 0;
    failed_ = cudaEventSynchronize(at(1).event) != cudaSuccess ||
              cudaEventElapsedTime(&milliseconds, at(0).event, at(1).event) != cudaSuccess;
    if (failed_) return;
    if (at(0).seconds) *at(0).seconds += 1e-3 * static_cast<double>(milliseconds);
    first_ = (first_ + 1) % ring_.size();
    --pending_;
  }

  /// The fastest of some copies, of twice what second caches hold; of less where that is not free.
  void measure_copies() noexcept try {
    std::size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) != cudaSuccess) return;
    const auto bytes = static_cast<std::int64_t>(std::min(std::size_t{1} << 27, free / 4));
    Array<std::uint8_t> from(bytes, Memory::device), to(bytes, Memory::device);
    from.zero();
    const cudaEvent_t begin = ring_[0].event, end = ring_[1].event; // nothing is pending
    for (int repeat = 0; repeat < 5; ++repeat) {
      float milliseconds = 0;
      const bool timed = cudaEventRecord(begin, gpu_.stream) == cudaSuccess &&
                         cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice,
                                         gpu_.stream) == cudaSuccess &&
                         cudaEventRecord(end, gpu_.stream) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
                         cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess;
      if (!timed) return;
      if (milliseconds > 0) copy_rate_ = std::max(copy_rate_, 2e3 * static_cast<double>(bytes) / static_cast<double>(milliseconds));
    }
  } catch (const std::exception&) { // without the memory for it there is no such figure
    copy_rate_ = 0;
  }

  Gpu gpu_;
  double copy_rate_ = 0; ///< [bytes/s]
  std::array<Moment, 512> ring_{};
  std::size_t first_ = 0, pending_ = 0;
  bool failed_ = false; ///< the device has: who calls it next says so
};

} // namespace

std::unique_ptr<Phases::Timeline> device_timeline(Gpu gpu) { return std::make_unique<DeviceTimeline>(gpu); }

} // namespace corral::run
