// What the programs for both processors register alike: names, the policy, the features.
#pragma once

#include "../support/tuned_example.hpp"
#include "features.hpp"
#include "lanczos.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace solvers {

inline const linear_system& host_of(const linear_system& s) { return s; }

/// `Signature` is that of the tuned function, whose first argument host_of() knows as a system.
template <class Signature>
struct registration {
  using signature = Signature;
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::solvers;
#else
  struct policy {
    static constexpr std::string_view name = "solvers";
    static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "solvers";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = true;
  static constexpr bool returns_seconds = true;
  static constexpr double calls = 10;  // solves with one matrix, as in a few steps of a simulation

  template <auto Which>
  static double of_matrix(const auto& s, const auto&...) {
    return feature_of(s, Which);
  }

  static constexpr examples::feature<signature> features[15] = {
      {"nnz", [](const auto& s, const auto&...) { return double(host_of(s).a.nonzeros()); }},
      {"rows", [](const auto& s, const auto&...) { return double(host_of(s).size()); }},
      {"symmetric", [](const auto& s, const auto&...) { return double(host_of(s).is_symmetric); }},
      {"trace", of_matrix<number::trace>},
      {"diag_avg", of_matrix<number::diag_avg>},
      {"diag_var", of_matrix<number::diag_var>},
      {"diag_dominance", of_matrix<number::diag_dominance>},
      {"left_bandwidth", of_matrix<number::left_bandwidth>},
      {"norm_1", of_matrix<number::norm_1>},
      {"negative_diagonal", of_matrix<number::negative_diagonal>},
      {"weakest_row", of_matrix<number::weakest_row>},
      {"same_signs", of_matrix<number::same_signs>},
      {"block_weight", of_matrix<number::block_weight>},
      {"least_ritz", of_matrix<krylov::least_ritz>},
      {"reduction", of_matrix<krylov::reduction>},
  };
  /// Sets of features that are found together: several cost what one does.
  static constexpr std::string_view shared_features[2] = {
      "trace diag_avg diag_var diag_dominance left_bandwidth norm_1 negative_diagonal weakest_row "
      "same_signs block_weight",
      "least_ritz reduction"};

  /// The right-hand side belongs to a solution that is known to exist.
  static vector right_side_of(const linear_system& s) {
    const auto size = static_cast<std::size_t>(s.size());
    spmv::random_numbers random(7);
    vector solution(size);
    for (double& value : solution) value = 0.5 + random.unit();
    vector b(size);
    spmv::csr_serial(s.a, solution, b);
    return b;
  }
};

}  // namespace solvers
