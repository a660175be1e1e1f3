#pragma once

#include <corral/host_device.hpp>

// Philox needs none of the x86 instructions, whose headers take a second to read. All of Random123 that a file reads must
// agree on that.
#define R123_USE_AES_NI 0
#define R123_USE_SSE 0
#define R123_USE_SSE4_1 0
#define R123_USE_SSE4_2 0
#define R123_USE_X86INTRIN_H 0
#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

namespace corral::run {

/// What a random number is for; numbers of different purposes are independent. Values are part of the results:
/// add new ones at the end.
enum class Purpose : std::uint8_t { position, size, velocity, count, orientation, isotropy, brownian };

/// Random numbers without state: Philox 4x32-10 (Salmon et al. 2011) of (seed, purpose, step, id, draw). The same
/// arguments give the same number on every thread and processor, whatever else was drawn. `step` < 2^40 and
/// `draw` < 2^17; `id` is the parcel's permanent number, or that of whatever else the number belongs to.
class Random {
public:
  explicit CORRAL_HOST_DEVICE Random(std::uint64_t seed) : seed_(seed) {}

  /// In [0, 1), a multiple of 2^-53.
  CORRAL_HOST_DEVICE double uniform(Purpose purpose, std::int64_t step, std::uint64_t id, int draw = 0) const {
    return static_cast<double>(bits(purpose, step, id, draw) >> 11) * 0x1p-53;
  }

  /// In (0, 1), symmetric about 1/2: an odd multiple of 2^-53.
  CORRAL_HOST_DEVICE double uniform_open(Purpose purpose, std::int64_t step, std::uint64_t id, int draw = 0) const {
    return (static_cast<double>(bits(purpose, step, id, draw) >> 12) + 0.5) * 0x1p-52;
  }

  /// Mean 0, variance 1 (Box and Muller 1958); takes up the uniform draws 2 draw and 2 draw + 1, so `draw` < 2^16.
  CORRAL_HOST_DEVICE double normal(Purpose purpose, std::int64_t step, std::uint64_t id, int draw = 0) const {
    constexpr double two_pi = 6.283185307179586;
    const double radius = std::sqrt(-2.0 * std::log(uniform_open(purpose, step, id, 2 * draw)));
    return radius * std::cos(two_pi * uniform(purpose, step, id, 2 * draw + 1));
  }

  /// 64 random bits. A Philox block holds two draws.
  CORRAL_HOST_DEVICE std::uint64_t bits(Purpose purpose, std::int64_t step, std::uint64_t id, int draw) const {
    const auto s = static_cast<std::uint64_t>(step);
    const auto block = static_cast<std::uint32_t>(draw / 2);
    const r123::Philox4x32::ctr_type counter{
        {low(id), high(id), low(s), high(s) << 24 | block << 8 | static_cast<std::uint32_t>(purpose)}};
    const r123::Philox4x32::key_type key{{low(seed_), high(seed_)}};
    const r123::Philox4x32::ctr_type r = r123::Philox4x32{}(counter, key);
    return draw % 2 == 0 ? join(r[0], r[1]) : join(r[2], r[3]);
  }

private:
  static CORRAL_HOST_DEVICE std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static CORRAL_HOST_DEVICE std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
  static CORRAL_HOST_DEVICE std::uint64_t join(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint64_t>(b) << 32 | a;
  }

  std::uint64_t seed_;
};

} // namespace corral::run
