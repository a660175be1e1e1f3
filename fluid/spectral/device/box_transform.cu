#include "fluid/spectral/device/box_transform.hpp"

#include <corral/error.hpp>
#include <corral/memory.hpp>

#include <cufft.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace corral::fluid::spectral {

namespace {

void check_fft(cufftResult result, const char* what) {
  if (result == CUFFT_SUCCESS) return;
  if (result == CUFFT_ALLOC_FAILED) throw OutOfDeviceMemory();
  throw Error(std::string(what) + " failed on the device (cuFFT says " + std::to_string(static_cast<int>(result)) + ")");
}

class Plan {
public:
  explicit Plan(cufftType type) : type_(type) {
    check_fft(cufftCreate(&handle_), "a plan of Fourier transforms");
    made_ = true;
  }
  ~Plan() {
    if (made_) cufftDestroy(handle_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Bytes that it works in, which are handed to it.
  std::size_t make(const PaddedBox& box, bool walled) {
    check_fft(cufftSetAutoAllocation(handle_, 0), "a plan of Fourier transforms");
    std::size_t bytes = 0;
    // Between walls a layer is a plane of x and z, whose rows are ny rows apart, and the next one begins a row further on.
    std::array<long long, 3> n{box.nz, walled ? box.nx : box.ny, box.nx};
    std::array<long long, 3> values{box.nz, walled ? 2 * box.modes() * box.ny : box.ny, 2 * box.modes()};
    std::array<long long, 3> modes{box.nz, walled ? box.modes() * box.ny : box.ny, box.modes()};
    const long long next_values = walled ? 2 * box.modes() : box.size(), next_modes = next_values / 2;
    const bool forward = type_ == CUFFT_D2Z;
    check_fft(cufftMakePlanMany64(handle_, walled ? 2 : 3, n.data(), (forward ? values : modes).data(), 1,
                                  forward ? next_values : next_modes, (forward ? modes : values).data(), 1,
                                  forward ? next_modes : next_values, type_, walled ? box.ny : 1, &bytes),
              "a plan of Fourier transforms");
    return bytes;
  }
  void work_in(void* memory) { check_fft(cufftSetWorkArea(handle_, memory), "a plan of Fourier transforms"); }
  void run(Gpu gpu, double* field) {
    check_fft(cufftSetStream(handle_, gpu.stream), "a Fourier transform");
    auto* const modes = reinterpret_cast<cufftDoubleComplex*>(field);
    check_fft(type_ == CUFFT_D2Z ? cufftExecD2Z(handle_, field, modes) : cufftExecZ2D(handle_, modes, field), "a Fourier transform");
  }

private:
  cufftType type_;
  cufftHandle handle_ = 0;
  bool made_ = false;
};

} // namespace

class BoxTransform::Plans {
public:
  Plan forward{CUFFT_D2Z}, backward{CUFFT_Z2D};
};

BoxTransform::BoxTransform(const BoxLayout& layout)
    : box_{layout.grid.axis(0).cells, layout.grid.axis(1).cells, layout.grid.axis(2).cells}, plans_(std::make_unique<Plans>()) {
  const std::size_t most = std::max(plans_->forward.make(box_, layout.walled), plans_->backward.make(box_, layout.walled));
  work_.resize(std::max<std::int64_t>(1, static_cast<std::int64_t>(most))); // where it needs none, cuFFT is given a place, too
  plans_->forward.work_in(work_.data());
  plans_->backward.work_in(work_.data());
}

BoxTransform::~BoxTransform() = default;

void BoxTransform::forward(Gpu gpu, double* field) { plans_->forward.run(gpu, field); }
void BoxTransform::backward(Gpu gpu, double* field) { plans_->backward.run(gpu, field); }

} // namespace corral::fluid::spectral
