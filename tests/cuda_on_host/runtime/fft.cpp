#include "cufft.h"
#include "cuda_on_host/cub_device.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <kissfft.hh>

#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// cuFFT's calls. A plan copies what it transforms into rows of complex numbers, transforms these axis by axis, and copies back.

using namespace cuda_on_host;

namespace {

using Complex = std::complex<double>;

/// Where the values of one side of a plan lie, in its own units: reals or complex numbers.
struct Places {
  std::vector<long long> embed;
  long long stride = 1, next = 0;

  /// Of a point of one transform, its place along the last axis included.
  long long operator()(const std::vector<long long>& at, long long batch) const {
    long long place = 0;
    for (std::size_t a = 0; a < at.size(); ++a) place = place * embed[a] + at[a];
    return batch * next + place * stride;
  }
};

struct Plan {
  bool made = false, automatic = true;
  std::vector<long long> n;
  Places in, out;
  cufftType type = CUFFT_D2Z;
  long long batch = 1;
  std::size_t needed = 0;
  void* work = nullptr;
  cudaStream_t stream = nullptr;

  const Places& reals() const { return type == CUFFT_D2Z ? in : out; }
  const Places& modes() const { return type == CUFFT_D2Z ? out : in; }
  long long kept() const { return n.back() / 2 + 1; }
  long long rows() const { // of one transform
    long long all = 1;
    for (std::size_t a = 0; a + 1 < n.size(); ++a) all *= n[a];
    return all;
  }
  std::vector<long long> row(long long r) const { // where it begins
    std::vector<long long> at(n.size(), 0);
    for (std::size_t a = n.size() - 1; a-- > 0; r /= n[a]) at[a] = r % n[a];
    return at;
  }
};

std::map<cufftHandle, Plan>& plans() {
  static std::map<cufftHandle, Plan> all;
  return all;
}

Plan* find(cufftHandle handle) {
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : &found->second;
}

/// Of numbers in so many rows, along one axis, in place.
void transform_lines(const std::vector<long long>& sizes, std::size_t axis, bool inverse, std::vector<Complex>& all) {
  const auto n = static_cast<std::size_t>(sizes[axis]);
  std::size_t stride = 1;
  for (std::size_t a = axis + 1; a < sizes.size(); ++a) stride *= static_cast<std::size_t>(sizes[a]);
  const kissfft<double> line(n, inverse);
  std::vector<Complex> from(n), to(n);
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (first / stride % n != 0) continue;
    for (std::size_t i = 0; i < n; ++i) from[i] = all[first + i * stride];
    if (n == 1) to = from;
    else line.transform(from.data(), to.data());
    for (std::size_t i = 0; i < n; ++i) all[first + i * stride] = to[i];
  }
}

void forward(const Plan& p, long long batch, const double* in, Complex* out) {
  std::vector<Complex> all;
  for (long long r = 0; r < p.rows(); ++r) {
    std::vector<long long> at = p.row(r);
    for (at.back() = 0; at.back() < p.n.back(); ++at.back()) all.emplace_back(in[p.reals()(at, batch)]);
  }
  for (std::size_t a = p.n.size(); a-- > 0;) transform_lines(p.n, a, false, all);
  for (long long r = 0; r < p.rows(); ++r) {
    std::vector<long long> at = p.row(r);
    for (at.back() = 0; at.back() < p.kept(); ++at.back())
      out[p.modes()(at, batch)] = all[static_cast<std::size_t>(r * p.n.back() + at.back())];
  }
}

/// As cuFFT and others it takes the modes that are not kept from those that are, and of a row whose mode is its own partner's
/// the real part alone.
void backward(const Plan& p, long long batch, const Complex* in, double* out) {
  std::vector<Complex> half;
  for (long long r = 0; r < p.rows(); ++r) {
    std::vector<long long> at = p.row(r);
    for (at.back() = 0; at.back() < p.kept(); ++at.back()) half.push_back(in[p.modes()(at, batch)]);
  }
  std::vector<long long> sizes = p.n;
  sizes.back() = p.kept();
  for (std::size_t a = 0; a + 1 < sizes.size(); ++a) transform_lines(sizes, a, true, half);
  const long long nx = p.n.back();
  std::vector<Complex> row(static_cast<std::size_t>(nx));
  for (long long r = 0; r < p.rows(); ++r) {
    const Complex* const of_row = half.data() + r * p.kept();
    for (long long m = 0; m < nx; ++m) {
      const bool own = m == 0 || 2 * m == nx;
      row[static_cast<std::size_t>(m)] = own ? Complex(of_row[m].real()) : m < p.kept() ? of_row[m] : std::conj(of_row[nx - m]);
    }
    transform_lines({nx}, 0, true, row);
    std::vector<long long> at = p.row(r);
    for (at.back() = 0; at.back() < nx; ++at.back()) out[p.reals()(at, batch)] = row[static_cast<std::size_t>(at.back())].real();
  }
}

cufftResult result_of(cudaError_t error) { return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED; }

/// Queues all transforms of a plan.
cufftResult execute(cufftHandle handle, cufftType type, void* in, void* out) {
  Plan* const plan = find(handle);
  if (!plan || !plan->made || plan->type != type || !plan->work) return CUFFT_INVALID_PLAN;
  const char* const name = type == CUFFT_D2Z ? "cufftExecD2Z" : "cufftExecZ2D";
  for (const void* memory : {in, out}) {
    if (reinterpret_cast<std::uintptr_t>(memory) % sizeof(Complex) != 0) return CUFFT_UNALIGNED_DATA;
    check_cub_pointer(name, memory);
  }
  std::vector<long long> last = plan->row(plan->rows() - 1);
  last.back() = plan->kept() - 1;
  const auto bytes = static_cast<std::size_t>(plan->modes()(last, plan->batch - 1) + 1) * sizeof(Complex);
  if (!state().device.covers(type == CUFFT_D2Z ? out : in, bytes))
    throw Error(std::string(name) + ": its modes reach beyond an allocation");
  ++state().statistics.transforms;
  std::size_t given = plan->needed;
  return result_of(cub_call(name, plan->work, given, plan->needed, plan->stream, [p = *plan, in, out] {
    for (long long b = 0; b < p.batch; ++b)
      if (p.type == CUFFT_D2Z) forward(p, b, static_cast<const double*>(in), static_cast<Complex*>(out));
      else backward(p, b, static_cast<const Complex*>(in), static_cast<double*>(out));
  }));
}

} // namespace

cufftResult cufftCreate(cufftHandle* plan) {
  static int count = 0;
  return result_of(call([&] {
    plans()[*plan = ++count] = {};
    return cudaSuccess;
  }));
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
  Plan* const plan = find(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  plan->automatic = automatic != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed, long long istride, long long idist,
                                long long* onembed, long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* bytes) {
  Plan* const plan = find(handle);
  if (!plan || plan->made || plan->automatic) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || !inembed || !onembed || batch < 1) return CUFFT_INVALID_VALUE;
  plan->n.assign(n, n + rank);
  for (const long long length : plan->n)
    if (length < 1) return CUFFT_INVALID_SIZE;
  plan->in = {{inembed, inembed + rank}, istride, idist};
  plan->out = {{onembed, onembed + rank}, ostride, odist};
  plan->type = type;
  plan->batch = batch;
  // What cuFFT takes for products of small primes is as much as the modes, at least.
  plan->needed = static_cast<std::size_t>(batch * plan->rows() * plan->kept()) * sizeof(Complex);
  return result_of(call([&] {
    *bytes = plan->needed;
    plan->made = true;
    return cudaSuccess;
  }));
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* memory) {
  Plan* const plan = find(handle);
  if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
  if (!state().device.covers(memory, plan->needed)) throw Error("cufftSetWorkArea: not as much device memory as is needed");
  plan->work = memory;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan* const plan = find(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) { return execute(plan, CUFFT_D2Z, in, out); }
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) { return execute(plan, CUFFT_Z2D, in, out); }

cufftResult cufftDestroy(cufftHandle plan) { return plans().erase(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
