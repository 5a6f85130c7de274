// The product with the matrix, which is a separately tuned function inside every solver.
#pragma once

#include <fettle/variant.hpp>

#include "../spmv/csr_merge_path.hpp"
#include "../spmv/csr_openmp_static.hpp"
#include "../spmv/csr_serial.hpp"
#include "linear_system.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace solvers {

using matrix = spmv::csr_matrix<double>;

inline auto& product =
    fettle::tuned<"solver_product", void(const matrix&, const vector&, vector&)>([](auto& f) {
      f.add_variant("csr_serial",
                    [](const matrix& a, const vector& x, vector& y) { spmv::csr_serial(a, x, y); });
      f.add_variant("csr_static", [](const matrix& a, const vector& x, vector& y) {
        spmv::csr_openmp_static(a, x, y);
      });
      f.add_variant("csr_merge_path", [](const matrix& a, const vector& x, vector& y) {
        spmv::csr_merge_path(a, x, y);
      });
      f.add_input_feature("rows", [](const matrix& a, auto&&...) { return double(a.rows); });
      f.add_input_feature("nonzeros",
                          [](const matrix& a, auto&&...) { return double(a.nonzeros()); });
      f.set_verify([](const matrix&, const vector&, const vector& y) { return y; },
                   fettle::within{.relative = 1e-10, .absolute = 1e-10});
    });

}  // namespace solvers
