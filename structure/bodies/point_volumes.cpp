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
  first_.resize(3 * size());
  weights_.resize(size() * 3 * support_);
  read_back_.resize(size());
}

void PointVolumes::bind_state(run::Registry& registry) {
  for (std::size_t d = 0; d < 3; ++d)
    if (own_[d] == d) registry.bind(std::string("point_volumes_") + "xyz"[d], "", "of bodies' points, in cells", volumes_[d]);
}

void PointVolumes::share(const distributed::Team& team) { team_ = &team; }

PointVolumes::Bodies PointVolumes::mine() const {
  if (!team_) return {0, boxes_.size()};
  const auto begin = [this](std::int64_t rank) {
    const auto first = std::lower_bound(first_point_.begin(), first_point_.end(), size() * rank / team_->size());
    return static_cast<std::size_t>(first - first_point_.begin());
  };
  return {begin(team_->rank()), begin(team_->rank() + 1)};
}

/// What others have found.
void PointVolumes::join(Bodies mine, Array<double>& eps) const {
  if (!team_) return;
  std::fill(eps.begin(), eps.begin() + first_point_[mine.begin], 0.0);
  std::fill(eps.begin() + first_point_[mine.end], eps.end(), 0.0);
  team_->join(eps.span());
}

void PointVolumes::find_stencils(Cpu cpu, Bodies bodies, const ConstPoints& x, Staggering at) {
  kernels::with_kernel(kernel_, [&](const auto& of_axes) {
    for (int d = 0; d < 3; ++d)
      of_axis(of_axes, on_face(at, d), [&](const auto& kernel) {
        constexpr int support = std::decay_t<decltype(kernel)>::support;
        const Axis axis = grid_.axis(d);
        const double offset = on_face(at, d) ? 0 : 0.5;
        const double* const places = x[d];
        const std::int64_t begin = first_point_[bodies.begin];
        for_each(cpu, first_point_[bodies.end] - begin, [=, this](std::int64_t i) {
          const std::int64_t p = begin + i;
          double* const w = weights_.data() + (3 * p + d) * support_;
          std::int32_t& first = first_[3 * p + d];
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

/// The points of the grid that a body's stencils reach, in memory that stays. `support`: of stencils along x.
template <int support> class PointVolumes::Box {
public:
  Box(const PointVolumes& of, const PointStencils& stencils, std::size_t body, std::vector<double>& values)
      : stencils_(stencils), widest_(of.support_), begin_(of.first_point_[body]), end_(of.first_point_[body + 1]), across_(of.points_along(1)),
        deep_(of.points_along(2)), values_(values) {
    std::array<std::int64_t, 3> high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low_[d] = std::numeric_limits<std::int32_t>::max(), high[d] = std::numeric_limits<std::int32_t>::min();
      for (std::int64_t p = begin_; p < end_; ++p) {
        const std::int64_t first = stencils.first[3 * p + static_cast<std::int64_t>(d)];
        low_[d] = std::min(low_[d], first);
        high[d] = std::max(high[d], first);
      }
      size_[d] = high[d] - low_[d] + (d == 0 ? support : of.points_along(static_cast<int>(d)));
    }
    values_.resize(static_cast<std::size_t>(size_[0] * size_[1] * size_[2]));
  }

  /// Zeros wherever stencils reach: large boxes are empty inside.
  void clear() {
    if (std::ssize(values_) <= support * across_ * deep_ * (end_ - begin_)) return std::fill(values_.begin(), values_.end(), 0.0);
    for (std::int64_t p = begin_; p < end_; ++p)
      each_row(p, [](double* to, double, const double*) { std::fill_n(to, support, 0.0); });
  }
  void spread(std::int64_t p, double value) {
    each_row(p, [value](double* to, double yz, const double* x) {
      for (int i = 0; i < support; ++i) to[i] += value * yz * x[i];
    });
  }
  double read(std::int64_t p) {
    double sum = 0;
    each_row(p, [&sum](const double* from, double yz, const double* x) {
      double row = 0;
      for (int i = 0; i < support; ++i) row += x[i] * from[i];
      sum += yz * row;
    });
    return sum;
  }

private:
  /// f(first of its points, weight along y and z, weights along x) of each row of a point's stencil.
  template <class F> void each_row(std::int64_t p, const F& f) {
    const double* const w = stencils_.weights + 3 * p * widest_;
    const std::int32_t* const at = stencils_.first + 3 * p;
    double* const first = values_.data() + (at[0] - low_[0]) + size_[0] * ((at[1] - low_[1]) + size_[1] * (at[2] - low_[2]));
    const auto rows = [&](int across, int deep) {
      for (int k = 0; k < deep; ++k)
        for (int j = 0; j < across; ++j) f(first + size_[0] * (j + size_[1] * k), w[widest_ + j] * w[2 * widest_ + k], w);
    };
    if (across_ == support && deep_ == support) rows(support, support); // constants
    else rows(across_, deep_);
  }

  const PointStencils stencils_;
  int widest_;               ///< support of the kernels
  std::int64_t begin_, end_; ///< the body's points
  int across_, deep_;        ///< points of a stencil along y and z
  std::array<std::int64_t, 3> low_{}, size_{}; ///< of the grid
  std::vector<double>& values_;                ///< x fastest
};

/// A body at a time, each by itself.
template <int support>
void PointVolumes::solve(Cpu cpu, Bodies bodies, Array<double>& eps, double tolerance, int most_iterations) {
  std::vector<int> iterations(boxes_.size());
  std::vector<double> missed(boxes_.size());
  for_each_chunk(cpu, static_cast<std::int64_t>(bodies.end - bodies.begin), 1, [&](std::int64_t b, std::int64_t) {
    const std::size_t body = bodies.begin + static_cast<std::size_t>(b);
    const std::int64_t begin = first_point_[body], end = first_point_[body + 1];
    if (begin == end) return;
    Box<support> box(*this, stencils(), body, boxes_[body]);
    for (int& iteration = iterations[body];; ++iteration) {
      box.clear();
      for (std::int64_t p = begin; p < end; ++p) box.spread(p, eps[p]);
      double worst = 0;
      for (std::int64_t p = begin; p < end; ++p) {
        read_back_[p] = box.read(p);
        const double miss = std::abs(1 - read_back_[p]);
        worst = worst >= miss || worst != worst ? worst : miss; // a NaN stays
      }
      if (!(worst > tolerance) || iteration == most_iterations) { // a NaN ends it as well: who looks for them finds it
        missed[body] = worst;
        return;
      }
      for (std::int64_t p = begin; p < end; ++p) eps[p] = next_volume(eps[p], read_back_[p], 1);
    }
  });
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    iterations_ = std::max(iterations_, iterations[b]);
    missed_ = missed_ >= missed[b] || missed_ != missed_ ? missed_ : missed[b];
  }
}

void PointVolumes::go_on(Cpu cpu, Bodies bodies, const PointStencils& stencils, Array<double>& eps) {
  with_support(support_, [&](auto support) {
    for_each_chunk(cpu, static_cast<std::int64_t>(bodies.end - bodies.begin), 1, [&](std::int64_t b, std::int64_t) {
      const std::size_t body = bodies.begin + static_cast<std::size_t>(b);
      const std::int64_t begin = first_point_[body], end = first_point_[body + 1];
      if (begin == end) return;
      Box<support> box(*this, stencils, body, boxes_[body]);
      box.clear();
      for (std::int64_t p = begin; p < end; ++p) box.spread(p, eps[p]);
      for (std::int64_t p = begin; p < end; ++p) eps[p] = next_volume(eps[p], box.read(p), times_as_far);
    });
  });
}

void PointVolumes::follow(Cpu cpu, const PointStencils& stencils) {
  const Bodies mine = this->mine();
  go_on(cpu, mine, stencils, volumes_[0]);
  join(mine, volumes_[0]);
}

void PointVolumes::follow(Cpu cpu, const ConstPoints& x) {
  const Bodies mine = this->mine();
  for (std::size_t d = 0; d < 3; ++d) {
    if (own_[d] != d) continue;
    find_stencils(cpu, mine, x, staggering_[d]);
    go_on(cpu, mine, stencils(), volumes_[d]);
    join(mine, volumes_[d]);
  }
}

void PointVolumes::find(Cpu cpu, const ConstPoints& x, double tolerance, int most_iterations) {
  iterations_ = 0;
  missed_ = 0;
  const Bodies mine = this->mine();
  for (std::size_t d = 0; d < 3; ++d) {
    if (own_[d] != d) continue;
    find_stencils(cpu, mine, x, staggering_[d]);
    with_support(support_, [&](auto support) { solve<support>(cpu, mine, volumes_[d], tolerance, most_iterations); });
    join(mine, volumes_[d]);
  }
}

} // namespace corral::structure
