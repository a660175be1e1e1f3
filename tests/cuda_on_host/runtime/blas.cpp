#include "cublas_v2.h"
#include "cuda_on_host/cub_device.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <cstddef>
#include <string>

// cuBLAS's calls, term by term in the stream's turn.

using namespace cuda_on_host;

struct cublasContext {
  cudaStream_t stream = nullptr;
};

namespace {

cublasStatus_t status_of(cudaError_t error) { return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED; }

/// Columns of `rows` numbers, as far as they reach.
void check_matrix(const char* which, const double* first, int rows, int columns, int stride) {
  const auto reach = (static_cast<std::size_t>(stride) * static_cast<std::size_t>(columns - 1) + static_cast<std::size_t>(rows)) * sizeof(double);
  if (!state().device.covers(first, reach)) throw Error(std::string("cublasDgemm: ") + which + " is not all device memory");
}

} // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return status_of(call([&] { return *handle = new cublasContext, cudaSuccess; }));
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) { return delete handle, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return handle->stream = stream, CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const double* alpha,
                           const double* a, int lda, const double* b, int ldb, const double* beta, double* c, int ldc) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rows_of_a = of_a == CUBLAS_OP_N ? m : k, rows_of_b = of_b == CUBLAS_OP_N ? k : n;
  if (m < 0 || n < 0 || k < 0 || lda < rows_of_a || ldb < rows_of_b || ldc < m) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (k > 0) {
    check_matrix("a", a, rows_of_a, of_a == CUBLAS_OP_N ? k : m, lda);
    check_matrix("b", b, rows_of_b, of_b == CUBLAS_OP_N ? n : k, ldb);
  }
  check_matrix("c", c, m, n, ldc);
  return status_of(call([&] {
    const std::shared_ptr<Queue> queue = state().streams.queue(handle->stream);
    if (!queue) return cudaErrorInvalidResourceHandle;
    ++state().statistics.products;
    state().streams.push(queue, [=, factor = *alpha, of_old = *beta] {
      const DeviceAccess access;
      const auto at = [](const double* matrix, int stride, cublasOperation_t of, int row, int column) {
        return of == CUBLAS_OP_N ? matrix[row + std::ptrdiff_t{stride} * column] : matrix[column + std::ptrdiff_t{stride} * row];
      };
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < m; ++row) {
          double sum = 0;
          for (int term = 0; term < k; ++term) sum += at(a, lda, of_a, row, term) * at(b, ldb, of_b, term, column);
          double& to = c[row + std::ptrdiff_t{ldc} * column];
          to = of_old == 0 ? factor * sum : factor * sum + of_old * to; // what stands there counts for nothing, be it NaN
        }
    });
    return cudaSuccess;
  }));
}
