/// Volumes of bodies' points on a device.

#include "structure/bodies/pair_volumes.hpp"

#include "structure/bodies/point_pairs.hpp"
#include "structure/bodies/point_volumes.hpp"

#include <corral/for_each.cuh>
#include <corral/kernel_weights.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace corral::structure {

namespace {

constexpr int solve_threads = 512;    ///< of a block, which has a body
constexpr std::int64_t vector = 16;   ///< what evaluators write at once

/// Along each axis: where a point's stencil begins, and where the point is within its cell.
struct SetPlaces {
  struct Along {
    const double* x;
    Axis axis;
    double offset; ///< of the grid's points [cells]
    int support;
  };
  Along along[3];
  std::int64_t stride;
  std::int32_t* first; ///< [point][axis]
  double* place;       ///< [axis][point]

  CORRAL_HOST_DEVICE void operator()(std::int64_t p) const {
    for (int d = 0; d < 3; ++d) {
      const Along& a = along[d];
      const double at = a.axis.thin() ? 0 : a.axis.index(a.x[p]) - a.offset, from = a.support % 2 == 0 ? at : at + 0.5;
      const double base = std::floor(from);
      place[d * stride + p] = from - base;
      // What is no number has weights that are none: the system ends at once, and whoever asks where points are complains.
      first[3 * p + d] = a.axis.thin() || !(std::abs(base) < 1e9) ? 0 : static_cast<std::int32_t>(base) - (a.support - 1) / 2;
    }
  }
};

/// Weights of a point side by side, from where evaluators have them.
struct SetWeights {
  const double* found; ///< [point of the kernel][axis][point]
  std::int64_t stride;
  int support[3]; ///< 0: thin
  int widest;
  double* weights;

  CORRAL_HOST_DEVICE void operator()(std::int64_t p) const {
    for (int d = 0; d < 3; ++d) {
      double* const to = weights + (3 * p + d) * widest;
      for (int i = 0; i < widest; ++i) to[i] = i < support[d] ? found[(3 * i + d) * stride + p] : 0;
      if (support[d] == 0) to[0] = 1;
    }
  }
};

/// All bodies' systems of a component.
struct SystemsView {
  const std::int64_t *first_point, *first_row, *pair_begin;
  const std::int32_t *pairs, *first;
  const double* weights;
  int support;
  double *volumes, *read_back;

  /// A_mn
  CORRAL_HOST_DEVICE double entry(std::int64_t m, std::int64_t n) const {
    const std::int32_t* const one = first + 3 * m;
    const std::int32_t* const other = first + 3 * n;
    const int shift[3] = {other[0] - one[0], other[1] - one[1], other[2] - one[2]};
    for (int d = 0; d < 3; ++d)
      if (shift[d] >= support || -shift[d] >= support) return 0;
    double product = 1;
    for (int d = 0; d < 3; ++d) {
      const double* const w = weights + (3 * m + d) * support;
      const double* const v = weights + (3 * n + d) * support;
      const int begin = shift[d] > 0 ? shift[d] : 0, end = shift[d] > 0 ? support : support + shift[d];
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += w[i] * v[i - shift[d]];
      product *= sum;
    }
    return product;
  }
  /// (A eps)_m of point p of a body.
  CORRAL_HOST_DEVICE double row(std::int64_t body, std::int64_t p) const {
    const std::int64_t begin = first_point[body];
    const std::int64_t* const pair = pair_begin + first_row[body] + p;
    double sum = 0;
    for (std::int64_t k = pair[0]; k < pair[1]; ++k) sum += entry(begin + p, begin + pairs[k]) * volumes[begin + pairs[k]];
    return sum;
  }
};

/// How a block goes on.
struct StepsView {
  double tolerance, times; ///< of next_volume
  int most;                ///< steps
  bool see_last;           ///< whether to read back what the last one made
};

/// Iterations of PointVolumes::find, or the step of `follow`, a block a body.
__global__ void __launch_bounds__(solve_threads, 1)
    solve_volumes_global(const SystemsView systems, const StepsView steps) {
  CORRAL_SHARED(double, worst, [solve_threads]);
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t body = blockIdx.x, begin = systems.first_point[body], points = systems.first_point[body + 1] - begin;
  const corral::detail::Larger larger;
  for (int step = 0;;) {
    double missed = 0;
    for (std::int64_t p = t; p < points; p += solve_threads) {
      const double read = systems.row(body, p);
      systems.read_back[begin + p] = read;
      larger(missed, std::abs(1 - read));
    }
    worst[t] = missed;
    for (int half = solve_threads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) larger(worst[t], worst[t + half]);
    }
    __syncthreads(); // all have read what others now change
    if (steps.see_last && (!(worst[0] > steps.tolerance) || step == steps.most)) return; // a NaN ends it as well
    for (std::int64_t p = t; p < points; p += solve_threads)
      systems.volumes[begin + p] = next_volume(systems.volumes[begin + p], systems.read_back[begin + p], steps.times);
    if (++step == steps.most && !steps.see_last) return;
    __syncthreads();
  }
}

/// The longest way between points whose stencils share points of the grid [m].
double reach(const Grid& grid, int support) {
  double square = 0;
  for (int d = 0; d < 3; ++d)
    if (const Axis& axis = grid.axis(d); !axis.thin()) square += axis.spacing * axis.spacing;
  return (1 + 1e-9) * support * std::sqrt(square);
}

} // namespace

PairVolumes::PairVolumes(const Grid& grid, std::string kernel, const std::array<Staggering, 3>& staggering)
    : grid_(grid), kernel_(std::move(kernel)), staggering_(staggering), support_(widest_support(kernel_)) {
  for (std::size_t d = 0; d < 3; ++d) {
    own_[d] = static_cast<std::size_t>(std::find(staggering.begin(), staggering.end(), staggering[d]) - staggering.begin());
    volumes_[d] = Array<double>(Memory::device);
  }
}

void PairVolumes::set_bodies(std::span<const std::span<const geometry::Vector>> own) {
  std::vector<std::int64_t> first_point{0}, first_row, pair_begin;
  std::vector<std::int32_t> pairs;
  std::vector<std::pair<const geometry::Vector*, std::int64_t>> known; // shapes, and their first rows
  for (const auto& points : own) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& shape) { return shape.first == points.data(); });
    if (found == known.end()) {
      const PointPairs of_shape = pairs_within(points, reach(grid_, support_));
      first_row.push_back(std::ssize(pair_begin));
      known.emplace_back(points.data(), first_row.back());
      for (const std::int64_t begin : of_shape.begin) pair_begin.push_back(begin + std::ssize(pairs));
      pairs.insert(pairs.end(), of_shape.others.begin(), of_shape.others.end());
    } else {
      first_row.push_back(found->second);
    }
    first_point.push_back(first_point.back() + std::ssize(points));
  }
  bodies_ = std::ssize(own);
  first_point_.assign(first_point);
  first_row_.assign(first_row);
  pair_begin_.assign(pair_begin);
  pairs_.assign(pairs);
  const std::int64_t points = first_point.back();
  stride_ = (points + vector - 1) / vector * vector;
  place_.resize(3 * stride_, 0.0);
  found_.resize(3 * support_ * stride_);
  first_.resize(3 * points);
  weights_.resize(3 * support_ * points);
  for (std::size_t d = 0; d < 3; ++d) volumes_[d].resize(own_[d] == d ? points : 0, 1.0);
  read_back_.resize(points);
}

void PairVolumes::bind_state(run::Registry& registry) {
  for (std::size_t d = 0; d < 3; ++d)
    if (own_[d] == d) registry.bind(std::string("point_volumes_") + "xyz"[d], "", "of bodies' points, in cells", volumes_[d]);
}

void PairVolumes::find_stencils(Gpu gpu, const ConstPoints& x, Staggering at) {
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    const auto of = DeviceKernelWeights<double>::of(kernel);
    SetPlaces places{{}, stride_, first_.data(), place_.data()};
    SetWeights weights{found_.data(), stride_, {}, support_, weights_.data()};
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid_.axis(d);
      const int support = of.support(on_face(at, d));
      places.along[d] = {x[static_cast<std::size_t>(d)], axis, on_face(at, d) ? 0 : 0.5, support};
      weights.support[d] = axis.thin() ? 0 : support;
    }
    for_each(gpu, size(), places);
    const auto evaluate = [&](const auto& along, int d, std::int64_t n) {
      along.evaluate(gpu, along.kernel, {place_.data() + d * stride_, n, false, found_.data() + d * stride_, 3 * stride_});
    };
    if (at == Staggering::centre) evaluate(of(false), 0, 3 * stride_);
    else for (int d = 0; d < 3; ++d) evaluate(of(on_face(at, d)), d, size());
    for_each(gpu, size(), weights);
  });
}

struct PairVolumes::Steps : StepsView {};

void PairVolumes::find(Gpu gpu, const ConstPoints& x, double tolerance, int most_iterations) { take(gpu, x, {{tolerance, 1, most_iterations, true}}); }
void PairVolumes::follow(Gpu gpu, const ConstPoints& x) { take(gpu, x, {{0, times_as_far, 1, false}}); }

void PairVolumes::take(Gpu gpu, const ConstPoints& x, const Steps& steps) {
  if (size() == 0) return;
  for (std::size_t d = 0; d < 3; ++d) {
    if (own_[d] != d) continue;
    find_stencils(gpu, x, staggering_[d]);
    const SystemsView systems{first_point_.data(), first_row_.data(), pair_begin_.data(), pairs_.data(), first_.data(),
                              weights_.data(), support_, volumes_[d].data(), read_back_.data()};
    corral::detail::check_cuda(CORRAL_LAUNCH(solve_volumes_global, static_cast<unsigned>(bodies_), solve_threads, 0, gpu.stream, systems,
                                             StepsView(steps)),
                               "volumes of bodies' points");
  }
}

} // namespace corral::structure
