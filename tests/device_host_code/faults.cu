/// Calls that no device lets pass, each by a name: what the stand-in must tell.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

/// An entry that is registered (runtime.cu).
extern "C" const void* corral_stand_in_entry();

namespace {

void launch(const void* entry, unsigned blocks, unsigned threads, std::size_t shared) {
  void* argument = nullptr;
  cudaLaunchConfig_t config{};
  config.gridDim = {blocks, 1, 1};
  config.blockDim = {threads, 1, 1};
  config.dynamicSmemBytes = shared;
  (void)cudaLaunchKernelExC(&config, entry, &argument);
}

} // namespace

extern "C" void corral_stand_in_fault(const char* name) {
  static const char no_entry = 0;
  const std::string_view fault = name;
  if (fault == "entry") launch(&no_entry, 1, 1, 0);
  if (fault == "threads") launch(corral_stand_in_entry(), 1, 2048, 0);
  if (fault == "blocks") launch(corral_stand_in_entry(), 0, 32, 0);
  if (fault == "shared") launch(corral_stand_in_entry(), 1, 32, 100'000);
  double number = 0;
  if (fault == "memory") (void)cudaMemcpy(&number, &number, sizeof number, cudaMemcpyDeviceToHost);
}
