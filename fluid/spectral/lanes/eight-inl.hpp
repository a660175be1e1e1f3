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
/// sets with a fused multiply-add give the same bits. `load` and `store` are of aligned memory. Friends say HWY_ATTR,
/// which g++ does not hand them from HWY_BEFORE_NAMESPACE.
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
  static HWY_INLINE Eight load_anywhere(const double* from) {
    Eight p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::LoadU(D(), from + i * lanes);
    return p;
  }
  HWY_INLINE void store_anywhere(double* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(part[i], D(), to + i * lanes);
  }
  HWY_INLINE double first() const { return hn::GetLane(part[0]); }
  /// In a fixed order.
  HWY_INLINE double sum() const {
    alignas(64) double v[8];
    store(v);
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
  }

  template <class F> static HWY_INLINE Eight each(F f) {
    Eight p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = f(i);
    return p;
  }
  friend HWY_ATTR HWY_INLINE Eight operator+(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Add(a.part[i], b.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight operator-(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sub(a.part[i], b.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight operator*(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Mul(a.part[i], b.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight operator/(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Div(a.part[i], b.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight operator-(const Eight& a) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Neg(a.part[i]); });
  }
  /// a b + c, a b - c, c - a b
  friend HWY_ATTR HWY_INLINE Eight multiply_add(const Eight& a, const Eight& b, const Eight& c) {
    return each([&](std::size_t i) HWY_ATTR { return hn::MulAdd(a.part[i], b.part[i], c.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight multiply_subtract(const Eight& a, const Eight& b, const Eight& c) {
    return each([&](std::size_t i) HWY_ATTR { return hn::MulSub(a.part[i], b.part[i], c.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight less_product(const Eight& c, const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::NegMulAdd(a.part[i], b.part[i], c.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight sqrt(const Eight& a) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sqrt(a.part[i]); });
  }
  friend HWY_ATTR HWY_INLINE Eight smaller(const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Min(a.part[i], b.part[i]); });
  }
  /// 2^x a, for whole numbers x, as sums with 1.5 2^52: their last bits are x.
  friend HWY_ATTR HWY_INLINE Eight times_power_of_2(const Eight& a, const Eight& x) {
    constexpr hn::RebindToUnsigned<D> bits;
    return each([&](std::size_t i) HWY_ATTR {
      return hn::BitCast(D(), hn::Add(hn::BitCast(bits, a.part[i]), hn::ShiftLeft<52>(hn::BitCast(bits, x.part[i]))));
    });
  }
  /// `a` where `low` < `high`, else `b`.
  friend HWY_ATTR HWY_INLINE Eight choose_less(const Eight& low, const Eight& high, const Eight& a, const Eight& b) {
    return each([&](std::size_t i) HWY_ATTR {
      return hn::IfThenElse(hn::Lt(low.part[i], high.part[i]), a.part[i], b.part[i]);
    });
  }
  /// What `a` is where `low` < `high`, else 0.
  friend HWY_ATTR HWY_INLINE Eight where_less(const Eight& low, const Eight& high, const Eight& a) {
    return each([&](std::size_t i) HWY_ATTR { return hn::IfThenElseZero(hn::Lt(low.part[i], high.part[i]), a.part[i]); });
  }
};

/// Turns eight rows of eight into columns, in place.
HWY_INLINE void transpose(Eight (&r)[8]) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const Eight::D tag;
  if constexpr (Eight::lanes >= 4)
    for (std::size_t i = 0; i < 8; i += 2) // blocks of two by two
      for (std::size_t p = 0; p < Eight::parts; ++p) {
        const auto even = r[i].part[p], odd = r[i + 1].part[p];
        r[i].part[p] = hn::InterleaveLower(tag, even, odd);
        r[i + 1].part[p] = hn::InterleaveUpper(tag, even, odd);
      }
  if constexpr (Eight::lanes == 8) {
    for (std::size_t i = 0; i < 2; ++i) { // four rows of four blocks
      const auto a = r[i].part[0], b = r[2 + i].part[0], c = r[4 + i].part[0], d = r[6 + i].part[0];
      const auto ac = hn::ConcatLowerLower(tag, c, a), AC = hn::ConcatUpperUpper(tag, c, a);
      const auto bd = hn::ConcatLowerLower(tag, d, b), BD = hn::ConcatUpperUpper(tag, d, b);
      r[i].part[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(bd), ac);
      r[2 + i].part[0] = hn::OddEvenBlocks(bd, hn::SwapAdjacentBlocks(ac));
      r[4 + i].part[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(BD), AC);
      r[6 + i].part[0] = hn::OddEvenBlocks(BD, hn::SwapAdjacentBlocks(AC));
    }
    return;
  } else if constexpr (Eight::lanes == 4) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Eight a = r[i], b = r[2 + i], c = r[4 + i], d = r[6 + i];
      r[i].part[0] = hn::ConcatLowerLower(tag, b.part[0], a.part[0]);
      r[2 + i].part[0] = hn::ConcatUpperUpper(tag, b.part[0], a.part[0]);
      r[i].part[1] = hn::ConcatLowerLower(tag, d.part[0], c.part[0]);
      r[2 + i].part[1] = hn::ConcatUpperUpper(tag, d.part[0], c.part[0]);
      r[4 + i].part[0] = hn::ConcatLowerLower(tag, b.part[1], a.part[1]);
      r[6 + i].part[0] = hn::ConcatUpperUpper(tag, b.part[1], a.part[1]);
      r[4 + i].part[1] = hn::ConcatLowerLower(tag, d.part[1], c.part[1]);
      r[6 + i].part[1] = hn::ConcatUpperUpper(tag, d.part[1], c.part[1]);
    }
    return;
  }
#endif
  alignas(64) double rows[64], columns[64];
  for (std::size_t i = 0; i < 8; ++i) r[i].store(rows + 8 * i);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) columns[8 * j + i] = rows[8 * i + j];
  for (std::size_t i = 0; i < 8; ++i) r[i] = Eight::load(columns + 8 * i);
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
