#pragma once

#include "fluid/spectral/transformer.hpp"

#include <corral/execution.hpp>

#include <complex>
#include <cstdint>

namespace corral::fluid::spectral {

/// Three-dimensional transforms of real fields, forward and back, without a normalisation: one after the other gives
/// nx rows planes times the field. The same bits for any number of threads. Flow solvers do not call this one: they
/// solve column by column between the two halves.
class RealTransform {
public:
  /// Throws Error where a length has a prime factor above 7.
  explicit RealTransform(const SpectrumShape& shape);

  const SpectrumShape& shape() const { return shape_; }
  /// Sets `spectrum`, shape().size() doubles, aligned as Array's memory is.
  void forward(Cpu, const RowSource&, double* spectrum);
  /// Leaves other numbers in `spectrum`.
  void backward(Cpu, double* spectrum, const RowSink&);
  void forward(Cpu, const double* values, double* spectrum);
  void backward(Cpu, double* spectrum, double* values);

private:
  void transform_columns(Cpu, double* spectrum, bool back);

  SpectrumShape shape_;
  ObjectPool<Transformer> transformers_;
};

/// Mode (k, row, plane), 0 <= k < shape.modes().
std::complex<double> mode(const SpectrumShape& shape, const double* spectrum, std::int64_t k, std::int64_t row,
                          std::int64_t plane);

} // namespace corral::fluid::spectral
