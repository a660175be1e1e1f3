#pragma once

#include "fluid/spectral/transformer.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace corral::fluid::spectral {

/// The eight lines that stand side by side in a column: numbers of their modes along x, from 0 to nx/2, and along rows,
/// from -rows/2 to rows/2. Lines beyond the last mode or row have both 0, and what is made of them counts for nothing.
struct ColumnOfModes {
  std::array<std::int64_t, SpectrumShape::lanes> x, row;
};
ColumnOfModes column_of_modes(const SpectrumShape&, std::int64_t column);

/// The number of mode m of n with its sign: what is above n/2 runs the other way.
inline std::int64_t signed_mode(std::int64_t m, std::int64_t n) { return 2 * m > n ? m - n : m; }

/// What becomes of modes.
class ModeFunction {
public:
  virtual ~ModeFunction() = default;
  /// `fields`: of each field its amplitudes along planes, place behind place (SpectrumShape): first of those that came,
  /// and to be set for those that go. Any thread may call it for any column.
  virtual void apply(const ColumnOfModes&, std::span<double* const> fields) const = 0;
};

/// Real fields in a box that wraps, transformed together, each mode of theirs made into modes of others, and these
/// transformed back: convolutions with whatever tensors. Spectra are kept once; columns, which a function sees, are
/// transformed and used while they are in cache. Not normalised: what is kept comes back multiplied by nx rows planes.
/// The same bits for any number of threads.
class ModeMap {
public:
  static constexpr std::int64_t most_fields = 32;
  /// `fields`: the most that come or go. Throws Error where they are not 1 to most_fields, or a length has a prime
  /// factor above 7.
  ModeMap(const SpectrumShape&, std::int64_t fields);

  const SpectrumShape& shape() const { return shape_; }
  /// Fields of nx rows planes values, x fastest. `to` may be those of `from`.
  void apply(Cpu, std::span<const double* const> from, const ModeFunction&, std::span<double* const> to);
  std::int64_t bytes() const; ///< held, without what threads hold

private:
  struct Worker {
    std::unique_ptr<Transformer> transformer;
    Array<double> columns;
  };
  SpectrumShape shape_;
  std::int64_t fields_;
  ObjectPool<Worker> workers_;
  std::vector<Array<double>> spectra_;
};

} // namespace corral::fluid::spectral
