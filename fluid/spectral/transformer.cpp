#include "fluid/spectral/transformer.hpp"

#include "fluid/spectral/lengths.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/spectral/transformer.cpp"
#include "fluid/spectral/instruction_sets.hpp"

#include "fluid/spectral/transformer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

inline std::unique_ptr<Transformer> make(const SpectrumShape& shape) { return std::make_unique<TransformerOfSet>(shape); }

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid::spectral {

HWY_EXPORT(make);

std::unique_ptr<Transformer> make_transformer(const SpectrumShape& shape) {
  for (const std::int64_t n : {shape.nx, shape.rows, shape.planes}) require_length(n);
  return HWY_DYNAMIC_DISPATCH(make)(shape);
}

} // namespace corral::fluid::spectral
#endif
