#include "structure/radial/device/matrix_products.hpp"

#include <corral/error.hpp>
#include <corral/memory.hpp>

#include <cublas_v2.h>

#include <cassert>
#include <string>

namespace corral::structure::radial {

namespace {

void check_blas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfDeviceMemory();
  throw Error("a product of matrices failed on the device (cuBLAS says " + std::to_string(static_cast<int>(status)) + ")");
}

} // namespace

class MatrixProducts::Handle {
public:
  Handle() { check_blas(cublasCreate(&handle)); }
  ~Handle() { cublasDestroy(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  cublasHandle_t handle = nullptr;
};

MatrixProducts::MatrixProducts() : handle_(std::make_unique<Handle>()) {}
MatrixProducts::~MatrixProducts() = default;

/// cuBLAS has columns where corral has rows: the product is that of the transposed matrices in the other order.
void MatrixProducts::multiply(Gpu gpu, const DeviceMatrix& a, bool transposed, const DeviceMatrix& x, double* to, std::int64_t stride,
                              bool add) {
  const std::int64_t rows = transposed ? a.columns : a.rows, terms = transposed ? a.rows : a.columns;
  assert(x.rows >= terms);
  const double one = 1, of_old = add ? 1 : 0;
  check_blas(cublasSetStream(handle_->handle, gpu.stream));
  check_blas(cublasDgemm(handle_->handle, CUBLAS_OP_N, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, static_cast<int>(x.columns),
                         static_cast<int>(rows), static_cast<int>(terms), &one, x.first, static_cast<int>(x.stride), a.first,
                         static_cast<int>(a.stride), &of_old, to, static_cast<int>(stride)));
}

} // namespace corral::structure::radial
