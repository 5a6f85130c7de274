// A product by cuSPARSE's CSR algorithms, prepared: descriptors, memory and preprocessing come
// before the clock starts.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "device.cuh"

namespace ndp_gpu {

inline void check(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + cusparseGetErrorString(status));
}

/// y = A x by one algorithm. Each has its descriptor of the matrix, because a descriptor
/// remembers the preprocessing of one algorithm only.
template <typename T>
class cusparse_product {
 public:
  cusparse_product(cusparseHandle_t handle, cusparseSpMVAlg_t algorithm, int rows, int columns,
                   int nonzeros, const int* offsets, const int* column_indices, const T* values,
                   const T* x, T* y)
      : handle_(handle), algorithm_(algorithm) {
    check(cusparseCreateCsr(&matrix_, rows, columns, nonzeros, const_cast<int*>(offsets),
                            const_cast<int*>(column_indices), const_cast<T*>(values),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
          "cusparseCreateCsr");
    check(cusparseCreateDnVec(&x_, columns, const_cast<T*>(x), type), "cusparseCreateDnVec");
    check(cusparseCreateDnVec(&y_, rows, y, type), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_,
                                  &zero_, y_, type, algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    buffer_ = device_array<char>(bytes > 0 ? bytes : 1);
    check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_,
                                  &zero_, y_, type, algorithm_, buffer_.data()),
          "cusparseSpMV_preprocess");
  }
  cusparse_product(const cusparse_product&) = delete;
  cusparse_product& operator=(const cusparse_product&) = delete;
  ~cusparse_product() {
    cusparseDestroyDnVec(y_);
    cusparseDestroyDnVec(x_);
    cusparseDestroySpMat(matrix_);
  }

  void operator()() const {
    check(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, &zero_, y_,
                       type, algorithm_, buffer_.data()),
          "cusparseSpMV");
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

  T one_ = 1;
  T zero_ = 0;
  cusparseHandle_t handle_;
  cusparseSpMVAlg_t algorithm_;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  device_array<char> buffer_;
};

}  // namespace ndp_gpu
