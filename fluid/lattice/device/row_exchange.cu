#include "fluid/lattice/device/row_exchange.hpp"

#include "fluid/lattice/device/on_device.cuh"

#include <corral/for_each.cuh>
#include <corral/for_each.hpp>

#include <algorithm>
#include <atomic>

namespace corral::fluid {

namespace {

using corral::detail::check_cuda;

/// A thread a cell: between the three components of fields and a part's place in packed memory.
struct CopyRows {
  const RowPart* parts;
  const std::uint32_t* first; ///< of a part's cells
  std::int64_t longest, cells_of_a_row, cells;
  ConstFacePointers from; ///< fields, or null: packed memory
  FacePointers to;
  const double* packed;
  double* pack;

  CORRAL_HOST_DEVICE void operator()(std::int64_t thread) const {
    const RowPart part = parts[thread / longest];
    const std::int64_t k = thread % longest;
    if (part.begin + k >= part.end) return;
    const std::int64_t cell = part.row * cells_of_a_row + part.begin + k, at = first[thread / longest] + k;
    for (int d = 0; d < 3; ++d) {
      if (pack) pack[d * cells + at] = from[d][cell];
      else to[d][cell] = packed[d * cells + at];
    }
  }
};

} // namespace

class RowExchange::Parts {
public:
  Parts() { check_cuda(cudaEventCreateWithFlags(&taken_, cudaEventDisableTiming), "making an event"); }
  ~Parts() {
    cudaEventSynchronize(taken_);
    cudaEventDestroy(taken_);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void set(Gpu gpu, RowParts parts, std::int64_t cells_of_a_row) {
    cells_of_a_row_ = cells_of_a_row;
    if (device_parts_.holds(parts)) return;
    host_parts_.assign(parts.begin(), parts.end());
    first_.clear();
    cells_ = 0;
    longest_ = 1;
    for (const RowPart& part : parts) {
      first_.push_back(static_cast<std::uint32_t>(cells_));
      cells_ += part.end - part.begin;
      longest_ = std::max(longest_, part.end - part.begin);
    }
    device_parts_.update(gpu, parts);
    device_first_.update(gpu, first_);
    for (Array<double>* pinned : {&in_, &out_}) pinned->resize(3 * cells_);
    packed_.renew(3 * cells_, gpu.stream);
  }
  std::int64_t cells() const { return cells_; }

  void to_host(Gpu gpu, const ConstFacePointers& device, const FacePointers& host) {
    if (cells_ == 0) return;
    CopyRows copy = on_device();
    copy.from = device;
    copy.pack = packed_.data();
    for_each(gpu, std::ssize(host_parts_) * longest_, copy);
    check_cuda(cudaMemcpyAsync(in_.data(), packed_.data(), bytes(), cudaMemcpyDeviceToHost, gpu.stream), "a copy of rows");
    check_cuda(cudaStreamSynchronize(gpu.stream), "a copy of rows");
    for_each_part([&](std::int64_t cell, std::int64_t at, std::int64_t n) {
      for (std::size_t d = 0; d < 3; ++d) std::copy_n(in_.data() + static_cast<std::int64_t>(d) * cells_ + at, n, host[d] + cell);
    });
  }

  bool to_device(Gpu gpu, const ConstFacePointers& host, const FacePointers& device, bool unless_zero) {
    if (cells_ == 0) return false;
    check_cuda(cudaEventSynchronize(taken_), "a copy of rows"); // what stood here before is on the device
    std::atomic<bool> all_zero = true;
    for_each_part([&](std::int64_t cell, std::int64_t at, std::int64_t n) {
      bool zero = true;
      for (std::size_t d = 0; d < 3; ++d) {
        const double* const from = host[d] + cell;
        std::copy_n(from, n, out_.data() + static_cast<std::int64_t>(d) * cells_ + at);
        zero = zero && std::all_of(from, from + n, [](double value) { return value == 0; });
      }
      if (!zero) all_zero.store(false, std::memory_order_relaxed);
    });
    if (unless_zero && all_zero) return false;
    check_cuda(cudaMemcpyAsync(packed_.data(), out_.data(), bytes(), cudaMemcpyHostToDevice, gpu.stream), "a copy of rows");
    check_cuda(cudaEventRecord(taken_, gpu.stream), "a copy of rows");
    CopyRows copy = on_device();
    copy.to = device;
    copy.packed = packed_.data();
    for_each(gpu, std::ssize(host_parts_) * longest_, copy);
    return true;
  }

private:
  std::size_t bytes() const { return static_cast<std::size_t>(3 * cells_) * sizeof(double); }
  CopyRows on_device() const {
    return {device_parts_.data(), device_first_.data(), longest_, cells_of_a_row_, cells_, {}, {}, nullptr, nullptr};
  }
  /// f(first cell, its place in packed memory, how many), in parallel.
  template <class F> void for_each_part(F f) const {
    constexpr std::int64_t at_once = 256; // some thousand cells
    for_each_chunk(Cpu{}, std::ssize(host_parts_), at_once, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        const RowPart& part = host_parts_[static_cast<std::size_t>(p)];
        f(part.row * cells_of_a_row_ + part.begin, std::int64_t{first_[static_cast<std::size_t>(p)]}, part.end - part.begin);
      }
    });
  }

  std::vector<RowPart> host_parts_;
  std::vector<std::uint32_t> first_;
  std::int64_t cells_ = 0, longest_ = 1, cells_of_a_row_ = 0;
  lattice::Mirror<RowPart> device_parts_;
  lattice::Mirror<std::uint32_t> device_first_;
  Array<double> packed_{Memory::device}, in_{Memory::pinned}, out_{Memory::pinned};
  cudaEvent_t taken_ = nullptr; ///< what stands in out_ has been copied
};

RowExchange::RowExchange() : parts_(std::make_unique<Parts>()) {}
RowExchange::~RowExchange() = default;
RowExchange::RowExchange(RowExchange&&) noexcept = default;
RowExchange& RowExchange::operator=(RowExchange&&) noexcept = default;

void RowExchange::set(Gpu gpu, RowParts parts, std::int64_t cells_of_a_row) { parts_->set(gpu, parts, cells_of_a_row); }
std::int64_t RowExchange::cells() const { return parts_->cells(); }
void RowExchange::to_host(Gpu gpu, const ConstFacePointers& device, const FacePointers& host) {
  parts_->to_host(gpu, device, host);
}
void RowExchange::to_device(Gpu gpu, const ConstFacePointers& host, const FacePointers& device) {
  parts_->to_device(gpu, host, device, false);
}
bool RowExchange::to_device_unless_zero(Gpu gpu, const ConstFacePointers& host, const FacePointers& device) {
  return parts_->to_device(gpu, host, device, true);
}

} // namespace corral::fluid
