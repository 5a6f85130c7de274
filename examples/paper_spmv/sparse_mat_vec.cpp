// Figure 2.2 of the dissertation: the example of Nitro's library interface. Only what names Nitro
// is changed (the namespace, and the include lines, which the figure leaves out); its dots are
// filled in. The variants, features and constraints are in the headers.
#include "sparse_mat_vec.hpp"

#include <fettle/variant.hpp>

#include "argument_tuple.hpp"
#include "constraints.hpp"
#include "features.hpp"
#include "fettle_config.hpp"
#include "variants.hpp"

// clang-format off
namespace MySparse {
  void SparseMatVec(HostMatrix *matrix) {
    using namespace fettle;
    typedef thrust::tuple<HostMatrix *> ArgTuple;

    // Create Nitro Tuning Context
    context cx;

    // Create code_variant object
    code_variant<tuning_policies::spmv, ArgTuple> spmv(cx);

    // Declare and Add Variants
    csr_vector_type<HostMatrix> __csr_vector;
    dia_type<HostMatrix> __dia;
    csr_scalar_type<HostMatrix> __csr_scalar;
    csr_pairs_type<HostMatrix> __csr_pairs;
    ell_type<HostMatrix> __ell;
    coo_type<HostMatrix> __coo;
    spmv.add_variant(&__csr_vector);
    spmv.add_variant(&__dia);
    spmv.add_variant(&__csr_scalar);
    spmv.add_variant(&__csr_pairs);
    spmv.add_variant(&__ell);
    spmv.add_variant(&__coo);

    // Set Default Variant
    spmv.set_default(&__csr_vector);

    // Declare and Add Features...
    nnz_type<HostMatrix> __nnz;
    num_rows_type<HostMatrix> __num_rows;
    dia_fill_type<HostMatrix> __dia_fill;
    ell_fill_type<HostMatrix> __ell_fill;
    spmv.add_input_feature(&__nnz);
    spmv.add_input_feature(&__num_rows);
    spmv.add_input_feature(&__dia_fill);
    spmv.add_input_feature(&__ell_fill);

    // ...and Constraints
    dia_cutoff_type __dia_cutoff;
    spmv.add_constraint(&__dia, &__dia_cutoff);
    ell_cutoff_type __ell_cutoff;
    spmv.add_constraint(&__ell, &__ell_cutoff);

    // Variant Call
    spmv(matrix);
  }
}  // end namespace MySparse
