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

  static constexpr examples::feature<signature> features[13] = {
      {"nnz", [](const auto& s, const auto&...) { return double(host_of(s).a.nonzeros()); }},
      {"rows", [](const auto& s, const auto&...) { return double(host_of(s).size()); }},
      {"trace", [](const auto& s, const auto&...) { return trace(host_of(s)); }},
      {"diag_avg", [](const auto& s, const auto&...) { return diagonal_average(host_of(s)); }},
      {"diag_var", [](const auto& s, const auto&...) { return diagonal_variance(host_of(s)); }},
      {"diag_dominance",
       [](const auto& s, const auto&...) { return diagonal_dominance(host_of(s)); }},
      {"left_bandwidth", [](const auto& s, const auto&...) { return left_bandwidth(host_of(s)); }},
      {"norm_1", [](const auto& s, const auto&...) { return one_norm(host_of(s)); }},
      {"symmetric", [](const auto& s, const auto&...) { return double(host_of(s).is_symmetric); }},
      {"negative_diagonal",
       [](const auto& s, const auto&...) { return negative_diagonal(host_of(s)); }},
      {"weakest_row", [](const auto& s, const auto&...) { return weakest_row(host_of(s)); }},
      {"same_signs", [](const auto& s, const auto&...) { return same_signs(host_of(s)); }},
      {"least_ritz", [](const auto& s, const auto&...) { return least_ritz_value(s); }},
  };

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
