// The input features, in the form of figure 2.2.
#pragma once

#include <fettle/variant.hpp>

namespace MySparse {

template <typename HostMatrix>
struct nnz_type : fettle::input_feature_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    return static_cast<double>(matrix->values.size());
  }
};

template <typename HostMatrix>
struct num_rows_type : fettle::input_feature_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override { return static_cast<double>(matrix->rows); }
};

template <typename HostMatrix>
struct dia_fill_type : fettle::input_feature_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override { return matrix->diagonal_fill; }
};

template <typename HostMatrix>
struct ell_fill_type : fettle::input_feature_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override { return matrix->ell_fill; }
};

}  // namespace MySparse
