// The tuned function and everything that is registered with Fettle.
#pragma once

#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "agree.hpp"
#include "csr_merge_path.hpp"
#include "csr_openmp_dynamic.hpp"
#include "csr_openmp_static.hpp"
#include "csr_serial.hpp"
#include "eigen_csr.hpp"
#include "features.hpp"

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // what the tuning script decided
#endif

namespace spmv {

using in = std::span<const double>;
using out = std::span<double>;

/// One way to compute y = A x, and for which matrices it exists (null: for all).
struct variant {
  std::string_view name;
  void (*run)(const sparse_matrix& a, in x, out y);
  bool (*applies)(const sparse_matrix& a) = nullptr;
};

inline bool has_dia(const sparse_matrix& a) { return a.dia.has_value(); }
inline bool has_ell(const sparse_matrix& a) { return a.ell.has_value(); }
inline bool has_sell(const sparse_matrix& a) { return a.sell.has_value(); }

/// All variants; the first is right for every matrix and bad for none.
inline constexpr variant variants[] = {
    {"csr_merge_path", [](const sparse_matrix& a, in x, out y) { csr_merge_path(a.csr, x, y); }},
    {"csr_serial", [](const sparse_matrix& a, in x, out y) { csr_serial(a.csr, x, y); }},
    {"csr_static", [](const sparse_matrix& a, in x, out y) { csr_openmp_static(a.csr, x, y); }},
    {"csr_dynamic", [](const sparse_matrix& a, in x, out y) { csr_openmp_dynamic(a.csr, x, y); }},
    {"csr_eigen", [](const sparse_matrix& a, in x, out y) { eigen_csr(a.csr, x, y); }},
    {"dia_serial", [](const sparse_matrix& a, in x, out y) { dia_serial(*a.dia, x, y); }, has_dia},
    {"dia_openmp", [](const sparse_matrix& a, in x, out y) { dia_openmp(*a.dia, x, y); }, has_dia},
    {"ell_serial", [](const sparse_matrix& a, in x, out y) { ell_serial(*a.ell, x, y); }, has_ell},
    {"ell_openmp", [](const sparse_matrix& a, in x, out y) { ell_openmp(*a.ell, x, y); }, has_ell},
    {"sell_serial", [](const sparse_matrix& a, in x, out y) { sell_serial(*a.sell, x, y); },
     has_sell},
    {"sell_openmp", [](const sparse_matrix& a, in x, out y) { sell_openmp(*a.sell, x, y); },
     has_sell},
};

/// A number that says something about a matrix.
struct feature {
  std::string_view name;
  double (*of)(const sparse_matrix& a);
};

/// What the model may look at.
inline constexpr feature features[] = {
    {"mean_row_length", mean_row_length},
    {"row_length_deviation", row_length_deviation},
    {"longest_row_deviation", longest_row_deviation},
    {"dia_fill", dia_fill},
    {"ell_fill", ell_fill},
    {"sell_fill", sell_fill},
    {"thread_imbalance", thread_imbalance},
    {"rows", row_count},
    {"nonzeros", nonzeros},
};

#if __has_include("fettle_config.hpp")
using policy = fettle::tuning_policies::spmv;
#else
struct policy {
  static constexpr std::string_view name = "spmv";
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
};
#endif

/// The tuned function: spmv(a, x, y) writes A x to y by the variant that suits a.
using tuned_spmv = fettle::code_variant<policy, std::tuple<const sparse_matrix&, in, out>>;

/// Tells it its variants, what to look at, when a format does not exist, and how to check results.
inline void set_up(tuned_spmv& spmv) {
  for (const variant& v : variants) {
    spmv.add_variant(v.name, v.run);
    if (v.applies != nullptr)
      spmv.add_constraint(v.name, [&v](const sparse_matrix& a, in, in) { return v.applies(a); });
  }
  for (const feature& f : features)
    spmv.add_input_feature(f.name, [&f](const sparse_matrix& a, in, in) { return f.of(a); });
  spmv.set_verify([](const sparse_matrix&, in, in y) { return std::vector(y.begin(), y.end()); },
                  agree);
}

}  // namespace spmv
