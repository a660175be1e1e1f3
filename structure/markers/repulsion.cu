/// Repulsion between points on a device: a thread a point, by the order that maps use.

#include "structure/markers/repulsion.hpp"

#include <corral/for_each.cuh>
#include <corral/pairs.cuh>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral::structure {

namespace {

/// What sum_pairs (<corral/pairs.cuh>) adds up: the push on a point, and half the energy of its pairs.
struct Push {
  const std::int32_t *of, *by; ///< membranes of the points that are pushed, and of those that push
  double range, stiffness;
  double *force[3], *energy;

  using Source = std::int32_t;
  struct Sum {
    double force[3], energy;
    std::int32_t membrane;
  };
  CORRAL_HOST_DEVICE Source source(std::int64_t, std::int64_t j) const { return by[j]; }
  CORRAL_HOST_DEVICE Sum begin(std::int64_t i) const { return {{0, 0, 0}, 0, of[i]}; }
  CORRAL_HOST_DEVICE void add(Source membrane, const std::array<double, 3>& apart, double square, Sum& sum) const {
    if (membrane == sum.membrane) return;
    const double r = std::sqrt(square), lacking = range - r;
    if (r > 0) // else, which way is away?
      for (std::size_t d = 0; d < 3; ++d) sum.force[d] += stiffness * lacking / r * apart[d];
    sum.energy += 0.25 * stiffness * lacking * lacking;
  }
  CORRAL_HOST_DEVICE void end(std::int64_t i, const Sum& sum) const {
    for (int d = 0; d < 3; ++d) force[d][i] += sum.force[d];
    energy[i] = sum.energy;
  }
};

struct Of {
  const double* values;
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return values[i]; }
};

} // namespace

double Repulsion::add(Gpu gpu, const OrderedPoints& on, const OrderedPoints& from, const Points& force) const {
  if (!(range_ * range_ > 0)) return 0; // nothing is as near as that
  energies_.resize(on.size);
  sum_pairs(gpu, grid_, on.order, from.order, range_,
            Push{on.membrane, from.membrane, range_, stiffness_, {force[0], force[1], force[2]}, energies_.data()});
  return sum(gpu, on.size, Of{energies_.data()});
}

} // namespace corral::structure
