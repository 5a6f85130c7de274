// A product by MKL's inspector-executor routines; the inspection comes before the clock starts.
// Included only where FETTLE_MKL_ROOT names an MKL.
#pragma once

#include <mkl_spblas.h>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace ndp_cpu {

inline void check(sparse_status_t status, const char* what) {
  if (status == SPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": MKL's status " + std::to_string(status));
}

template <typename T>
class mkl_product {
 public:
  /// MKL takes arrays that it may write to; it does not write to these.
  mkl_product(int rows, int columns, const int* offsets, const int* column_indices, const T* values,
              const T* x, T* y)
      : x_(x), y_(y) {
    auto* begins = const_cast<int*>(offsets);
    auto* indices = const_cast<int*>(column_indices);
    auto* elements = const_cast<T*>(values);
    if constexpr (std::is_same_v<T, double>) {
      check(mkl_sparse_d_create_csr(&matrix_, SPARSE_INDEX_BASE_ZERO, rows, columns, begins,
                                    begins + 1, indices, elements),
            "mkl_sparse_d_create_csr");
    } else {
      check(mkl_sparse_s_create_csr(&matrix_, SPARSE_INDEX_BASE_ZERO, rows, columns, begins,
                                    begins + 1, indices, elements),
            "mkl_sparse_s_create_csr");
    }
    description_.type = SPARSE_MATRIX_TYPE_GENERAL;
    check(mkl_sparse_set_mv_hint(matrix_, SPARSE_OPERATION_NON_TRANSPOSE, description_, 1000),
          "mkl_sparse_set_mv_hint");
    check(mkl_sparse_optimize(matrix_), "mkl_sparse_optimize");
  }
  mkl_product(const mkl_product&) = delete;
  mkl_product& operator=(const mkl_product&) = delete;
  ~mkl_product() { mkl_sparse_destroy(matrix_); }

  void operator()() const {
    if constexpr (std::is_same_v<T, double>) {
      check(
          mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1.0, matrix_, description_, x_, 0.0, y_),
          "mkl_sparse_d_mv");
    } else {
      check(mkl_sparse_s_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1.0f, matrix_, description_, x_, 0.0f,
                            y_),
            "mkl_sparse_s_mv");
    }
  }

 private:
  sparse_matrix_t matrix_ = nullptr;
  matrix_descr description_{};
  const T* x_;
  T* y_;
};

}  // namespace ndp_cpu
