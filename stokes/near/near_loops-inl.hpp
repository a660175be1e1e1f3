// Sums over pairs of one instruction set.
#if defined(CORRAL_STOKES_NEAR_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_STOKES_NEAR_LOOPS_INL
#undef CORRAL_STOKES_NEAR_LOOPS_INL
#else
#define CORRAL_STOKES_NEAR_LOOPS_INL
#endif

#include "stokes/near/near_task.hpp"
#include "stokes/near/pair-inl.hpp"
#include "stokes/near/sphere_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Stores the lanes that are kept side by side. Highway's own way, but for its table, which g++ 12 copies to the stack
/// in every call where registers hold four doubles.
class Compress {
public:
  using D = Eight::D;
  explicit HWY_INLINE Compress(const hn::Mask<D>& kept) : kept_(kept), count_(hn::CountTrue(D(), kept)) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (Eight::lanes == 4) {
      std::uint8_t bits[8];
      hn::StoreMaskBits(D(), kept, bits);
      order_ = hn::IndicesFromVec(D(), hn::LoadU(hn::RebindToUnsigned<D>(), four_lanes[bits[0]]));
    }
#endif
  }
  HWY_INLINE std::size_t count() const { return count_; }
  HWY_INLINE void store(const hn::Vec<D>& v, double* to) const {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (Eight::lanes == 4) return hn::StoreU(hn::TableLookupLanes(v, order_), D(), to);
#endif
    hn::CompressStore(v, kept_, D(), to);
  }

private:
  hn::Mask<D> kept_;
  std::size_t count_;
#if HWY_TARGET != HWY_SCALAR
  decltype(hn::IndicesFromVec(D(), hn::Zero(hn::RebindToUnsigned<D>()))) order_;
#endif
};

/// Brings the sources of one run to the candidates, but for those too far from the targets' box.
inline void take_run(const NearTask& task, const SourceRun& run, Candidates& candidates) {
  using D = Eight::D;
  constexpr D d;
  constexpr auto lanes = static_cast<std::int64_t>(Eight::lanes);
  const std::size_t rows = static_cast<std::size_t>(task.strengths);
  const auto zero = hn::Zero(d), limit = hn::Set(d, task.reach * task.reach);
  const auto shift_x = hn::Set(d, run.shift[0] - task.corner[0]), edge_x = hn::Set(d, task.edge[0]);
  const auto shift_y = hn::Set(d, run.shift[1] - task.corner[1]), edge_y = hn::Set(d, task.edge[1]);
  const auto shift_z = hn::Set(d, run.shift[2] - task.corner[2]), edge_z = hn::Set(d, task.edge[2]);
  std::int64_t to = candidates.count;
  for (std::int64_t i = run.begin; i < run.end; i += lanes) {
    const auto x = hn::Add(hn::LoadU(d, task.source_x[0] + i), shift_x);
    const auto y = hn::Add(hn::LoadU(d, task.source_x[1] + i), shift_y);
    const auto z = hn::Add(hn::LoadU(d, task.source_x[2] + i), shift_z);
    // How far beyond the box, on either side.
    const auto off_x = hn::Max(zero, hn::Max(hn::Neg(x), hn::Sub(x, edge_x)));
    const auto off_y = hn::Max(zero, hn::Max(hn::Neg(y), hn::Sub(y, edge_y)));
    const auto off_z = hn::Max(zero, hn::Max(hn::Neg(z), hn::Sub(z, edge_z)));
    const auto square = hn::MulAdd(off_z, off_z, hn::MulAdd(off_y, off_y, hn::Mul(off_x, off_x)));
    auto near = hn::Lt(square, limit);
    if (run.end - i < lanes) near = hn::And(near, hn::FirstN(d, static_cast<std::size_t>(run.end - i)));
    const Compress compress(near);
    if (compress.count() == 0) continue;
    compress.store(x, candidates.rows[0].data() + to);
    compress.store(y, candidates.rows[1].data() + to);
    compress.store(z, candidates.rows[2].data() + to);
    for (std::size_t s = 0; s < rows; ++s)
      compress.store(hn::LoadU(d, task.strength[s] + i), candidates.rows[3 + s].data() + to);
    to += static_cast<std::int64_t>(compress.count());
  }
  candidates.count = to;
}

/// Two polynomials of two times eight numbers each by Horner's rule, spelled out so that the compiler keeps them in
/// registers: eight chains, of which none waits for another.
HWY_INLINE void polynomials(const double* c, int degree, const Eight& y0, const Eight& y1, const Eight& f0,
                            const Eight& f1, Eight& p0, Eight& p1, Eight& q0, Eight& q1) {
  p0 = p1 = Eight(c[0]);
  q0 = q1 = Eight(c[1]);
  for (int k = 0; k < degree; ++k) {
    c += 2;
    p0 = multiply_add(p0, y0, Eight(c[0]));
    p1 = multiply_add(p1, y1, Eight(c[0]));
    q0 = multiply_add(q0, f0, Eight(c[1]));
    q1 = multiply_add(q1, f1, Eight(c[1]));
  }
}

/// What the radial functions of eight pairs are made of.
struct Screened {
  Eight square;  ///< r^2, at most the cut-off's [m2]
  Eight inverse; ///< 1/r [1/m]
  Eight y;       ///< argument of erfc(x) exp(x^2)
  Eight whole;   ///< 1.5 2^52 + n, and
  Eight f;       ///< exp(-x^2) = 2^(n + f)

  HWY_INLINE Screened(const NearTask& task, const Eight& apart)
      : square(smaller(apart, Eight(task.reach * task.reach))) {
    const Eight one(1.0), root = sqrt(square), shifted = multiply_add(Eight(task.xi), root, Eight(task.centre));
    const Eight both = one / (root * shifted); // one division for two
    inverse = both * shifted;
    y = less_product(Eight(task.stretch), Eight(task.pull), both * root);
    constexpr double log2_e = 1.4426950408889634074, shift = 0x1.8p52;
    const Eight exponent = Eight(-log2_e * task.xi * task.xi) * square;
    whole = exponent + Eight(shift);
    f = exponent - (whole - Eight(shift));
  }

  /// Radial functions of a sum, from erfc(x) exp(x^2) and 2^f; 0 beyond the cut-off, and in one place what is left.
  template <Sum sum, bool all> HWY_INLINE RadialValues<Eight> radial(const NearTask& task, const Eight& apart,
                                                                     const Eight& erfcx, const Eight& power) const {
    const Eight E = where_less(apart, Eight(task.reach * task.reach), times_power_of_2(power, whole));
    const Eight least(task.least_square);
    const auto in_place = [&](Radial which, const Eight& value) HWY_ATTR {
      return choose_less(least, apart, value, Eight(task.in_place[static_cast<std::size_t>(which)]));
    };
    return radial_values<sum, all>(erfcx, E, inverse, Eight(task.unit), Eight(task.two_xi2), in_place);
  }
};

/// Adds what eight lanes have to a target's results, in a fixed order.
template <int out> HWY_INLINE void add_sums(const NearTask& task, std::int64_t target, const Eight* sums) {
  const std::int64_t to = task.targets->source(target);
  for (int c = 0; c < out; ++c) task.results[c][to] += sums[c].sum();
}

template <Sum sum, bool all> void add_candidates(const NearTask& task, const Candidates& candidates) {
  constexpr int strengths = strength_columns(sum), out = columns(sum, all);
  for (std::int64_t t = task.begin; t < task.end; ++t) {
    Eight at[3], sums[out];
    for (int a = 0; a < 3; ++a) at[a] = Eight(task.target_x[a][t] - task.corner[a]);
    for (Eight& v : sums) v = Eight(0.0);
    for (std::int64_t i = 0; i < candidates.count; i += Candidates::at_once) {
      Eight r0[3], r1[3];
      for (int a = 0; a < 3; ++a) {
        r0[a] = at[a] - Eight::load(candidates.rows[a].data() + i);
        r1[a] = at[a] - Eight::load(candidates.rows[a].data() + i + 8);
      }
      const Eight apart0 = dot(r0, r0), apart1 = dot(r1, r1);
      const Screened screened0(task, apart0), screened1(task, apart1);
      Eight p0, p1, q0, q1;
      polynomials(task.coefficients, task.degree, screened0.y, screened1.y, screened0.f, screened1.f, p0, p1, q0, q1);
      const RadialValues<Eight> radial0 = screened0.radial<sum, all>(task, apart0, p0, q0),
                                radial1 = screened1.radial<sum, all>(task, apart1, p1, q1);
      Eight strength0[strengths], strength1[strengths];
      for (int s = 0; s < strengths; ++s) {
        strength0[s] = Eight::load(candidates.rows[3 + s].data() + i);
        strength1[s] = Eight::load(candidates.rows[3 + s].data() + i + 8);
      }
      add_pair<sum, all>(r0, radial0, strength0, sums);
      add_pair<sum, all>(r1, radial1, strength1, sums);
    }
    add_sums<out>(task, t, sums);
  }
}

/// What both functions of eight pairs of spheres are, from the table: rows of eight are turned into columns.
template <int degree>
HWY_INLINE void sphere_functions(const NearTask& task, const Eight& apart, Eight& across, Eight& pull) {
  using D = Eight::D;
  constexpr D d;
  constexpr hn::RebindToSigned<D> whole;
  constexpr int shift = SphereTable::shift, row = 2 * (degree + 1);
  constexpr double bins = 1 << (52 - shift); // of a doubling
  const auto reach = hn::Set(d, task.reach * task.reach), scale = hn::Set(d, task.sphere_scale);
  alignas(64) std::int64_t bin[8];
  Eight y;
  for (std::size_t i = 0; i < Eight::parts; ++i) {
    const auto u = hn::Max(hn::Set(d, SphereTable::least), hn::Mul(scale, hn::Min(apart.part[i], reach)));
    const auto bits = hn::BitCast(whole, u);
    hn::Store(hn::Sub(hn::ShiftRight<shift>(bits), hn::Set(whole, task.first_bin)), whole, bin + i * Eight::lanes);
    const auto rest = hn::And(bits, hn::Set(whole, (std::int64_t{1} << shift) - 1));
    const auto one = hn::BitCast(d, hn::Or(rest, hn::BitCast(whole, hn::Set(d, 1.0)))); // 1 to 1 + 1/bins
    y.part[i] = hn::MulSub(hn::Set(d, 2 * bins), one, hn::Set(d, 2 * bins + 1));
  }
  Eight c[row / 8][8];
  for (int k = 0; k < row / 8; ++k) {
    for (std::size_t i = 0; i < 8; ++i) c[k][i] = Eight::load(task.sphere_bins + row * bin[i] + 8 * k);
    transpose(c[k]);
  }
  const auto coefficient = [&c](int k) HWY_ATTR -> const Eight& { return c[k / 8][k % 8]; };
  Eight p = coefficient(0), q = coefficient(degree + 1);
  for (int k = 1; k <= degree; ++k) {
    p = multiply_add(p, y, coefficient(k));
    q = multiply_add(q, y, coefficient(degree + 1 + k));
  }
  across = where_less(apart, Eight(task.reach * task.reach), p);
  pull = where_less(apart, Eight(task.reach * task.reach), q);
}

/// Forces on spheres of one radius.
template <int degree> void add_sphere_candidates(const NearTask& task, const Candidates& candidates) {
  for (std::int64_t t = task.begin; t < task.end; ++t) {
    Eight at[3], sums[3];
    for (int a = 0; a < 3; ++a) {
      at[a] = Eight(task.target_x[a][t] - task.corner[a]);
      sums[a] = Eight(0.0);
    }
    for (std::int64_t i = 0; i < candidates.count; i += 8) {
      Eight r[3], f[3], across, pull;
      for (int a = 0; a < 3; ++a) {
        r[a] = at[a] - Eight::load(candidates.rows[a].data() + i);
        f[a] = Eight::load(candidates.rows[3 + a].data() + i);
      }
      sphere_functions<degree>(task, dot(r, r), across, pull);
      const Eight along = pull * dot(r, f);
      for (int a = 0; a < 3; ++a) sums[a] = multiply_add(across, f[a], multiply_add(along, r[a], sums[a]));
    }
    add_sums<3>(task, t, sums);
  }
}

inline void add_neighbourhood(Sum sum, bool all, const NearTask& task, std::span<const SourceRun> runs,
                              Candidates& candidates) {
  candidates.count = 0;
  for (const SourceRun& run : runs) take_run(task, run, candidates);
  pad(candidates, task.strengths, task.reach);
  if (task.sphere_bins != nullptr)
    return (task.sphere_degree == SphereTable::Degree::three ? add_sphere_candidates<3>
                                                             : add_sphere_candidates<7>)(task, candidates);
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
