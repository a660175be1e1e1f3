/// A stand-in of the CUDA runtime, of cuFFT and of cuBLAS for the host code that nvcc makes, on machines without a device: memory of the
/// device is the host's, copies are made, and launches, transforms and products are recorded but not run. What only a device would tell is
/// told at the call: an entry that is not registered, a launch that no device takes, a pointer that is no memory of its kind.

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

constexpr std::size_t usual_shared = 48 * 1024, most_shared = 227 * 1024; ///< of a block [bytes]

struct Launches {
  long count = 0;
  std::size_t most_threads = 0;
  void operator+=(const Launches& more) {
    count += more.count;
    most_threads = std::max(most_threads, more.most_threads);
  }
};

struct Entry {
  std::string name;
  int most_dynamic = usual_shared;
  Launches launches{};
};

/// Of transforms, as it was made.
struct Plan {
  cufftType type = CUFFT_D2Z;
  std::size_t reach = 0, work = 0; ///< of its modes from their first on; of what it works in [bytes]
  void* memory = nullptr;
};

struct State {
  std::mutex mutex;
  std::map<cufftHandle, Plan> plans;
  std::map<const void*, Entry> entries; ///< by the address that host code launches
  std::map<const char*, std::size_t> device, pinned;
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

State& state() {
  static auto* const all = new State; // modules register before main, and unregister behind it
  return *all;
}

[[noreturn]] void fault(const char* what, ...) {
  std::va_list arguments;
  va_start(arguments, what);
  std::fputs("stand-in of the CUDA runtime: ", stderr);
  std::vfprintf(stderr, what, arguments);
  std::fputc('\n', stderr);
  std::_Exit(70);
}

/// Inside one allocation of the map.
bool covers(const std::map<const char*, std::size_t>& memory, const void* p, std::size_t bytes) {
  const auto* at = static_cast<const char*>(p);
  auto next = memory.upper_bound(at);
  if (next == memory.begin()) return false;
  --next;
  return at + bytes <= next->first + next->second;
}

bool inside_any(const void* p) { return covers(state().device, p, 0); }

cudaError_t take(std::map<const char*, std::size_t>& memory, void** p, std::size_t bytes) {
  const std::lock_guard lock(state().mutex);
  *p = bytes > 0 ? std::calloc(bytes + 64, 1) : nullptr; // a place behind it is never another's
  if (*p) memory[static_cast<const char*>(*p)] = bytes;
  return bytes == 0 || *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t give_back(std::map<const char*, std::size_t>& memory, void* p) {
  const std::lock_guard lock(state().mutex);
  if (!p) return cudaSuccess;
  if (memory.erase(static_cast<const char*>(p)) == 0) fault("memory is given back that was not taken (%p)", p);
  std::free(p);
  return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const std::lock_guard lock(state().mutex);
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto check = [&](const void* p, bool of_device) {
    if (kind == cudaMemcpyDefault && !inside_any(p)) return;
    if (kind == cudaMemcpyDefault || of_device ? !covers(state().device, p, bytes) : inside_any(p))
      fault("a copy of %zu bytes, kind %d, with %p, which is not that memory", bytes, static_cast<int>(kind), p);
  };
  if (bytes == 0) return cudaSuccess;
  check(to, to_device);
  check(from, from_device);
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

/// The value of an argument of a launch.
template <class T> T argument(void** arguments, int number) { return *static_cast<T*>(arguments[number]); }

/// What a sort finds, as if all particles lay in the first cell: without it steps would end there.
void play(const std::string& name, void** arguments) {
  if (name.find("begin_global") != std::string::npos) { // groups and ends, particles, keys, begins
    auto* const begin = argument<std::uint32_t*>(arguments, 3);
    const auto n = static_cast<std::uint32_t>(argument<std::int64_t>(arguments, 1));
    for (std::uint32_t g = 1; g < argument<std::uint32_t>(arguments, 0); ++g) begin[g] = n;
  }
  if (name.find("count_global") != std::string::npos) // particles, keys, groups, ends
    std::fill_n(argument<std::uint32_t*>(arguments, 3), 3, static_cast<std::uint32_t>(argument<std::int64_t>(arguments, 0)));
}

cudaError_t launch(const void* entry, dim3 grid, dim3 block, void** arguments, std::size_t shared) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = s.entries.find(entry);
  if (found == s.entries.end()) fault("a launch of %p, which is no entry", entry);
  const char* name = found->second.name.c_str();
  const unsigned long threads = 1UL * block.x * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 2147483647U || grid.y > 65535 || grid.z > 65535)
    fault("a launch of %s with %u x %u x %u blocks", name, grid.x, grid.y, grid.z);
  if (threads == 0 || threads > 1024 || block.z > 64) fault("a launch of %s with %lu threads a block", name, threads);
  if (shared > static_cast<std::size_t>(found->second.most_dynamic))
    fault("a launch of %s with %zu bytes of shared memory, of %d that it may have", name, shared, found->second.most_dynamic);
  if (!arguments) fault("a launch of %s without arguments", name);
  found->second.launches += {1, threads * grid.x * grid.y * grid.z};
  play(found->second.name, arguments);
  return cudaSuccess;
}

/// Transforms of a plan, which has what it needs, of memory of the device.
cufftResult transform(cufftHandle plan, cufftType type, const void* modes) {
  const std::lock_guard lock(state().mutex);
  const auto found = state().plans.find(plan);
  if (found == state().plans.end() || found->second.reach == 0 || found->second.type != type) fault("a transform without its plan");
  if (!covers(state().device, found->second.memory, found->second.work)) fault("a transform without memory to work in");
  if (!covers(state().device, modes, found->second.reach)) fault("a transform of %zu bytes at %p, which are not all the device's", found->second.reach, modes);
  if (reinterpret_cast<std::uintptr_t>(modes) % 16 != 0) fault("a transform at %p, which is not aligned", modes);
  return CUFFT_SUCCESS;
}

/// Entries in the order of their names, where a file is asked for: how often each was launched, by how many threads at most.
void write_launches() {
  const char* path = std::getenv("CORRAL_STAND_IN_LAUNCHES");
  std::FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  std::map<std::string, Launches> all;
  for (const auto& [address, entry] : state().entries) all[entry.name] += entry.launches;
  for (const auto& [name, launches] : all) std::fprintf(file, "%ld %zu %s\n", launches.count, launches.most_threads, name.c_str());
  std::fclose(file);
}
const int at_the_end = std::atexit(write_launches);

} // namespace

struct CUevent_st {};
struct CUstream_st {};
struct CUmemPoolHandle_st {};

extern "C" {

// What nvcc's code says of itself.
void** __cudaRegisterFatBinary(void* binary) { return new void*(binary); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) { delete handle; }
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  state().entries[host] = {name};
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* entry) {
  if (!state().entries.contains(entry)) fault("an entry %p that is not registered", entry);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(entry));
  return cudaSuccess;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  state().grid = grid, state().block = block, state().shared = shared, state().stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = state().grid, *block = state().block, *shared = state().shared;
  *static_cast<cudaStream_t*>(stream) = state().stream;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t) {
  return launch(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* entry, void** arguments) {
  return launch(entry, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes);
}

// Entries.
const void* corral_stand_in_entry() { return state().entries.begin()->first; } ///< any
cudaError_t cudaFuncSetAttribute(const void* entry, cudaFuncAttribute attribute, int value) {
  const auto found = state().entries.find(entry);
  if (found == state().entries.end()) return cudaErrorInvalidDeviceFunction;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > static_cast<int>(most_shared)) return cudaErrorInvalidValue;
  found->second.most_dynamic = value;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* entry) {
  if (!state().entries.contains(entry)) return cudaErrorInvalidDeviceFunction;
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 64;
  attributes->binaryVersion = attributes->ptxVersion = 90;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* entry, int threads, std::size_t shared,
                                                                   unsigned) {
  if (!state().entries.contains(entry)) return cudaErrorInvalidDeviceFunction;
  *blocks = std::max(1, std::min(2048 / std::max(threads, 1), static_cast<int>(most_shared / (shared + 1024))));
  return cudaSuccess;
}

// The device: one, of compute capability 9.0.
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "stand-in without arithmetic");
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->totalGlobalMem = std::size_t{140} << 30;
  properties->sharedMemPerBlockOptin = most_shared;
  properties->maxThreadsPerBlock = 1024;
  properties->l2CacheSize = 50 << 20;
  properties->warpSize = 32;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
  case cudaDevAttrMultiProcessorCount: *value = 132; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = most_shared; break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = 228 * 1024; break;
  case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
  case cudaDevAttrL2CacheSize: *value = 50 << 20; break;
  case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
  default: fault("attribute %d of a device, which the stand-in does not know", static_cast<int>(attribute));
  }
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "refused by the stand-in"; }

// Memory.
cudaError_t cudaMalloc(void** p, std::size_t bytes) { return take(state().device, p, bytes); }
cudaError_t cudaFree(void* p) { return give_back(state().device, p); }
cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return take(state().pinned, p, bytes); }
cudaError_t cudaFreeHost(void* p) { return give_back(state().pinned, p); }
cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t, cudaStream_t) { return take(state().device, p, bytes); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return give_back(state().device, p); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) { return *pool = new CUmemPoolHandle_st, cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return *free = *total = std::size_t{140} << 30, cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) { return copy(to, from, bytes, kind); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return copy(to, from, bytes, kind);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t) {
  if (bytes > 0 && !covers(state().device, p, bytes)) fault("%zu bytes at %p are set, which are no memory of the device", bytes, p);
  if (bytes > 0) std::memset(p, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  *attributes = {};
  attributes->type = inside_any(p) ? cudaMemoryTypeDevice : covers(state().pinned, p, 0) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

// Transforms.
cufftResult cufftCreate(cufftHandle* plan) {
  const std::lock_guard lock(state().mutex);
  static cufftHandle count = 0;
  state().plans[*plan = ++count] = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle, int automatic) { return automatic == 0 ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE; }
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* in, long long istride, long long inext,
                                long long* out, long long ostride, long long onext, cufftType type, long long batch, size_t* work) {
  const std::lock_guard lock(state().mutex);
  const long long *const embed = type == CUFFT_D2Z ? out : in, stride = type == CUFFT_D2Z ? ostride : istride,
                          next = type == CUFFT_D2Z ? onext : inext;
  long long last = 0, points = batch;
  for (int a = 0; a < rank; ++a) {
    const long long kept = a + 1 < rank ? n[a] : n[a] / 2 + 1;
    if (kept < 1 || kept > embed[a]) fault("a plan of %lld modes in %lld places", kept, embed[a]);
    last = last * embed[a] + kept - 1;
    points *= kept;
  }
  if (batch < 1) fault("a plan of %lld transforms", batch);
  Plan& made = state().plans.at(plan);
  made = {type, static_cast<std::size_t>(last * stride + (batch - 1) * next + 1) * 16, static_cast<std::size_t>(points) * 16, nullptr};
  *work = made.work;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle plan, void* memory) { return state().plans.at(plan).memory = memory, CUFFT_SUCCESS; }
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t) { return state().plans.contains(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* values, cufftDoubleComplex* modes) {
  return static_cast<void*>(values) == modes ? transform(plan, CUFFT_D2Z, modes) : CUFFT_INVALID_VALUE;
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* modes, cufftDoubleReal* values) {
  return static_cast<void*>(values) == modes ? transform(plan, CUFFT_Z2D, modes) : CUFFT_INVALID_VALUE;
}
cufftResult cufftDestroy(cufftHandle plan) { return state().plans.erase(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

// Products of matrices of columns.
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) { return *handle = reinterpret_cast<cublasHandle_t>(new char), CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) { return delete reinterpret_cast<char*>(handle), CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const double*,
                              const double* a, int lda, const double* b, int ldb, const double*, double* c, int ldc) {
  const std::lock_guard lock(state().mutex);
  const auto check = [](const char* which, const double* first, int rows, int columns, int stride) {
    if (rows < 1 || columns < 1 || stride < rows) fault("a product with %d x %d numbers of %s, %d apart", rows, columns, which, stride);
    const auto reach = (static_cast<std::size_t>(stride) * (static_cast<std::size_t>(columns) - 1) + static_cast<std::size_t>(rows)) * sizeof(double);
    if (!covers(state().device, first, reach)) fault("a product with %s at %p, which is not all the device's", which, static_cast<const void*>(first));
  };
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  check("a", a, of_a == CUBLAS_OP_N ? m : k, of_a == CUBLAS_OP_N ? k : m, lda);
  check("b", b, of_b == CUBLAS_OP_N ? k : n, of_b == CUBLAS_OP_N ? n : k, ldb);
  check("c", c, m, n, ldc);
  return CUBLAS_STATUS_SUCCESS;
}

// Streams and events: all is done when a call returns.
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) { return event ? cudaSuccess : cudaErrorInvalidResourceHandle; }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return event ? cudaSuccess : cudaErrorInvalidResourceHandle; }
cudaError_t cudaEventQuery(cudaEvent_t event) { return event ? cudaSuccess : cudaErrorInvalidResourceHandle; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) { return *milliseconds = 0, cudaSuccess; }

} // extern "C"
