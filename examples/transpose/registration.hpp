// What the programs for both processors register alike: names, the policy, the features.
#pragma once

#include <numeric>

#include "../support/tuned_example.hpp"
#include "matrix.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace transpose {

/// `Signature` is that of the tuned function, of a matrix here or on a GPU.
template <class Signature>
struct registration {
  using signature = Signature;
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::transpose;
#else
  struct policy {
    static constexpr std::string_view name = "transpose";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "transpose";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = true;
  static constexpr double calls = 1;

  static constexpr examples::feature<signature> features[6] = {
      {"m", [](const auto& a) { return double(a.rows); }},
      {"n", [](const auto& a) { return double(a.columns); }},
      {"row_major", [](const auto& a) { return double(a.row_major); }},
      {"coprime", [](const auto& a) { return double(std::gcd(a.rows, a.columns) == 1); }},
      {"square", [](const auto& a) { return double(a.rows == a.columns); }},
      {"element_bytes", [](const auto& a) { return a.elements.index() == 0 ? 8.0 : 4.0; }},
  };
};

}  // namespace transpose
