// corral on a GPU, with nvcc: markers drift through a flow. What they have stays on the device from step to step.
#include <corral/corral.hpp>
#include <corral/device_kernel.cuh>
#include <corral/for_each.cuh>

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

/// A kernel of your own: the quadratic B-spline.
struct Quadratic {
  static constexpr int support = 3;
  static constexpr std::string_view name = "quadratic";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = r < T(0) ? -r : r;
    return a < T(0.5) ? T(0.75) - a * a : a < T(1.5) ? T(0.5) * (T(1.5) - a) * (T(1.5) - a) : T(0);
  }
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    for (int j = 0; j < support; ++j) w[j] = (*this)(r - static_cast<T>(j - 1));
  }
};
CORRAL_DEVICE_KERNEL(Quadratic) // the line that compiles it for the device

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Values on the device. A code of yours hands over pointers of its own.
corral::Array<double> on_device(const std::vector<double>& values) { return {values, corral::Memory::device}; }
corral::Column<double> column(corral::Array<double>& array) { return {array.data(), array.size()}; }

/// What every marker does in a step: an object with device pointers inside.
struct Drift {
  double *x, *y;
  const double *u, *v;
  double dt;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    x[i] += dt * u[i];
    y[i] += dt * v[i];
  }
};

/// What is added up.
struct Value {
  const double* value;
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return value[i]; }
};
struct Square {
  const double* value;
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return value[i] * value[i]; }
};

int main() try {
  using namespace corral;
  const Axis axis{24, 0.0, 1.0 / 24, Boundary::periodic, Boundary::periodic};
  const Grid grid({axis, axis, axis});
  const std::int64_t n = 20'000;

  // A vortex, each component on its faces, and markers all over it.
  const double k = 2 * 3.141592653589793;
  std::vector<double> u, v;
  for (int z = 0; z < 24; ++z)
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 24; ++x) {
        u.push_back(std::sin(k * x / 24) * std::cos(k * (y + 0.5) / 24));
        v.push_back(-std::cos(k * (x + 0.5) / 24) * std::sin(k * y / 24));
      }
  const double step_of[3] = {0.8191725134, 0.6710436067, 0.5497004779};
  std::vector<double> at[3];
  for (std::int64_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) at[d].push_back(std::fmod(step_of[d] * double(i + 1), 1.0));
  Array<double> flow_u = on_device(u), flow_v = on_device(v);
  Array<double> x = on_device(at[0]), y = on_device(at[1]), z = on_device(at[2]), mass(n, 0.5, Memory::device);
  Array<double> seen_u(n, 0.0, Memory::device), seen_v(n, 0.0, Memory::device), density(flow_u.size(), 0.0, Memory::device);

  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  const Gpu gpu{stream};
  CellOrder<double> order(grid, {Offset::zero, Offset::zero, Offset::zero}); // for kernels of an odd number of points
  for (int step = 0; step < 10; ++step) {
    order.sort(gpu, positions(x.data(), y.data(), z.data(), n));
    order.reorder(gpu, column(x), column(y), column(z), column(mass));
    interpolate(gpu, order, Quadratic{},
                {{field_view<const double>(grid, flow_u.data(), Staggering::face_x), column(seen_u)},
                 {field_view<const double>(grid, flow_v.data(), Staggering::face_y), column(seen_v)}});
    for_each(gpu, n, Drift{x.data(), y.data(), seen_u.data(), seen_v.data(), 0.01});
  }
  order.sort(gpu, positions(x.data(), y.data(), z.data(), n));
  spread(gpu, order, Quadratic{}, {{{mass.data(), n}, field_view(grid, density.data(), Staggering::centre)}});

  const double total = sum(gpu, density.size(), Value{density.data()}); // waits for the stream, as order.counts() does
  const double speed = sum(gpu, n, Square{seen_u.data()}) / double(n); // a quarter, a little less by the kernel's width
  const SortCounts counts = order.counts();
  check(cudaStreamDestroy(stream));
  std::printf("%lld markers inside, %lld outside; mass %.9g kg of %.9g kg on the grid; mean u^2 %.3f m^2/s^2\n",
              static_cast<long long>(counts.inside), static_cast<long long>(counts.outside), total, 0.5 * double(n),
              speed);
  return std::abs(total - 0.5 * double(n)) < 1e-9 && std::abs(speed - 0.24) < 0.01 ? 0 : 1;
} catch (const std::exception& e) { // corral::Error among them
  std::fprintf(stderr, "on_gpu: %s\n", e.what());
  return 2;
}
