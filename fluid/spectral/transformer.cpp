#include "fluid/spectral/transformer.hpp"

#include "fluid/spectral/symbols.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/spectral/transformer.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/spectral/transformer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

inline std::unique_ptr<Transformer> make(const SpectrumShape& shape, AlongPlanes columns) {
  return std::make_unique<TransformerOfSet>(shape, columns);
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid::spectral {

HWY_EXPORT(make);

std::unique_ptr<Transformer> make_transformer(const SpectrumShape& shape, AlongPlanes columns) {
  require_length(shape.nx);
  require_length(shape.rows);
  if (columns == AlongPlanes::transformed) require_length(shape.planes);
  return HWY_DYNAMIC_DISPATCH(make)(shape, columns);
}

} // namespace corral::fluid::spectral
#endif
