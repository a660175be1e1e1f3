#include "stokes/pairs/all_pairs.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stokes/pairs/all_pairs.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "stokes/near/pair-inl.hpp"
#include "stokes/sums/spheres.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {

/// What all sources do to the targets from `begin` on.
void add_pairs(const PairsTask& task, std::int64_t begin, std::int64_t end) {
  constexpr SphereTerms<double> terms = sphere_terms(1.0);
  const Eight one(1.0), two(2.0), in_place(terms.in_place), across_slope(terms.across_slope),
      along_slope(terms.along_slope), shell(terms.square);
  // Spheres nearer than this have no direction: 1/r^3 stays finite, and what it multiplies is next to nothing.
  const Eight least(1e-60);
  for (std::int64_t t = begin; t < end; ++t) {
    Eight at[3], sums[3];
    for (int d = 0; d < 3; ++d) {
      at[d] = Eight(task.at[d][t]);
      sums[d] = Eight(0.0);
    }
    for (std::int64_t i = 0; i < task.sources; i += 8) {
      Eight r[3], f[3];
      for (int d = 0; d < 3; ++d) {
        r[d] = at[d] - Eight::load(task.at[d] + i);
        f[d] = Eight::load(task.force[d] + i);
      }
      const Eight square = dot(r, r), apart = sqrt(choose_less(least, square, square, least)), inverse = one / apart;
      const Eight inverse_square = inverse * inverse, correction = shell * inverse_square;
      const Eight across = choose_less(apart, two, multiply_add(across_slope, apart, in_place),
                                       multiply_add(correction, inverse, inverse));
      const Eight along = choose_less(apart, two, multiply_add(along_slope, apart, in_place),
                                      two * less_product(inverse, correction, inverse));
      const Eight pull = (along - across) * inverse_square * dot(r, f);
      for (int d = 0; d < 3; ++d) sums[d] = multiply_add(across, f[d], multiply_add(pull, r[d], sums[d]));
    }
    for (int d = 0; d < 3; ++d) task.velocity[d][t] = task.unit * sums[d].sum();
  }
}

} // namespace corral::stokes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "stokes/sums/columns.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace corral::stokes {

HWY_EXPORT(add_pairs);

namespace {

constexpr std::int64_t pairs_at_once = 1 << 13; // of a task: some ten microseconds
constexpr double far_away = 1e100;              // [radii]: squares of more would overflow

std::int64_t whole_vectors(std::int64_t n) { return (n + 7) / 8 * 8; }

} // namespace

std::int64_t AllPairs::bytes() const {
  std::int64_t all = krylov_.bytes();
  for (std::size_t d = 0; d < 3; ++d) all += at_[d].bytes() + force_[d].bytes();
  return all;
}

void AllPairs::place(Cpu cpu, const Positions<double>& at, const std::array<Column<double>, 3>& velocity) {
  const std::int64_t n = at.size();
  for (std::size_t d = 0; d < 3; ++d) {
    require_column(at.axis[d], n, "a coordinate");
    require_column(velocity[d], n, "velocity");
  }
  double off = 0;
  for (std::size_t d = 0; d < 3 && n > 0; ++d) {
    at_[d].resize(whole_vectors(n));
    std::fill(at_[d].data() + n, at_[d].data() + at_[d].size(), 0.0);
    const Column<const double> x = at.axis[d];
    double* const to = at_[d].data();
    off += sum(cpu, n, [=, unit = unit_](std::int64_t i) {
      to[i] = unit * x[i];
      return std::abs(to[i]) < far_away ? 0.0 : 1.0;
    });
  }
  if (off > 0) throw Error("coordinates of spheres are not finite, or 1e100 radii away (they are in metres)");
}

void AllPairs::multiply(Cpu cpu, const std::array<Column<const double>, 3>& force,
                        const std::array<Column<double>, 3>& velocity) {
  const std::int64_t n = velocity[0].size;
  PairsTask task{.at = {}, .force = {}, .sources = whole_vectors(n), .unit = unit_, .velocity = velocity.data()};
  for (std::size_t d = 0; d < 3; ++d) {
    force_[d].resize(whole_vectors(n));
    std::fill(force_[d].data() + n, force_[d].data() + force_[d].size(), 0.0);
    for_each(cpu, n, [from = force[d], to = force_[d].data()](std::int64_t i) { to[i] = from[i]; });
    task.at[d] = at_[d].data();
    task.force[d] = force_[d].data();
  }
  for_each_chunk(cpu, n, std::max<std::int64_t>(1, pairs_at_once / std::max<std::int64_t>(1, n)),
                 [&](std::int64_t begin, std::int64_t end) { HWY_DYNAMIC_DISPATCH(add_pairs)(task, begin, end); });
}

void AllPairs::operator()(Cpu cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                          const std::array<Column<double>, 3>& velocity) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string what = "strength " + std::to_string(d);
    require_column(force[d], at.size(), what + " of a stokeslet");
    require_finite(cpu, force[d], what);
  }
  place(cpu, at, velocity);
  multiply(cpu, force, velocity);
}

void AllPairs::fluctuate(Cpu cpu, const Positions<double>& at, double tolerance, const NormalNumbers& numbers,
                         const std::array<Column<double>, 3>& velocity) {
  place(cpu, at, velocity);
  for (const Column<double>& u : velocity) for_each(cpu, u.size, [=](std::int64_t i) { u[i] = 0; });
  const auto product = [&](const std::vector<Column<const double>>& of, const std::vector<Column<double>>& to) {
    multiply(cpu, {of[0], of[1], of[2]}, {to[0], to[1], to[2]});
  };
  krylov_.add_root(cpu, at.size(), tolerance, numbers, product, velocity);
}

} // namespace corral::stokes
#endif
