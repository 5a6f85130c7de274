// Sparse matrix-vector multiplication on a GPU, tuned by Fettle: formats and kernels, each with x
// by plain loads and by a texture, merge path by Fettle's nested data parallelism, and cuSPARSE.
#include <fettle/ndp.hpp>

#include "../ndp/spmv.hpp"
#include "../support/program.hpp"
#include "agree.hpp"
#include "csr_serial.hpp"
#include "device_matrix.cuh"
#include "generate_by_name.hpp"
#include "load.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace spmv::device {

using matrix = std::shared_ptr<const formats>;
using in = std::shared_ptr<const vector>;
using out = array<double>;

constexpr unsigned block_size = 256;
constexpr int products = 8;  // in a row, as a solver has them in its stream

/// Seconds of a product by run(formats, x, y), if there are rows.
template <class Vector, class Run>
double timed(const matrix& a, const in& x, out& y, const Run& run) {
  Vector reading;
  if constexpr (std::is_same_v<Vector, plain_vector>) {
    reading = x->plain();
  } else {
    reading = x->texture();
  }
  return examples::device::seconds_of(
      [&] {
        if (a->csr.rows == 0) return;
        if (a->csr.values.size() == 0) {
          check(cudaMemsetAsync(y.data(), 0, y.size() * sizeof(double)), "cudaMemsetAsync");
        } else {
          run(*a, reading, y.data());
        }
      },
      products);
}

inline unsigned blocks(std::int64_t threads) {
  return examples::device::blocks_for(static_cast<std::size_t>(threads), block_size);
}

template <class Vector>
double by_scalar(const matrix& a, const in& x, out& y) {
  return timed<Vector>(a, x, y, [](const formats& f, Vector v, double* result) {
    csr_scalar<<<blocks(f.csr.rows), block_size>>>(f.csr.view(), v, result);
  });
}

/// As many threads a row as it has entries on average: 2 to 32.
template <class Vector>
double by_vector(const matrix& a, const in& x, out& y) {
  return timed<Vector>(a, x, y, [](const formats& f, Vector v, double* result) {
    launch_csr_vector(f.csr.view(), static_cast<std::int64_t>(f.csr.values.size()), v, result);
  });
}

template <class Vector>
double by_dia(const matrix& a, const in& x, out& y) {
  return timed<Vector>(a, x, y, [](const formats& f, Vector v, double* result) {
    dia<<<blocks(f.csr.rows), block_size>>>(f.csr.rows, f.csr.columns_count,
                                            static_cast<int>(f.dia_offsets.size()), f.dia_stride,
                                            f.dia_offsets.data(), f.dia_values.data(), v, result);
  });
}

template <class Vector>
double by_ell(const matrix& a, const in& x, out& y) {
  return timed<Vector>(a, x, y, [](const formats& f, Vector v, double* result) {
    ell<<<blocks(f.csr.rows), block_size>>>(f.csr.rows, f.longest, f.ell_stride,
                                            f.ell_columns.data(), f.ell_values.data(), v, result);
  });
}

inline double by_sell(const matrix& a, const in& x, out& y) {
  return timed<plain_vector>(a, x, y, [](const formats& f, plain_vector v, double* result) {
    sell<<<blocks(f.csr.rows), block_size>>>(f.csr.rows, f.sell_offsets.data(), f.sell_order.data(),
                                             f.sell_columns.data(), f.sell_values.data(), v,
                                             result);
  });
}

/// The nested computation of examples/ndp, with the work cut into equal tiles whatever the rows
/// are.
inline double by_merge_path(const matrix& a, const in& x, out& y) {
  namespace ndp = fettle::ndp;
  return timed<plain_vector>(a, x, y, [&](const formats& f, plain_vector v, double* result) {
    const auto view = [](const auto& values) {
      return ndp::sequence<const std::decay_t<decltype(*values.data())>>(
          values.data(), static_cast<ndp::index_t>(values.size()));
    };
    const auto offsets = view(f.csr.offsets);
    const ndp::sequence<const double> vector(v.x, static_cast<ndp::index_t>(x->size()));
    const auto product =
        ndp::map(examples::row_times_vector<double>{vector}, ndp::nest(view(f.csr.values), offsets),
                 ndp::nest(view(f.csr.columns), offsets));
    ndp::execute(product, ndp::sequence<double>(result, f.csr.rows), ndp::platform::cuda{},
                 ndp::schedule::flattened<>{});
  });
}

template <int Algorithm>
double by_library(const matrix& a, const in& x, out& y) {
  return timed<plain_vector>(a, x, y, [](const formats& f, plain_vector v, double* result) {
    (*f.library[Algorithm - 1])(v.x, result);
  });
}

/// The diagonal format reads 8 bytes an element, SELL 12: where it reads more, it is slower,
/// however small the matrix.
inline bool has_dia(const matrix& a, const in&, const out&) {
  return a->dia_fill <= largest_fill && 8 * a->dia_fill <= 12 * a->sell_fill;
}
inline bool has_ell(const matrix& a, const in&, const out&) { return a->ell_fill <= largest_fill; }
inline bool has_sell(const matrix& a, const in&, const out&) {
  return a->sell_fill <= largest_fill;
}

struct example {
  using signature = double(const matrix&, const in&, out&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::spmv;
#else
  struct policy {
    static constexpr std::string_view name = "spmv";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "spmv";
  static constexpr const char* inputs =
      "INPUT: a Matrix Market file (plain or .xz), or generate:KIND:key=value,...\n";
  static constexpr bool changes_input = false;
  static constexpr bool returns_seconds = true;
  static constexpr double calls = 100;  // products with one matrix
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"cusparse_alg1", by_library<1>},  // the default: bad for no matrix
      {"csr_vector", by_vector<plain_vector>},
      {"csr_vector_texture", by_vector<texture_vector>},
      {"csr_scalar", by_scalar<plain_vector>},
      {"csr_scalar_texture", by_scalar<texture_vector>},
      {"dia", by_dia<plain_vector>, has_dia},
      {"dia_texture", by_dia<texture_vector>, has_dia},
      {"ell", by_ell<plain_vector>, has_ell},
      {"ell_texture", by_ell<texture_vector>, has_ell},
      {"sell", by_sell, has_sell},
      {"merge_path", by_merge_path},
      {"cusparse_alg2", by_library<2>},
  };

  using m = const matrix&;
  using i = const in&;
  using o = const out&;
  static constexpr examples::feature<signature> features[] = {
      {"mean_row_length",
       [](m a, i, o) { return double(a->host.nonzeros()) / std::max(1, a->csr.rows); }},
      {"row_length_deviation", [](m a, i, o) { return a->row_deviation; }},
      {"longest_row_deviation",
       [](m a, i, o) {
         return a->longest - double(a->host.nonzeros()) / std::max(1, a->csr.rows);
       }},
      {"dia_fill", [](m a, i, o) { return a->dia_fill; }},
      {"ell_fill", [](m a, i, o) { return a->ell_fill; }},
      {"sell_fill", [](m a, i, o) { return a->sell_fill; }},
      {"lines_a_warp", [](m a, i, o) { return a->lines; }},
      {"rows", [](m a, i, o) { return double(a->csr.rows); }},
      {"nonzeros", [](m a, i, o) { return double(a->host.nonzeros()); }},
  };

  static constexpr const char* work_unit = "bytes";
  /// What a product of CSR arrays moves at least: entries, their columns, offsets, x and y.
  static double work(m a, i, o) {
    return 12.0 * double(a->host.nonzeros()) + 12.0 * double(a->host.rows) +
           8.0 * double(a->host.columns_count);
  }

  static std::tuple<matrix, in, out> load(const std::string& input) {
    auto made = std::make_shared<formats>(
        input.starts_with(generated_prefix) ? generate_by_name(input) : read_matrix_market(input));
    auto x = std::make_shared<const vector>(some_vector(made->host.columns_count));
    out y(static_cast<std::size_t>(made->host.rows));
    if (made->host.nonzeros() > 0)
      for (const int n : {0, 1})
        made->library[n] = std::make_unique<const library_product>(
            made->csr, n == 0 ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2, x->plain().x,
            y.data());
    return {std::move(made), std::move(x), std::move(y)};
  }
  /// By the serial product of the host.
  static std::vector<double> expected(m a, i, o) {
    std::vector<double> y(static_cast<std::size_t>(a->host.rows));
    csr_serial(a->host, some_vector(a->host.columns_count), y);
    return y;
  }
  static std::vector<double> capture(m, i, o y) { return y.host(); }
  static bool agree(const std::vector<double>& wanted, const std::vector<double>& result) {
    return spmv::agree(wanted, result);
  }
};

}  // namespace spmv::device

int main(int count, char** words) {
  return examples::run_program<spmv::device::example>(count, words);
}
