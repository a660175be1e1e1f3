// A fixed number of values in the registers of one instruction set. Included once per set; the guard is Highway's.
#if defined(CORRAL_CPU_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_PACK_INL
#undef CORRAL_CPU_PACK_INL
#else
#define CORRAL_CPU_PACK_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <utility>

#undef CORRAL_WHOLE_REGISTERS // Highway's scalar sets have no operations on parts of a register
#define CORRAL_WHOLE_REGISTERS (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Masked loads and stores leave the memory of the other lanes alone. Where the instruction set has none, Highway
/// reads and rewrites whole registers, which other threads may be writing.
constexpr bool masks_guard_memory = !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && !HWY_IS_ASAN);

/// N values (1, 2, 4 or 8) in one register where the instruction set has registers that wide, else in several. Every
/// operation is the same arithmetic on each value, so that all instruction sets with a fused multiply-add give the
/// same bits. Friends say HWY_ATTR: g++ hands them nothing of HWY_BEFORE_NAMESPACE, and what is compiled without
/// optimisation would then look for registers on the stack.
template <class T, std::size_t N> struct Pack {
  static constexpr std::size_t lanes = HWY_LANES(T) < N ? HWY_LANES(T) : N;
  static constexpr std::size_t parts = N / lanes;
  using D = hn::FixedTag<T, lanes>;
  hn::Vec<D> part[parts];

  static HWY_INLINE Pack zero() { return all(T(0)); }
  static HWY_INLINE Pack all(T value) {
    Pack p;
    for (auto& v : p.part) v = hn::Set(D(), value);
    return p;
  }
  static HWY_INLINE Pack load(const T* from) {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::LoadU(D(), from + i * lanes);
    return p;
  }
  HWY_INLINE void store(T* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(part[i], D(), to + i * lanes);
  }
  friend HWY_ATTR HWY_INLINE Pack operator*(const Pack& a, const Pack& b) {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::Mul(a.part[i], b.part[i]);
    return p;
  }
  friend HWY_ATTR HWY_INLINE Pack operator+(const Pack& a, const Pack& b) {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::Add(a.part[i], b.part[i]);
    return p;
  }
  friend HWY_ATTR HWY_INLINE Pack operator-(const Pack& a, const Pack& b) {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::Sub(a.part[i], b.part[i]);
    return p;
  }
  /// a * b + c
  friend HWY_ATTR HWY_INLINE Pack fma(const Pack& a, const Pack& b, const Pack& c) {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::MulAdd(a.part[i], b.part[i], c.part[i]);
    return p;
  }
  HWY_INLINE Pack positive_part() const {
    Pack p;
    for (std::size_t i = 0; i < parts; ++i) p.part[i] = hn::Max(part[i], hn::Zero(D()));
    return p;
  }
};

/// The first and the last half of the values.
template <class T, std::size_t N> HWY_INLINE Pack<T, N / 2> low(const Pack<T, N>& a) {
  Pack<T, N / 2> r;
#if CORRAL_WHOLE_REGISTERS
  if constexpr (Pack<T, N>::parts == 1)
    r.part[0] = hn::LowerHalf(typename Pack<T, N / 2>::D(), a.part[0]);
  else
#endif
    for (std::size_t i = 0; i < r.parts; ++i) r.part[i] = a.part[i];
  return r;
}
template <class T, std::size_t N> HWY_INLINE Pack<T, N / 2> high(const Pack<T, N>& a) {
  Pack<T, N / 2> r;
#if CORRAL_WHOLE_REGISTERS
  if constexpr (Pack<T, N>::parts == 1)
    r.part[0] = hn::UpperHalf(typename Pack<T, N / 2>::D(), a.part[0]);
  else
#endif
    for (std::size_t i = 0; i < r.parts; ++i) r.part[i] = a.part[r.parts + i];
  return r;
}

/// Four values, and the same again.
template <class T> HWY_INLINE Pack<T, 8> twice(const Pack<T, 4>& a) {
  Pack<T, 8> r;
#if CORRAL_WHOLE_REGISTERS
  if constexpr (Pack<T, 8>::parts == 1)
    r.part[0] = hn::Combine(typename Pack<T, 8>::D(), a.part[0], a.part[0]);
  else
#endif
    for (std::size_t i = 0; i < r.parts; ++i) r.part[i] = a.part[i % a.parts];
  return r;
}

/// The sums of a's and of b's values, in two parts each: a, b, a, b. `joined` adds the parts.
template <class T> HWY_INLINE Pack<T, 4> pair_sums(const Pack<T, 8>& a, const Pack<T, 8>& b) {
#if CORRAL_WHOLE_REGISTERS
  const typename Pack<T, 8>::D tag;
  Pack<T, 8> pairs;
  for (std::size_t i = 0; i < pairs.parts; ++i)
    pairs.part[i] =
        hn::Add(hn::InterleaveLower(tag, a.part[i], b.part[i]), hn::InterleaveUpper(tag, a.part[i], b.part[i]));
  return low(pairs) + high(pairs);
#else
  T va[8], vb[8];
  a.store(va), b.store(vb);
  const T sums[4] = {va[0] + va[1] + va[2] + va[3], vb[0] + vb[1] + vb[2] + vb[3], va[4] + va[5] + va[6] + va[7],
                     vb[4] + vb[5] + vb[6] + vb[7]};
  return Pack<T, 4>::load(sums);
#endif
}

/// The sums whose parts two pairs hold: a, b, c, d.
template <class T> HWY_INLINE Pack<T, 4> joined(const Pack<T, 4>& ab, const Pack<T, 4>& cd) {
  Pack<T, 4> r;
#if CORRAL_WHOLE_REGISTERS
  if constexpr (Pack<T, 4>::parts == 1) {
    const typename Pack<T, 4>::D tag;
    r.part[0] = hn::Add(hn::ConcatLowerLower(tag, cd.part[0], ab.part[0]),
                        hn::ConcatUpperUpper(tag, cd.part[0], ab.part[0]));
    return r;
  }
#endif
  for (std::size_t i = 0, half = r.parts / 2; i < half; ++i) {
    r.part[i] = hn::Add(ab.part[i], ab.part[half + i]);
    r.part[half + i] = hn::Add(cd.part[i], cd.part[half + i]);
  }
  return r;
}

/// Turns four rows of four values into columns, in place.
template <class T> HWY_INLINE void transpose(Pack<T, 4>& a, Pack<T, 4>& b, Pack<T, 4>& c, Pack<T, 4>& d) {
#if CORRAL_WHOLE_REGISTERS
  if constexpr (Pack<T, 4>::parts == 1) {
    const typename Pack<T, 4>::D tag;
    if constexpr (sizeof(T) == 4) { // one block of 128 bits
      const auto ab = hn::InterleaveLower(tag, a.part[0], b.part[0]), AB = hn::InterleaveUpper(tag, a.part[0], b.part[0]);
      const auto cd = hn::InterleaveLower(tag, c.part[0], d.part[0]), CD = hn::InterleaveUpper(tag, c.part[0], d.part[0]);
      a.part[0] = hn::ConcatLowerLower(tag, cd, ab);
      b.part[0] = hn::ConcatUpperUpper(tag, cd, ab);
      c.part[0] = hn::ConcatLowerLower(tag, CD, AB);
      d.part[0] = hn::ConcatUpperUpper(tag, CD, AB);
    } else { // two blocks, each interleaved on its own
      const auto ab = hn::InterleaveLower(tag, a.part[0], b.part[0]), AB = hn::InterleaveUpper(tag, a.part[0], b.part[0]);
      const auto cd = hn::InterleaveLower(tag, c.part[0], d.part[0]), CD = hn::InterleaveUpper(tag, c.part[0], d.part[0]);
      a.part[0] = hn::ConcatLowerLower(tag, cd, ab);
      b.part[0] = hn::ConcatLowerLower(tag, CD, AB);
      c.part[0] = hn::ConcatUpperUpper(tag, cd, ab);
      d.part[0] = hn::ConcatUpperUpper(tag, CD, AB);
    }
    return;
  }
#endif
  T v[16];
  a.store(v), b.store(v + 4), c.store(v + 8), d.store(v + 12);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) std::swap(v[4 * i + j], v[4 * j + i]);
  a = Pack<T, 4>::load(v), b = Pack<T, 4>::load(v + 4), c = Pack<T, 4>::load(v + 8), d = Pack<T, 4>::load(v + 12);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
