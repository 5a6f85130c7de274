// complex_sparse_product: y[r] = sum of a[k] * x[column[k]] for k in row r, of complex numbers.
//
// struct of two floats (8 bytes), int -> struct. In Fettle: map > reduce over two nests, of
// map(multiply, row, gather(x, columns)).
#pragma once

#include <algorithm>
#include <cstddef>

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cusparse.h>
#else
#include <Eigen/SparseCore>
#include <complex>
#endif

namespace suite {

struct complex_sparse_product {
  struct complex {
    float re;
    float im;
  };
  struct add {
    FETTLE_HOST_DEVICE complex operator()(const complex& a, const complex& b) const {
      return {a.re + b.re, a.im + b.im};
    }
  };

  static constexpr const char* name = "complex_sparse_product";
  static constexpr const char* types = "complex<float>";
  static constexpr family shapes = family::rows;
  using output = complex;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-3;

  static auto make(const shape& like) {
    auto offsets = like.offsets(12);
    const index rows = rows_of(offsets);
    // No row has more elements than columns: cuSPARSE refuses such matrices.
    index columns = rows;
    for (std::size_t r = 1; r < offsets.size(); ++r) {
      columns = std::max(columns, offsets[r] - offsets[r - 1]);
    }
    auto draw = [](std::uint64_t seed) {
      return [=](std::uint64_t i) {
        return complex{float(fb::unit(i, seed)), float(fb::unit(i, seed + 1) - 0.5)};
      };
    };
    auto a = filled(offsets.back(), draw(31));
    auto column = integers<index>(offsets.back(), 33, columns);
    return problem(rows, rows, a, column, offsets, filled(columns, draw(34)));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const complex> a, view<const index> column,
                                      view<const index> offsets, view<const complex> x,
                                      view<complex> y) {
    Real re = 0;
    Real im = 0;
#pragma omp simd reduction(+ : re, im)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const complex factor = x[column[k]];
      re += Real(a[k].re) * Real(factor.re) - Real(a[k].im) * Real(factor.im);
      im += Real(a[k].re) * Real(factor.im) + Real(a[k].im) * Real(factor.re);
    }
    y[r] = {float(re), float(im)};
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const complex> a, view<const index> column,
                     view<const index> offsets, view<const complex> x, view<complex> y) {
    a_warp_a_row(
        on.stream, offsets, complex{0, 0},
        [=] __device__(index, index k) {
          const complex factor = x[column[k]];
          return complex{a[k].re * factor.re - a[k].im * factor.im,
                         a[k].re * factor.im + a[k].im * factor.re};
        },
        add{}, [=] __device__(index r, const complex& sum) { y[r] = sum; });
  }

  static constexpr const char* library_name = "cusparse";
  static void library(const device& on, view<const complex> a, view<const index> column,
                      view<const index> offsets, view<const complex> x, view<complex> y) {
    static cusparseHandle_t handle = [] {
      cusparseHandle_t made = nullptr;
      cusparseCreate(&made);
      return made;
    }();
    cusparseSetStream(handle, on.stream);
    cusparseConstSpMatDescr_t matrix = nullptr;
    cusparseConstDnVecDescr_t from = nullptr;
    cusparseDnVecDescr_t to = nullptr;
    cusparseCreateConstCsr(&matrix, y.size(), x.size(), a.size(), offsets.data(), column.data(),
                           a.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_C_32F);
    cusparseCreateConstDnVec(&from, x.size(), x.data(), CUDA_C_32F);
    cusparseCreateDnVec(&to, y.size(), y.data(), CUDA_C_32F);
    const complex one{1, 0};
    const complex zero{0, 0};
    const auto turn = CUSPARSE_OPERATION_NON_TRANSPOSE;
    std::size_t bytes = 0;
    cusparseSpMV_bufferSize(handle, turn, &one, matrix, from, &zero, to, CUDA_C_32F,
                            CUSPARSE_SPMV_CSR_ALG1, &bytes);
    void* const buffer = on.scratch<char>(0, static_cast<index>(bytes)).data();
    const auto status = cusparseSpMV(handle, turn, &one, matrix, from, &zero, to, CUDA_C_32F,
                                     CUSPARSE_SPMV_CSR_ALG1, buffer);
    cusparseDestroySpMat(matrix);
    cusparseDestroyDnVec(from);
    cusparseDestroyDnVec(to);
    if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
  }
#else
  static constexpr const char* library_name = "eigen";
  static void library(const host&, view<const complex> a, view<const index> column,
                      view<const index> offsets, view<const complex> x, view<complex> y) {
    using number = std::complex<float>;
    using vector = Eigen::Matrix<number, Eigen::Dynamic, 1>;
    const auto numbers = [](const complex* p) { return reinterpret_cast<const number*>(p); };
    const Eigen::Map<const Eigen::SparseMatrix<number, Eigen::RowMajor>> matrix(
        y.size(), x.size(), a.size(), offsets.data(), column.data(), numbers(a.data()));
    const Eigen::Map<const vector> from(numbers(x.data()), x.size());
    Eigen::Map<vector> to(reinterpret_cast<number*>(y.data()), y.size());
    to.noalias() = matrix * from;
  }
#endif
};

}  // namespace suite
