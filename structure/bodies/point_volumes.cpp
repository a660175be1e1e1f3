#include "structure/bodies/point_volumes.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

namespace corral::structure {

namespace {

/// f(kernel of an axis on which points lie on faces, or midway).
template <class K, class F> void of_axis(const K& kernel, bool on_faces, F f) {
  if constexpr (kernels::CompositeKernel<K>) on_faces ? f(kernel.along) : f(kernel.across);
  else f(kernel);
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
    : grid_(grid), kernel_(std::move(kernel)), staggering_(staggering), first_neighbour_(1, std::int64_t{0}) {
  support_ = widest_support(kernel_);
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    if (!grid.axis(d).thin()) square += grid.axis(d).spacing * grid.axis(d).spacing;
    const auto i = static_cast<std::size_t>(d);
    own_[i] = static_cast<std::size_t>(std::find(staggering.begin(), staggering.end(), staggering[i]) - staggering.begin());
  }
  reach_ = support_ * std::sqrt(square);
}

void PointVolumes::add(std::span<const std::array<double, 3>> points) {
  const auto n = static_cast<std::int64_t>(points.size());
  const std::int64_t first = size();
  std::vector<std::int32_t> by_x(points.size());
  std::iota(by_x.begin(), by_x.end(), 0);
  std::sort(by_x.begin(), by_x.end(), [&](std::int32_t a, std::int32_t b) { return points[a][0] < points[b][0]; });
  std::vector<std::vector<std::int32_t>> near(points.size());
  for (std::size_t i = 0; i < by_x.size(); ++i)
    for (std::size_t j = i; j < by_x.size(); ++j) {
      const auto &a = points[by_x[i]], &b = points[by_x[j]];
      if (b[0] - a[0] >= reach_) break;
      const double y = b[1] - a[1], z = b[2] - a[2];
      if ((b[0] - a[0]) * (b[0] - a[0]) + y * y + z * z >= reach_ * reach_) continue;
      near[by_x[i]].push_back(by_x[j]);
      if (i != j) near[by_x[j]].push_back(by_x[i]);
    }
  first_neighbour_.resize(first + n + 1);
  for (std::int64_t p = 0; p < n; ++p) {
    std::vector<std::int32_t>& list = near[static_cast<std::size_t>(p)];
    std::sort(list.begin(), list.end());
    std::int64_t at = first_neighbour_[first + p];
    first_neighbour_[first + p + 1] = at + static_cast<std::int64_t>(list.size());
    neighbour_.resize(first_neighbour_[first + p + 1]);
    for (const std::int32_t q : list) neighbour_[at++] = static_cast<std::int32_t>(first) + q;
  }
  matrix_.resize(neighbour_.size());
  sharing_.resize(neighbour_.size());
  shared_.resize(first + n);
  for (std::size_t d = 0; d < 3; ++d) volumes_[d].resize(own_[d] == d ? first + n : 0, 1.0);
  first_.resize(first + n);
  weights_.resize((first + n) * 3 * support_);
  read_back_.resize(first + n);
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

void PointVolumes::find_matrix(Cpu cpu) {
  for_each(cpu, size(), [this](std::int64_t p) {
    const std::array<std::int32_t, 3> own = first_[p];
    std::int64_t to = first_neighbour_[p];
    for (std::int64_t k = first_neighbour_[p]; k < first_neighbour_[p + 1]; ++k) {
      const std::int64_t q = neighbour_[k];
      const std::array<std::int32_t, 3>& other = first_[q];
      if (std::abs(other[0] - own[0]) >= support_ || std::abs(other[1] - own[1]) >= support_ || std::abs(other[2] - own[2]) >= support_)
        continue; // most: neighbours are near whichever way a body is turned
      double product = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        const int ahead = other[d] - own[d];
        const double* const mine = weights_.data() + (3 * p + static_cast<std::int64_t>(d)) * support_;
        const double* const its = weights_.data() + (3 * q + static_cast<std::int64_t>(d)) * support_ - ahead;
        double shared = 0;
        for (int i = std::max(ahead, 0); i < std::min(support_, support_ + ahead); ++i) shared += mine[i] * its[i];
        product *= shared;
      }
      matrix_[to] = product;
      sharing_[to++] = static_cast<std::int32_t>(q);
    }
    shared_[p] = static_cast<std::int32_t>(to - first_neighbour_[p]);
  });
}

int PointVolumes::solve(Cpu cpu, Array<double>& eps, double tolerance, int most_iterations) {
  for (int iteration = 0;; ++iteration) {
    for_each(cpu, size(), [&](std::int64_t p) {
      double sum = 0;
      const std::int64_t begin = first_neighbour_[p], end = begin + shared_[p];
      for (std::int64_t k = begin; k < end; ++k) sum += matrix_[k] * eps[sharing_[k]];
      read_back_[p] = sum;
    });
    const double worst = maximum(cpu, size(), 0, [&](std::int64_t p) { return std::abs(1 - read_back_[p]); });
    if (!(worst > tolerance) || iteration == most_iterations) { // a NaN ends it as well: who looks for them finds it
      missed_ = std::max(missed_, worst);
      return iteration;
    }
    for_each(cpu, size(), [&](std::int64_t p) { eps[p] /= read_back_[p]; });
  }
}

void PointVolumes::find(Cpu cpu, const ConstPoints& x, double tolerance, int most_iterations) {
  iterations_ = 0;
  missed_ = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (own_[d] != d) continue;
    find_stencils(cpu, x, staggering_[d]);
    find_matrix(cpu);
    iterations_ = std::max(iterations_, solve(cpu, volumes_[d], tolerance, most_iterations));
  }
}

} // namespace corral::structure
