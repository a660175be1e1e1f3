// Sums over pairs of one instruction set.
#if defined(CORRAL_STOKES_NEAR_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_STOKES_NEAR_LOOPS_INL
#undef CORRAL_STOKES_NEAR_LOOPS_INL
#else
#define CORRAL_STOKES_NEAR_LOOPS_INL
#endif

#include "stokes/near/near_task.hpp"
#include "stokes/near/pair-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Brings the sources of one run to the candidates, but for those too far from the targets' box.
inline void take_run(const NearTask& task, const SourceRun& run, Candidates& candidates) {
  using D = Eight::D;
  constexpr D d;
  constexpr auto lanes = static_cast<std::int64_t>(Eight::lanes);
  const std::size_t rows = 3 + static_cast<std::size_t>(task.strengths);
  std::array<double*, 3 + most_strengths> to{};
  for (std::size_t r = 0; r < rows; ++r) to[r] = candidates.rows[r].data() + candidates.count;
  const auto zero = hn::Zero(d), limit = hn::Set(d, task.reach * task.reach);
  std::int64_t taken = 0;
  for (std::int64_t i = run.begin; i < run.end; i += lanes) {
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, run.end - i)));
    hn::Vec<D> x[3], square = zero;
    for (std::size_t a = 0; a < 3; ++a) {
      x[a] = hn::Add(hn::LoadU(d, task.source_x[a] + i), hn::Set(d, run.shift[a] - task.corner[a]));
      // How far beyond the box, on either side.
      const auto off = hn::Max(zero, hn::Max(hn::Neg(x[a]), hn::Sub(x[a], hn::Set(d, task.edge[a]))));
      square = hn::MulAdd(off, off, square);
    }
    const auto near = hn::And(valid, hn::Lt(square, limit));
    for (std::size_t a = 0; a < 3; ++a) hn::CompressStore(x[a], near, d, to[a] + taken);
    for (std::size_t s = 3; s < rows; ++s)
      hn::CompressStore(hn::LoadU(d, task.strength[s - 3] + i), near, d, to[s] + taken);
    taken += static_cast<std::int64_t>(hn::CountTrue(d, near));
  }
  candidates.count += taken;
}

/// Radial functions of two times eight pairs, 0 beyond the cut-off.
template <Sum sum, bool all>
HWY_INLINE void evaluate(const NearTask& task, const Eight (&square)[2], RadialValues<Eight> (&radial)[2]) {
  constexpr RadialSet needed = radial_set(sum, all);
  constexpr int functions = [] {
    int n = 0;
    for (const bool is : radial_set(sum, all)) n += is;
    return n;
  }();
  const Eight limit(task.reach * task.reach), scale(2 / (task.reach * task.reach)), one(1.0);
  Eight s[2], p[functions][2];
  for (int h = 0; h < 2; ++h) s[h] = multiply_add(smaller(square[h], limit), scale, Eight(-1.0));
  const double* c = task.coefficients;
  for (int f = 0; f < functions; ++f, ++c) p[f][0] = p[f][1] = Eight(*c);
  for (int k = 0; k < task.degree; ++k)
    for (int f = 0; f < functions; ++f, ++c) {
      const Eight next(*c);
      for (int h = 0; h < 2; ++h) p[f][h] = multiply_add(p[f][h], s[h], next);
    }
  const Eight least(task.least_square);
  for (int h = 0; h < 2; ++h) {
    const Eight inverse = where_less(least, square[h], one / sqrt(square[h])), inverse_square = inverse * inverse;
    Eight power = inverse; // 1/r, 1/r^3, ...
    int f = 0, reached = 1;
    const auto set = [&](Radial which) HWY_ATTR {
      if (!needed[static_cast<std::size_t>(which)]) return;
      Eight value = Eight(0.0) - p[f++][h];
      if (singular_power(which) > 0) {
        for (; reached < singular_power(which); reached += 2) power = power * inverse_square;
        value = multiply_add(Eight(singular_factor(which)), power, value);
      }
      radial[h].of[static_cast<std::size_t>(which)] = where_less(square[h], limit, value);
    };
    set(Radial::hasimoto), set(Radial::psi_0), set(Radial::psi_1), set(Radial::psi_2), set(Radial::psi_3),
        set(Radial::gauss);
    radial[h].square = Eight(task.two_xi2);
  }
}

template <Sum sum, bool all> void add_candidates(const NearTask& task, const Candidates& candidates) {
  constexpr int strengths = strength_columns(sum), out = columns(sum, all);
  for (std::int64_t t = task.begin; t < task.end; ++t) {
    Eight at[3], sums[out];
    for (int a = 0; a < 3; ++a) at[a] = Eight(task.target_x[a][t] - task.corner[a]);
    for (Eight& v : sums) v = Eight(0.0);
    for (std::int64_t i = 0; i < candidates.count; i += Candidates::at_once) {
      Eight r[2][3], square[2];
      for (int h = 0; h < 2; ++h) {
        for (int a = 0; a < 3; ++a) r[h][a] = at[a] - Eight::load(candidates.rows[a].data() + i + 8 * h);
        square[h] = dot(r[h], r[h]);
      }
      RadialValues<Eight> radial[2];
      evaluate<sum, all>(task, square, radial);
      for (int h = 0; h < 2; ++h) {
        Eight strength[strengths];
        for (int s = 0; s < strengths; ++s) strength[s] = Eight::load(candidates.rows[3 + s].data() + i + 8 * h);
        add_pair<sum, all>(r[h], radial[h], strength, sums);
      }
    }
    const std::int64_t to = task.targets->source(t);
    for (int c = 0; c < out; ++c) {
      alignas(64) double lanes[8];
      sums[c].store(lanes);
      task.results[c][to] += ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    }
  }
}

inline void add_neighbourhood(Sum sum, bool all, const NearTask& task, std::span<const SourceRun> runs,
                              Candidates& candidates) {
  candidates.count = 0;
  for (const SourceRun& run : runs) take_run(task, run, candidates);
  pad(candidates, task.strengths, task.reach);
  switch (sum) {
    case Sum::stokeslet:
      return (all ? add_candidates<Sum::stokeslet, true> : add_candidates<Sum::stokeslet, false>)(task, candidates);
    case Sum::stresslet:
      return (all ? add_candidates<Sum::stresslet, true> : add_candidates<Sum::stresslet, false>)(task, candidates);
    case Sum::rotlet:
      return (all ? add_candidates<Sum::rotlet, true> : add_candidates<Sum::rotlet, false>)(task, candidates);
    case Sum::laplace:
      return (all ? add_candidates<Sum::laplace, true> : add_candidates<Sum::laplace, false>)(task, candidates);
  }
}

} // namespace corral::stokes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
