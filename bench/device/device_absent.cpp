/// What the benchmark's device comes to in a build without CUDA.

#include "bench/device/device.hpp"

#include <corral/error.hpp>

namespace corral::bench {

namespace {
[[noreturn]] void refuse() {
  throw Error("a benchmark on the GPU (this corral was built without CUDA) take --backend cpu, or build corral where "
              "nvcc is");
}
} // namespace

void require_device() { refuse(); }
std::string device_name() { refuse(); }
bool device_works() { refuse(); }

double seconds_on_device(const std::function<void()>&) { refuse(); }

std::int64_t stream_sums() { refuse(); }
template <class T> void read_columns_on_device(const std::array<const T*, 6>&, std::int64_t, T*) { refuse(); }
template void read_columns_on_device(const std::array<const float*, 6>&, std::int64_t, float*);
template void read_columns_on_device(const std::array<const double*, 6>&, std::int64_t, double*);

std::vector<Ceiling> measure_ceilings(std::int64_t) { refuse(); }

} // namespace corral::bench
