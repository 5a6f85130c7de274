// The features of keys, the same on both processors.
#pragma once

#include "../support/tuned_example.hpp"
#include "keys.hpp"

namespace sorting {

/// `Signature` is that of a tuned function whose first argument is keys, here or on a GPU.
template <class Signature>
struct features_of_keys {
  using signature = Signature;
  static constexpr const char* inputs = input_help;
  static constexpr double calls = 1;

  static constexpr examples::feature<signature> features[4] = {
      {"n", [](const auto& keys, const auto&...) { return double(keys.size()); }},
      {"bits", [](const auto& keys, const auto&...) { return double(keys.bits()); }},
      {"asc_seq", [](const auto& keys, const auto&...) { return ascending_sequences(keys); }},
      {"distinct", [](const auto& keys, const auto&...) { return sampled_distinct(keys); }},
  };
};

}  // namespace sorting
