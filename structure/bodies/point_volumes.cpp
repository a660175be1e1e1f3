#include "structure/bodies/point_volumes.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace corral::structure {

namespace {

/// f(kernel of an axis on which points lie on faces, or midway).
template <class K, class F> void of_axis(const K& kernel, bool on_faces, F f) {
  if constexpr (kernels::CompositeKernel<K>) on_faces ? f(kernel.along) : f(kernel.across);
  else f(kernel);
}

/// f(support as a constant)
template <class F> void with_support(int support, F f) {
  const auto found = [&]<int... n>(std::integer_sequence<int, n...>) {
    return ((support == n + 1 && (f(std::integral_constant<int, n + 1>{}), true)) || ...);
  }(std::make_integer_sequence<int, 16>{});
  if (!found) throw Error("no kernel has " + std::to_string(support) + " points along an axis");
}

} // namespace

int widest_support(const std::string& kernel) {
  int widest = 0;
  const bool known = kernels::with_kernel(kernel, [&](const auto& k) {
    for (const bool on_faces : {false, true}) of_axis(k, on_faces, [&](const auto& one) { widest = std::max(widest, one.support); });
  });
  if (!known) throw Error("no kernel is called '" + kernel + "'");
  return widest;
}

PointVolumes::PointVolumes(const Grid& grid, std::string kernel, const std::array<Staggering, 3>& staggering)
    : grid_(grid), kernel_(std::move(kernel)), staggering_(staggering), support_(widest_support(kernel_)) {
  for (std::size_t d = 0; d < 3; ++d)
    own_[d] = static_cast<std::size_t>(std::find(staggering.begin(), staggering.end(), staggering[d]) - staggering.begin());
}

void PointVolumes::add(std::int64_t points) {
  first_point_.push_back(size() + points);
  boxes_.emplace_back();
  for (std::size_t d = 0; d < 3; ++d) volumes_[d].resize(own_[d] == d ? size() : 0, 1.0);
  first_.resize(size());
  weights_.resize(size() * 3 * support_);
  read_back_.resize(size());
}

void PointVolumes::bind_state(run::Registry& registry) {
  for (std::size_t d = 0; d < 3; ++d)
    if (own_[d] == d) registry.bind(std::string("point_volumes_") + "xyz"[d], "", "of bodies' points, in cells", volumes_[d]);
}

void PointVolumes::find_stencils(Cpu cpu, const ConstPoints& x, Staggering at) {
  kernels::with_kernel(kernel_, [&](const auto& of_axes) {
    for (int d = 0; d < 3; ++d)
      of_axis(of_axes, on_face(at, d), [&](const auto& kernel) {
        constexpr int support = std::decay_t<decltype(kernel)>::support;
        const Axis axis = grid_.axis(d);
        const double offset = on_face(at, d) ? 0 : 0.5;
        const double* const places = x[d];
        for_each(cpu, size(), [=, this](std::int64_t p) {
          double* const w = weights_.data() + (3 * p + d) * support_;
          std::int32_t& first = first_[p][static_cast<std::size_t>(d)];
          std::fill_n(w, support_, 0.0);
          if (axis.thin()) { // one point of the grid, with all the weight
            first = 0, w[0] = 1;
            return;
          }
          const double along = axis.index(places[p]) - offset;
          const double base = std::floor(support % 2 == 0 ? along : along + 0.5);
          kernel.weights(along - base, w);
          first = static_cast<std::int32_t>(base) - (support - 1) / 2;
        });
      });
  });
}

struct PointVolumes::Box {
  std::array<std::int64_t, 3> low{}, size{}; ///< of the grid
  double* values = nullptr;                  ///< x fastest
};

template <int support> PointVolumes::Box PointVolumes::box_of(std::int64_t begin, std::int64_t end) {
  Box box;
  std::array<std::int64_t, 3> high{};
  for (std::size_t d = 0; d < 3; ++d) {
    box.low[d] = std::numeric_limits<std::int32_t>::max(), high[d] = std::numeric_limits<std::int32_t>::min();
    for (std::int64_t p = begin; p < end; ++p) {
      box.low[d] = std::min<std::int64_t>(box.low[d], first_[p][d]);
      high[d] = std::max<std::int64_t>(high[d], first_[p][d]);
    }
    box.size[d] = high[d] - box.low[d] + (d == 0 ? support : points_along(static_cast<int>(d)));
  }
  return box;
}

/// A body at a time, each by itself. `support`: of stencils along x, in memory.
template <int support>
void PointVolumes::solve(Cpu cpu, Array<double>& eps, double tolerance, int most_iterations) {
  const auto bodies = static_cast<std::int64_t>(boxes_.size());
  std::vector<int> iterations(boxes_.size());
  std::vector<double> missed(boxes_.size());
  const int across = points_along(1), deep = points_along(2);
  for_each_chunk(cpu, bodies, 1, [&](std::int64_t b, std::int64_t) {
    const auto body = static_cast<std::size_t>(b);
    const std::int64_t begin = first_point_[body], end = first_point_[body + 1];
    if (begin == end) return;
    Box box = box_of<support>(begin, end);
    boxes_[body].resize(static_cast<std::size_t>(box.size[0] * box.size[1] * box.size[2]));
    box.values = boxes_[body].data();
    const bool is_full = std::ssize(boxes_[body]) <= support * across * deep * (end - begin); // a small body's, of its stencils
    // f(first of `support` points of the box, weight along y and z, weights along x) of each row of a stencil
    const auto each_row = [&](std::int64_t p, const auto& f) {
      const double* const w = weights_.data() + 3 * p * support_;
      double* const first = box.values + (first_[p][0] - box.low[0]) +
                            box.size[0] * ((first_[p][1] - box.low[1]) + box.size[1] * (first_[p][2] - box.low[2]));
      for (int k = 0; k < deep; ++k)
        for (int j = 0; j < across; ++j)
          f(first + box.size[0] * (j + box.size[1] * k), w[support_ + j] * w[2 * support_ + k], w);
    };
    for (int& iteration = iterations[body];; ++iteration) {
      if (is_full) std::fill(boxes_[body].begin(), boxes_[body].end(), 0.0);
      else
        for (std::int64_t p = begin; p < end; ++p)
          each_row(p, [](double* to, double, const double*) { std::fill_n(to, support, 0.0); });
      for (std::int64_t p = begin; p < end; ++p)
        each_row(p, [e = eps[p]](double* to, double yz, const double* x) {
          for (int i = 0; i < support; ++i) to[i] += e * yz * x[i];
        });
      double worst = 0;
      for (std::int64_t p = begin; p < end; ++p) {
        double sum = 0;
        each_row(p, [&sum](const double* from, double yz, const double* x) {
          double row = 0;
          for (int i = 0; i < support; ++i) row += x[i] * from[i];
          sum += yz * row;
        });
        read_back_[p] = sum;
        const double miss = std::abs(1 - sum);
        worst = worst >= miss || worst != worst ? worst : miss; // a NaN stays
      }
      if (!(worst > tolerance) || iteration == most_iterations) { // a NaN ends it as well: who looks for them finds it
        missed[body] = worst;
        return;
      }
      for (std::int64_t p = begin; p < end; ++p) eps[p] /= read_back_[p];
    }
  });
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    iterations_ = std::max(iterations_, iterations[b]);
    missed_ = missed_ >= missed[b] || missed_ != missed_ ? missed_ : missed[b];
  }
}

void PointVolumes::find(Cpu cpu, const ConstPoints& x, double tolerance, int most_iterations) {
  iterations_ = 0;
  missed_ = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (own_[d] != d) continue;
    find_stencils(cpu, x, staggering_[d]);
    with_support(support_, [&](auto support) { solve<support>(cpu, volumes_[d], tolerance, most_iterations); });
  }
}

} // namespace corral::structure
