// The product by others: MKL where the program is linked with it; cuSPARSE's two CSR algorithms and
// CUSP's kernel on a GPU. A plain loop over the rows is there on the processor in any case.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../common/bench.hpp"

#ifdef __CUDACC__
#include "../../common/ndp/cusparse.hpp"
#include "csr_vector.cuh"
#elif defined(FETTLE_WITH_MKL)
#include "../../common/ndp/mkl_product.hpp"
#endif

namespace ndp_tuned {

/// y = A x, by pointers.
struct product_arrays {
  int rows;
  int columns_count;
  int nonzeros;
  const int* offsets;
  const int* columns;
  const double* values;
  const double* x;
  double* y;
};

#ifdef __CUDACC__

inline void add_references(std::vector<fb::contender>& all, const platform_type& on,
                           const product_arrays& a) {
  const auto vector_kernel = [&](const char* name, int threads_a_row) {
    all.push_back({name, fb::kind::peer, [on, a, threads_a_row] {
                     csr_vector(on.stream, threads_a_row, a.rows, a.offsets, a.columns, a.values,
                                a.x, a.y);
                   }});
  };
  vector_kernel("warp_per_row", 32);
  vector_kernel("cusp", cusp_threads_a_row(a.rows, a.nonzeros));

  const std::shared_ptr<cusparseContext> handle(
      [&] {
        cusparseHandle_t made = nullptr;
        ndp_gpu::check(cusparseCreate(&made), "cusparseCreate");
        ndp_gpu::check(cusparseSetStream(made, on.stream), "cusparseSetStream");
        return made;
      }(),
      [](cusparseHandle_t made) { cusparseDestroy(made); });
  const auto by_cusparse = [&](const char* name, cusparseSpMVAlg_t algorithm) {
    const auto product = std::make_shared<ndp_gpu::cusparse_product<double>>(
        handle.get(), algorithm, a.rows, a.columns_count, a.nonzeros, a.offsets, a.columns,
        a.values, a.x, a.y);
    all.push_back({name, fb::kind::peer, [handle, product] { (*product)(); }});
  };
  by_cusparse("cusparse_alg1", CUSPARSE_SPMV_CSR_ALG1);
  by_cusparse("cusparse_alg2", CUSPARSE_SPMV_CSR_ALG2);
}

#else

inline void add_references(std::vector<fb::contender>& all, const platform_type& /*on*/,
                           const product_arrays& a) {
#ifdef FETTLE_WITH_MKL
  const auto product = std::make_shared<ndp_cpu::mkl_product<double>>(
      a.rows, a.columns_count, a.offsets, a.columns, a.values, a.x, a.y);
  all.push_back({"mkl", fb::kind::peer, [product] { (*product)(); }});
#endif
  all.push_back({"loop", fb::kind::peer, [a] {
#pragma omp parallel for schedule(static)
                   for (int row = 0; row < a.rows; ++row) {
                     double sum = 0;
#pragma omp simd reduction(+ : sum)
                     for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
                       sum += a.values[k] * a.x[a.columns[k]];
                     }
                     a.y[row] = sum;
                   }
                 }});
}

#endif

}  // namespace ndp_tuned
