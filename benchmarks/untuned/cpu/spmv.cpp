// Sparse matrix times vector: Fettle's default rule on OpenMP, Eigen's row-major product (which
// starts OpenMP's threads above 20 000 nonzeros), MKL's inspector-executor routines, and oneTBB's
// parallel_for over the rows with a loop that vectorises.
#include <Eigen/SparseCore>
#include <memory>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <fettle/ndp/execute.hpp>

#include "../../common/ndp/computations.hpp"
#include "bench.hpp"

#ifdef FETTLE_WITH_MKL
#include "../../common/ndp/mkl_product.hpp"
#endif

namespace ndp_cpu {

namespace {

template <typename T>
[[nodiscard]] T simd_dot(const T* values, const fb::index* columns, fb::index count, const T* x) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (fb::index k = 0; k < count; ++k) sum += values[k] * x[columns[k]];
  return sum;
}

template <typename T>
void compare_product(bench& b, const fb::csr& a, const std::vector<std::int32_t>& reference) {
  const auto values = b.first_values<T>(a.nonzeros());
  const auto x = b.first_of_vector<T>(a.columns_count);
  std::vector<T> y(static_cast<std::size_t>(a.rows()));

  using matrix = Eigen::SparseMatrix<T, Eigen::RowMajor, fb::index>;
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  const Eigen::Map<const matrix> mapped(a.rows(), a.columns_count, a.nonzeros(), a.offsets.data(),
                                        a.columns.data(), values.data());
  const Eigen::Map<const vector> in(x.data(), a.columns_count);
  Eigen::Map<vector> out(y.data(), a.rows());

  const auto product = fb::sparse_product(
      values, ndp::sequence<const fb::index>(a.columns.data(), a.nonzeros()),
      ndp::sequence<const fb::index>(a.offsets.data(), std::int64_t{a.rows()} + 1), x);
  const ndp::sequence<T> destination(y.data(), a.rows());
  fb::comparison c{{"spmv", a.name, type_name<T>(), a.rows(), a.nonzeros(),
                    a.least_bytes(sizeof(T)), a.generated},
                   {},
                   [&] { poison(y); },
                   [&] { return equal<T>(y, reference); }};
  c.contenders = ours<"spmv">(product, destination);
  c.contenders.insert(c.contenders.end(),
                      {{"eigen", fb::kind::peer, [&] { out.noalias() = mapped * in; }},
                       {"tbb", fb::kind::peer,
                        [&] {
                          tbb::parallel_for(
                              tbb::blocked_range<std::size_t>(0, y.size()),
                              [&](const tbb::blocked_range<std::size_t>& range) {
                                for (std::size_t r = range.begin(); r < range.end(); ++r) {
                                  const fb::index begin = a.offsets[r];
                                  y[r] = simd_dot(values.data() + begin, a.columns.data() + begin,
                                                  a.offsets[r + 1] - begin, x.data());
                                }
                              });
                        },
                        "oneTBB"}});
#ifdef FETTLE_WITH_MKL
  const auto mkl =
      std::make_unique<mkl_product<T>>(a.rows(), a.columns_count, a.offsets.data(),
                                       a.columns.data(), values.data(), x.data(), y.data());
  c.contenders.push_back({"mkl", fb::kind::peer, [&] { (*mkl)(); }});
#endif
  b.compare(c);
}

}  // namespace

void add_sparse_products(bench& b) {
#ifndef FETTLE_WITH_MKL
  std::printf("\nwithout MKL: this program was built without FETTLE_MKL_ROOT\n");
#endif
  const auto both_types = [&](const fb::csr& a) {
    if (b.asked.time_is_up()) return;
    const auto reference = fb::serial_product(a);
    compare_product<double>(b, a, reference);
    compare_product<float>(b, a, reference);
  };
  for (const auto& one : fb::matrix_recipes(b.asked)) both_types(one.make());
  for (const auto& one : fb::real_matrices(b.asked)) both_types(one);
}

}  // namespace ndp_cpu
