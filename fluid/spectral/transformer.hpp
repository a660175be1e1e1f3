#pragma once

#include "fluid/spectral/spectrum_shape.hpp"

#include <cstdint>
#include <memory>

namespace corral::fluid::spectral {

/// Where the real values of a plane come from, row by row.
class RowSource {
public:
  virtual ~RowSource() = default;
  /// Sets rows `row` to `row + count` of a plane, nx values each, `stride` apart. Any thread may call it for any plane.
  virtual void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const = 0;
};

/// Where they go.
class RowSink {
public:
  virtual ~RowSink() = default;
  virtual void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
                     std::int64_t stride) const = 0;
};

/// The parts of a transform that one thread does at a time: planes along x and their rows, and columns along the planes'
/// axis. Not normalised: forward and back multiplies by nx rows planes. The vector code is compiled for several
/// instruction sets and chosen when the object is made.
class Transformer {
public:
  virtual ~Transformer() = default;

  /// `spectrum`: columns() places of the plane, set.
  virtual void forward_plane(const RowSource&, std::int64_t plane, double* spectrum) = 0;
  /// The imaginary parts of what is real in a row's half spectrum are not looked at.
  virtual void backward_plane(const double* spectrum, std::int64_t plane, const RowSink&) = 0;
  /// From `planes` places, `stride` doubles apart, to as many in a row elsewhere.
  virtual void forward_column(const double* from, std::int64_t stride, double* to) = 0;
  /// From places in a row to places `stride` apart.
  virtual void backward_column(const double* from, double* to, std::int64_t stride) = 0;

  virtual std::int64_t bytes() const = 0; ///< memory held
};

/// Throws Error where a length has a prime factor above 7.
std::unique_ptr<Transformer> make_transformer(const SpectrumShape&);

} // namespace corral::fluid::spectral
