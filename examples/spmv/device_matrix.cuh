// A matrix in all formats of a GPU, the vector that it is multiplied with, and cuSPARSE's product.
#pragma once

#include <cmath>
#define DISABLE_CUSPARSE_DEPRECATED  // no warnings: incomplete factors have no successor yet
#include <cusparse.h>
#include <memory>

#include "../support/device.cuh"
#include "device_formats.hpp"
#include "device_kernels.cuh"

namespace spmv::device {

using examples::device::array;
using examples::device::check;

inline void check(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cusparseGetErrorString(status));
}

inline cusparseHandle_t cusparse() {
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t made = nullptr;
    check(cusparseCreate(&made), "cusparseCreate");
    return made;
  }();
  return handle;
}

struct csr_arrays {
  explicit csr_arrays(const csr_matrix<double>& a)
      : rows(a.rows),
        columns_count(a.columns_count),
        offsets(a.row_offsets),
        columns(a.columns),
        values(a.values) {}

  csr_view view() const { return {rows, offsets.data(), columns.data(), values.data()}; }

  int rows;
  int columns_count;
  array<int> offsets;
  array<int> columns;
  array<double> values;
};

/// x, also as a texture.
class vector {
 public:
  explicit vector(const std::vector<double>& host) : values_(host) {
    if (host.empty()) return;
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = values_.data();
    memory.res.linear.desc = cudaCreateChannelDesc<int2>();
    memory.res.linear.sizeInBytes = host.size() * sizeof(double);
    const cudaTextureDesc plain{};
    check(cudaCreateTextureObject(&texture_, &memory, &plain, nullptr), "cudaCreateTextureObject");
  }
  vector(const vector&) = delete;
  vector& operator=(const vector&) = delete;
  ~vector() {
    if (texture_ != 0) cudaDestroyTextureObject(texture_);
  }

  plain_vector plain() const { return {values_.data()}; }
  texture_vector texture() const { return {texture_}; }
  std::size_t size() const { return values_.size(); }

 private:
  array<double> values_;
  cudaTextureObject_t texture_ = 0;
};

/// y = A x by one algorithm of cuSPARSE, whose analysis and buffer are kept.
class library_product {
 public:
  library_product(const csr_arrays& a, cusparseSpMVAlg_t algorithm, const double* x, double* y)
      : algorithm_(algorithm) {
    check(cusparseCreateCsr(&matrix_, a.rows, a.columns_count,
                            static_cast<std::int64_t>(a.values.size()), a.offsets.data(),
                            a.columns.data(), a.values.data(), CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "cusparseCreateCsr");
    check(cusparseCreateDnVec(&x_, a.columns_count, const_cast<double*>(x), CUDA_R_64F),
          "cusparseCreateDnVec");
    check(cusparseCreateDnVec(&y_, a.rows, y, CUDA_R_64F), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_,
                                  &zero_, y_, CUDA_R_64F, algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    buffer_ = array<char>(bytes);
    check(cusparseSpMV_preprocess(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_,
                                  &zero_, y_, CUDA_R_64F, algorithm_, buffer_.data()),
          "cusparseSpMV_preprocess");
  }
  library_product(const library_product&) = delete;
  library_product& operator=(const library_product&) = delete;
  ~library_product() {
    cusparseDestroyDnVec(y_);
    cusparseDestroyDnVec(x_);
    cusparseDestroySpMat(matrix_);
  }

  void operator()(const double* x, double* y) const {
    check(cusparseDnVecSetValues(x_, const_cast<double*>(x)), "cusparseDnVecSetValues");
    check(cusparseDnVecSetValues(y_, y), "cusparseDnVecSetValues");
    check(cusparseSpMV(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, &zero_, y_,
                       CUDA_R_64F, algorithm_, buffer_.data()),
          "cusparseSpMV");
  }

 private:
  static constexpr double one_ = 1;
  static constexpr double zero_ = 0;
  cusparseSpMVAlg_t algorithm_;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  array<char> buffer_;
};

/// All formats whose fill is bounded. Converting belongs to loading a matrix, and what it has found
/// out about the rows on the way is kept.
struct formats {
  explicit formats(csr_matrix<double> given) : host(std::move(given)), csr(host) {
    longest = longest_row(host);
    row_deviation = row_length_deviation_of(host);
    lines = lines_a_warp(host);
    const auto rows = static_cast<double>(detail::padded(host.rows));
    const double nonzeros = std::max(1, host.nonzeros());
    auto diagonals = occupied_diagonals(host);
    dia_fill = host.nonzeros() == 0 ? 1 : rows * static_cast<double>(diagonals.size()) / nonzeros;
    ell_fill = host.nonzeros() == 0 ? 1 : rows * longest / nonzeros;
    if (dia_fill <= largest_fill) {
      const auto dia = column_major_dia_of(host, std::move(diagonals));
      dia_stride = static_cast<std::int64_t>(dia.stride);
      dia_offsets = array<int>(dia.offsets);
      dia_values = array<double>(dia.values);
    }
    if (ell_fill <= largest_fill) {
      const auto ell = column_major_ell_of(host, longest);
      ell_stride = static_cast<std::int64_t>(ell.stride);
      ell_columns = array<int>(ell.columns);
      ell_values = array<double>(ell.values);
    }
    const auto sell = warp_sell_of(host);
    sell_fill = host.nonzeros() == 0 ? 1 : static_cast<double>(sell.columns.size()) / nonzeros;
    if (sell_fill <= largest_fill) {
      sell_order = array<int>(sell.order);
      sell_offsets = array<std::int64_t>(sell.slice_offsets);
      sell_columns = array<int>(sell.columns);
      sell_values = array<double>(sell.values);
    }
  }

  csr_matrix<double> host;
  csr_arrays csr;
  index longest = 0;
  double row_deviation = 0;
  double lines = 1;
  double dia_fill = 1;
  double ell_fill = 1;
  double sell_fill = 1;
  std::int64_t dia_stride = 0;
  array<int> dia_offsets;
  array<double> dia_values;
  std::int64_t ell_stride = 0;
  array<int> ell_columns;
  array<double> ell_values;
  array<int> sell_order;
  array<std::int64_t> sell_offsets;
  array<int> sell_columns;
  array<double> sell_values;
  std::unique_ptr<const library_product> library[2];  ///< ALG1, ALG2; none without entries
};

}  // namespace spmv::device
