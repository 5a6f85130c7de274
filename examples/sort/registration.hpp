// What the programs for both processors register alike: the name, the policy, the features.
#pragma once

#include "features.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace sorting {

template <class Signature>
struct registration : features_of_keys<Signature> {
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::sort;
#else
  struct policy {
    static constexpr std::string_view name = "sort";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "sort";
};

}  // namespace sorting
