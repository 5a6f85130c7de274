// All products of points and centroids as one matrix product, by Eigen or cuBLAS.
#pragma once

#include "../support/platform.hpp"

#ifdef __CUDACC__
#include <cublas_v2.h>
#include <string>
#else
#include <Eigen/Core>
#endif

namespace examples {

/// products[i * k + j] = points[i] . centroids[j], for k centroids; rows of `dimension` numbers.
template <typename Platform>
class matrix_product;

#ifndef __CUDACC__

template <>
class matrix_product<ndp::platform::openmp> {
 public:
  explicit matrix_product(const ndp::platform::openmp& /*on*/) {}

  void operator()(ndp::sequence<const double> points, ndp::sequence<const double> centroids,
                  ndp::index_t dimension, ndp::sequence<double> products) const {
    using rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const ndp::index_t n = points.size() / dimension;
    const ndp::index_t k = centroids.size() / dimension;
    Eigen::Map<rows>(products.data(), n, k).noalias() =
        Eigen::Map<const rows>(points.data(), n, dimension) *
        Eigen::Map<const rows>(centroids.data(), k, dimension).transpose();
  }
};

#else

template <>
class matrix_product<ndp::platform::cuda> {
 public:
  explicit matrix_product(const ndp::platform::cuda& on) {
    check(cublasCreate(&handle_), "cublasCreate");
    check(cublasSetStream(handle_, on.stream), "cublasSetStream");
  }
  matrix_product(const matrix_product&) = delete;
  matrix_product& operator=(const matrix_product&) = delete;
  ~matrix_product() { cublasDestroy(handle_); }

  void operator()(ndp::sequence<const double> points, ndp::sequence<const double> centroids,
                  ndp::index_t dimension, ndp::sequence<double> products) const {
    // cuBLAS counts by columns: what it takes for a matrix is the transpose of these rows, so it is
    // asked for products^T = centroids * points^T.
    const auto n = static_cast<int>(points.size() / dimension);
    const auto k = static_cast<int>(centroids.size() / dimension);
    const auto d = static_cast<int>(dimension);
    const double one = 1;
    const double zero = 0;
    check(cublasDgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, k, n, d, &one, centroids.data(), d,
                      points.data(), d, &zero, products.data(), k),
          "cublasDgemm");
  }

 private:
  static void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
      throw fettle::error(std::string(what) + ": " + cublasGetStatusString(status));
    }
  }

  cublasHandle_t handle_ = nullptr;
};

#endif

}  // namespace examples
