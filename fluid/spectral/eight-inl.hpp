// Eight doubles in the registers of one instruction set. Included once per set; the guard is Highway's.
#if defined(CORRAL_SPECTRAL_EIGHT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_EIGHT_INL
#undef CORRAL_SPECTRAL_EIGHT_INL
#else
#define CORRAL_SPECTRAL_EIGHT_INL
#endif

#include <hwy/highway.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Eight doubles, one of each of eight lines. Every operation is the same arithmetic on each, so that all instruction
/// sets with a fused multiply-add give the same bits. `load` and `store` are of aligned memory.
struct Eight {
  static constexpr std::size_t lanes = HWY_LANES(double) < 8 ? HWY_LANES(double) : 8;
  static constexpr std::size_t parts = 8 / lanes;
  using D = hn::FixedTag<double, lanes>;
  hn::Vec<D> part[parts];

  Eight() = default;
  /// A number is the same one in each line, which is what formulas of kissfft expect of their scalars.
  template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
  HWY_INLINE Eight(Number value) { // NOLINT(google-explicit-constructor)
    for (auto& v : part) v = hn::Set(D(), static_cast<double>(value));
  }
  static HWY_INLINE Eight load(const double* from) {
    Eight p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::Load(D(), from + i * lanes);
    return p;
  }
  HWY_INLINE void store(double* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::Store(part[i], D(), to + i * lanes);
  }
  HWY_INLINE double first() const { return hn::GetLane(part[0]); }

  template <class F> static HWY_INLINE Eight each(F f) {
    Eight p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = f(i);
    return p;
  }
  friend HWY_INLINE Eight operator+(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Add(a.part[i], b.part[i]); });
  }
  friend HWY_INLINE Eight operator-(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sub(a.part[i], b.part[i]); });
  }
  friend HWY_INLINE Eight operator*(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Mul(a.part[i], b.part[i]); });
  }
  friend HWY_INLINE Eight operator/(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Div(a.part[i], b.part[i]); });
  }
  friend HWY_INLINE Eight operator-(const Eight& a) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Neg(a.part[i]); });
  }
  /// a b + c, a b - c, c - a b
  friend HWY_INLINE Eight multiply_add(const Eight& a, const Eight& b, const Eight& c) {
    return each([&](std::size_t i) HWY_ATTR { return hn::MulAdd(a.part[i], b.part[i], c.part[i]); });
  }
  friend HWY_INLINE Eight multiply_subtract(const Eight& a, const Eight& b, const Eight& c) {
    return each([&](std::size_t i) HWY_ATTR { return hn::MulSub(a.part[i], b.part[i], c.part[i]); });
  }
  friend HWY_INLINE Eight less_product(const Eight& c, const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::NegMulAdd(a.part[i], b.part[i], c.part[i]); });
  }
};

/// Turns rows of four doubles, `from_stride` apart, into columns, `to_stride` apart; `to` is aligned.
HWY_INLINE void transpose_four(const double* from, std::int64_t from_stride, double* to, std::int64_t to_stride) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  if constexpr (Eight::lanes >= 4) {
    const hn::FixedTag<double, 4> tag;
    const auto a = hn::LoadU(tag, from), b = hn::LoadU(tag, from + from_stride);
    const auto c = hn::LoadU(tag, from + 2 * from_stride), d = hn::LoadU(tag, from + 3 * from_stride);
    const auto ab = hn::InterleaveLower(tag, a, b), AB = hn::InterleaveUpper(tag, a, b); // by blocks of two
    const auto cd = hn::InterleaveLower(tag, c, d), CD = hn::InterleaveUpper(tag, c, d);
    hn::StoreU(hn::ConcatLowerLower(tag, cd, ab), tag, to);
    hn::StoreU(hn::ConcatLowerLower(tag, CD, AB), tag, to + to_stride);
    hn::StoreU(hn::ConcatUpperUpper(tag, cd, ab), tag, to + 2 * to_stride);
    hn::StoreU(hn::ConcatUpperUpper(tag, CD, AB), tag, to + 3 * to_stride);
    return;
  }
#endif
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 4; ++j) to[j * to_stride + i] = from[i * from_stride + j];
}

/// The same of eight rows of eight.
HWY_INLINE void transpose_eight(const double* from, std::int64_t from_stride, double* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < 8; i += 4)
    for (std::int64_t j = 0; j < 8; j += 4)
      transpose_four(from + i * from_stride + j, from_stride, to + j * to_stride + i, to_stride);
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
