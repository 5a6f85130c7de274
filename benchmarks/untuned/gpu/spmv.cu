// Sparse matrix times vector: Fettle's default rule, with rows inspected once and with nothing
// known of them (and, with --kernels, every fixed kernel), and cuSPARSE's two CSR algorithms with
// preprocessing, which is not timed.
#include <cstddef>

#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/shape/inspect_rows.hpp>

#include "../../common/ndp/computations.hpp"
#include "../../common/ndp/cusparse.hpp"
#include "bench.cuh"
#include "fixed_kernels.cuh"

namespace ndp_gpu {

namespace {

struct device_pattern {
  device_array<fb::index> offsets;
  device_array<fb::index> columns;
  device_array<std::int32_t> reference;
};

template <typename T>
void compare_product(bench& b, cusparseHandle_t handle, const fb::csr& a, const device_pattern& d) {
  const auto values = b.first_values<T>(a.nonzeros());
  const auto x = b.first_of_vector<T>(a.columns_count);
  const device_array<T> y(static_cast<std::size_t>(a.rows()));
  const auto by_cusparse = [&](cusparseSpMVAlg_t algorithm) {
    return cusparse_product<T>(handle, algorithm, a.rows(), a.columns_count, a.nonzeros(),
                               d.offsets.data(), d.columns.data(), values.data(), x.data(),
                               y.data());
  };
  const cusparse_product<T> alg1 = by_cusparse(CUSPARSE_SPMV_CSR_ALG1);
  const cusparse_product<T> alg2 = by_cusparse(CUSPARSE_SPMV_CSR_ALG2);

  const ndp::sequence<const fb::index> columns(d.columns.data(), a.nonzeros());
  const ndp::sequence<const fb::index> offsets(d.offsets.data(), std::int64_t{a.rows()} + 1);
  // Rows are inspected once, untimed, as cuSPARSE preprocesses them.
  const ndp::row_statistics known = ndp::inspect_rows(ndp::nest(values, offsets), b.platform());
  const auto inspected = fb::sparse_product(values, columns, offsets, x, known);
  const auto unknown = fb::sparse_product(values, columns, offsets, x);
  const ndp::sequence<T> destination(y.data(), a.rows());
  const auto compare = [&](const char* work, const auto& product, bool with_kernels) {
    fb::comparison c{{work, a.name, type_name<T>(), a.rows(), a.nonzeros(),
                      a.least_bytes(sizeof(T)), a.generated},
                     {},
                     [&] { y.poison(b.stream); },
                     [&] { return equal(y, d.reference.data(), y.size(), b.stream); }};
    c.contenders = {{"fettle", fb::kind::ours,
                     [&] { ndp::execute<"spmv">(product, destination, b.platform()); }},
                    {"alg1", fb::kind::peer, [&] { alg1(); }},
                    {"alg2", fb::kind::peer, [&] { alg2(); }}};
    if (with_kernels) {
      add_fixed_kernels(c.contenders, product, destination, b.platform(), known.longest);
    }
    b.compare(c);
  };
  compare("spmv", inspected, b.asked.kernels);
  compare("spmv_unknown", unknown, false);
}

}  // namespace

void add_sparse_products(bench& b) {
  cusparseHandle_t handle = nullptr;
  check(cusparseCreate(&handle), "cusparseCreate");
  check(cusparseSetStream(handle, b.stream), "cusparseSetStream");
  const auto both_types = [&](const fb::csr& a) {
    if (b.asked.time_is_up()) return;
    const device_pattern d{device_array<fb::index>(a.offsets), device_array<fb::index>(a.columns),
                           device_array<std::int32_t>(fb::serial_product(a))};
    compare_product<double>(b, handle, a, d);
    compare_product<float>(b, handle, a, d);
  };
  for (const auto& one : fb::matrix_recipes(b.asked)) both_types(one.make());
  for (const auto& one : fb::real_matrices(b.asked)) both_types(one);
  check(cusparseDestroy(handle), "cusparseDestroy");
}

}  // namespace ndp_gpu
