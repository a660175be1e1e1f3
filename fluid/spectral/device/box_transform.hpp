#pragma once

#include "fluid/spectral/box_layout.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <cstdint>
#include <memory>

namespace corral::fluid::spectral {

/// A mode's amplitude in memory of a device.
struct alignas(16) Mode {
  double re, im;
};

/// How a real field and its half spectrum lie in the same memory of a device: rows of nx values along x, each with room for its
/// nx/2 + 1 modes, which stand in their place after a transform. Rows stand by y, then by z, as cells do.
struct PaddedBox {
  std::int64_t nx, ny, nz;

  CORRAL_HOST_DEVICE std::int64_t modes() const { return nx / 2 + 1; } ///< along x
  CORRAL_HOST_DEVICE std::int64_t rows() const { return ny * nz; }
  CORRAL_HOST_DEVICE std::int64_t size() const { return 2 * modes() * rows(); } ///< [doubles]
  /// Of value i of a row, j + ny k.
  CORRAL_HOST_DEVICE std::int64_t value(std::int64_t i, std::int64_t row) const { return i + 2 * modes() * row; }
};

/// Fourier transforms of real fields in place on a CUDA device, by cuFFT: of a box that wraps along all axes whole, and between
/// walls in y along x and z alone. As RealTransform's they have no normalisation. cuFFT is seen here alone.
///
/// Both plans are made once, and work in one piece of memory, which is an Array's. Where cuFFT puts its sums in another order
/// than the host, modes differ by round-off.
class BoxTransform {
public:
  /// For lengths that BoxLayout takes. Throws Error where cuFFT or the device refuses.
  explicit BoxTransform(const BoxLayout&);
  ~BoxTransform();
  BoxTransform(const BoxTransform&) = delete;
  BoxTransform& operator=(const BoxTransform&) = delete;

  const PaddedBox& box() const { return box_; }
  // Of box().size() doubles in memory of the device, aligned to 16 bytes. They return before that is done.
  void forward(Gpu, double* field);
  void backward(Gpu, double* field);

private:
  class Plans;
  PaddedBox box_;
  std::unique_ptr<Plans> plans_;
  Array<unsigned char> work_{Memory::device};
};

} // namespace corral::fluid::spectral
