/// What a state on a device comes to in a build without CUDA.

#include "run/device/not_finite.hpp"
#include "run/device/timeline.hpp"

#include <corral/error.hpp>

namespace corral::run {

namespace {
[[noreturn]] void refuse() { throw Error("a state on a device (this corral was built without CUDA) build corral where nvcc is"); }
} // namespace

std::optional<NotFiniteScan::Place> NotFiniteScan::first(Gpu, std::span<const Values>) { refuse(); }
std::unique_ptr<Phases::Timeline> device_timeline(Gpu) { refuse(); }

} // namespace corral::run
