// What the programs for both processors register alike: names, the policy, the features.
#pragma once

#include "../support/tuned_example.hpp"
#include "statistics.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace histogram {

/// `Signature` is that of the tuned function, of samples here or on a GPU.
template <class Signature>
struct registration {
  using signature = Signature;
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::histogram;
#else
  struct policy {
    static constexpr std::string_view name = "histogram";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "histogram";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = false;
  static constexpr double calls = 1;

  static constexpr examples::feature<signature> features[7] = {
      {"n", [](const auto& s, const auto&) { return double(s.size()); }},
      {"n_per_bin", [](const auto& s, const auto&) { return double(s.size()) / double(s.bins); }},
      {"bins", [](const auto& s, const auto&) { return double(s.bins); }},
      {"subsample_sd_64", [](const auto& s, const auto&) { return sampled_deviation(s, 64); }},
      {"subsample_sd_1024", [](const auto& s, const auto&) { return sampled_deviation(s, 1024); }},
      {"repeats_256", [](const auto& s, const auto&) { return sampled_repeats(s, 256); }},
      {"repeats_4096", [](const auto& s, const auto&) { return sampled_repeats(s, 4096); }},
  };
};

}  // namespace histogram
