#pragma once

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/object_pool.hpp"

#include <algorithm>
#include <array>
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

/// Rows of a box of values, x fastest.
class RowsOfArray final : public RowSource, public RowSink {
public:
  RowsOfArray(const SpectrumShape& shape, const double* from, double* to) : shape_(shape), from_(from), to_(to) {}
  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override {
    for (std::int64_t r = 0; r < count; ++r) std::copy_n(from_ + place(plane, row + r), shape_.nx, to + r * stride);
  }
  void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
             std::int64_t stride) const override {
    for (std::int64_t r = 0; r < count; ++r) std::copy_n(from + r * stride, shape_.nx, to_ + place(plane, row + r));
  }

private:
  std::int64_t place(std::int64_t plane, std::int64_t row) const { return shape_.nx * (row + shape_.rows * plane); }
  SpectrumShape shape_;
  const double* from_;
  double* to_;
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
};

/// Throws Error where a length that is transformed has a prime factor above 7.
std::unique_ptr<Transformer> make_transformer(const SpectrumShape&, AlongPlanes = AlongPlanes::transformed);

/// Values of component d as they are, times a factor, plus numbers: everywhere, and beside the low and the high wall.
class FieldRows final : public RowSource {
public:
  FieldRows(const BoxLayout& layout, int d, const double* values, double factor, double more = 0,
            const std::array<double, 2>& beside_walls = {})
      : layout_(layout), d_(d), values_(values), factor_(factor), more_(more), beside_walls_(beside_walls) {}
  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override;

private:
  const BoxLayout& layout_;
  int d_;
  const double* values_;
  double factor_, more_;
  std::array<double, 2> beside_walls_;
};

/// values = start + factor times what comes, of component d; nothing is added to where start is null.
class StoredRows final : public RowSink {
public:
  StoredRows(const BoxLayout& layout, int d, const double* start, double* values, double factor = 1)
      : layout_(layout), d_(d), start_(start), values_(values), factor_(factor) {}
  void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
             std::int64_t stride) const override;

private:
  const BoxLayout& layout_;
  int d_;
  const double* start_;
  double* values_;
  double factor_;
};

} // namespace corral::fluid::spectral
