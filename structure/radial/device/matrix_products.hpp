#pragma once

#include <corral/execution.hpp>

#include <cstdint>
#include <memory>

namespace corral::structure::radial {

/// A matrix in memory of a device: `rows` rows of `columns` numbers, `stride` apart.
struct DeviceMatrix {
  const double* first;
  std::int64_t rows, columns, stride;
};

/// Products of dense matrices on a CUDA device, by cuBLAS, which is seen here alone. Its manual promises the same bits in every run
/// on devices of one kind, where one stream works. Returns before its work is done.
class MatrixProducts {
public:
  MatrixProducts(); ///< throws Error where cuBLAS refuses
  ~MatrixProducts();
  MatrixProducts(const MatrixProducts&) = delete;
  MatrixProducts& operator=(const MatrixProducts&) = delete;

  /// to = a x, or a^T x where `transposed`, added to what stands there where `add`; rows of `to` are `stride` apart. Throws Error where
  /// cuBLAS refuses.
  void multiply(Gpu, const DeviceMatrix& a, bool transposed, const DeviceMatrix& x, double* to, std::int64_t stride, bool add);

private:
  class Handle;
  std::unique_ptr<Handle> handle_;
};

} // namespace corral::structure::radial
