// What one source does to one target (pair_formulas-inl.hpp), for the numbers of an instruction set. Included once per
// set; a file that is compiled once gets them for the machine's plainest one.
#if defined(CORRAL_STOKES_PAIR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_STOKES_PAIR_INL
#undef CORRAL_STOKES_PAIR_INL
#else
#define CORRAL_STOKES_PAIR_INL
#endif

#include "fluid/spectral/lanes/eight-inl.hpp"
#include "stokes/sums/kind.hpp"
#include "stokes/sums/radial.hpp"

#include <concepts>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {
using fluid::spectral::HWY_NAMESPACE::Eight;
using fluid::spectral::HWY_NAMESPACE::transpose;

template <std::floating_point T> HWY_INLINE T multiply_add(T a, T b, T c) { return a * b + c; }

} // namespace corral::stokes::HWY_NAMESPACE

#define CORRAL_PAIR_NAMESPACE HWY_NAMESPACE
#define CORRAL_PAIR_INLINE HWY_INLINE
#include "stokes/near/pair_formulas-inl.hpp"
#undef CORRAL_PAIR_NAMESPACE
#undef CORRAL_PAIR_INLINE

HWY_AFTER_NAMESPACE();
#endif
