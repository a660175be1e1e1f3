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
  virtual void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to,
                    std::int64_t stride) const = 0;
};

/// Where they go.
class RowSink {
public:
  virtual ~RowSink() = default;
  virtual void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
                     std::int64_t stride) const = 0;
};

/// What becomes of columns, which lie along the planes' axis.
enum class AlongPlanes : std::uint8_t {
  transformed,
  kept ///< planes are transformed, columns only brought together
};

/// The parts of a transform that one thread does at a time: planes along x and their rows, and columns along the
/// planes' axis. Not normalised: forward and back multiplies by nx rows planes. The vector code is compiled for several
/// instruction sets and chosen when the object is made.
class Transformer {
public:
  virtual ~Transformer() = default;

  /// `spectrum`: columns() places of the plane, set.
  virtual void forward_plane(const RowSource&, std::int64_t plane, double* spectrum) = 0;
  /// The imaginary parts of what is real in a row's half spectrum are not looked at.
  virtual void backward_plane(const double* spectrum, std::int64_t plane, const RowSink&) = 0;
  /// Columns beside each other that are worth a call: what lies together in memory is reached together.
  virtual std::int64_t columns_at_once() const = 0;
  /// Transforms `count` columns beside each other, of which the first begins at `from`, to `planes` places in a row,
  /// column behind column. `stride`: from plane to plane, in doubles.
  virtual void forward_columns(const double* from, std::int64_t stride, std::int64_t count, double* to) = 0;
  /// The reverse.
  virtual void backward_columns(const double* from, std::int64_t count, double* to, std::int64_t stride) = 0;
  /// Forward or back, in place.
  virtual void transform_columns(double* columns, std::int64_t stride, std::int64_t count, bool back) = 0;

  virtual std::int64_t bytes() const = 0; ///< memory held
};

/// Throws Error where a length that is transformed has a prime factor above 7.
std::unique_ptr<Transformer> make_transformer(const SpectrumShape&, AlongPlanes = AlongPlanes::transformed);

} // namespace corral::fluid::spectral
