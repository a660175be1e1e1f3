#include "run/device/timeline.hpp"

#include <corral/device_code.cuh>

#include <array>
#include <cstddef>

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

  Gpu gpu_;
  std::array<Moment, 512> ring_{};
  std::size_t first_ = 0, pending_ = 0;
  bool failed_ = false; ///< the device has: who calls it next says so
};

} // namespace

std::unique_ptr<Phases::Timeline> device_timeline(Gpu gpu) { return std::make_unique<DeviceTimeline>(gpu); }

} // namespace corral::run
