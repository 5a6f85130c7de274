// A system of equations on a GPU, and the product with its matrix, which is a tuned function of its
// own inside every solver.
#pragma once

#include <memory>

#include <fettle/variant.hpp>

#include "../spmv/device_matrix.cuh"
#include "device_vectors.cuh"
#include "linear_system.hpp"
#include "time_limit.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace solvers::device {

using matrix = spmv::device::csr_arrays;
using spmv::device::csr_view;

struct system {
  explicit system(linear_system given)
      : host(std::move(given)), a(host.a), diagonal(host.diagonal) {}

  int size() const { return a.rows; }

  linear_system host;
  matrix a;
  array<double> diagonal;
  mutable time_limit limit;  ///< of the solve that runs
  mutable found_together<matrix_numbers> numbers;
  mutable found_together<krylov_numbers> krylov;
};

/// Whether products are timed, each by itself: while the product is tuned (EXAMPLES_PRODUCT=timed).
/// Otherwise they are only put into the stream, for the solver is what is timed.
inline bool is_timed() {
  static const bool timed = [] {
    const char* const wanted = std::getenv("EXAMPLES_PRODUCT");
    return wanted != nullptr && std::string_view(wanted) == "timed";
  }();
  return timed;
}

template <int Lanes>
void launch_product(const csr_view& a, const double* x, double* y) {
  constexpr unsigned block = 256;
  const unsigned blocks =
      examples::device::blocks_for(static_cast<std::size_t>(a.rows) * Lanes, block);
  const spmv::device::plain_vector in{x};
  if constexpr (Lanes == 1) {
    spmv::device::csr_scalar<<<blocks, block>>>(a, in, y);
  } else {
    spmv::device::csr_vector<Lanes><<<blocks, block>>>(a, in, y);
  }
}

/// y = A x by `Lanes` threads a row.
template <int Lanes>
double multiply(const matrix& a, const array<double>& x, array<double>& y) {
  const auto launch = [&] { launch_product<Lanes>(a.view(), x.data(), y.data()); };
  if (is_timed()) return examples::device::seconds_of(launch);
  launch();
  return 0;
}

inline auto& product =
    fettle::tuned<"solver_product", double(const matrix&, const array<double>&, array<double>&)>(
        [](auto& f) {
          f.add_variant("lanes_8", multiply<8>);
          f.add_variant("lanes_1", multiply<1>);
          f.add_variant("lanes_2", multiply<2>);
          f.add_variant("lanes_4", multiply<4>);
          f.add_variant("lanes_32", multiply<32>);
          f.add_input_feature("rows", [](const matrix& a, auto&&...) { return double(a.rows); });
          f.add_input_feature("mean_row_length", [](const matrix& a, auto&&...) {
            return double(a.values.size()) / std::max(1, a.rows);
          });
          f.set_verify(
              [](const matrix&, const array<double>&, const array<double>& y) { return y.host(); },
              fettle::within{.relative = 1e-10, .absolute = 1e-10});
        });

}  // namespace solvers::device
