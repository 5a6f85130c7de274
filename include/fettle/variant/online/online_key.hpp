// online_key: what tells kinds of inputs apart in an online search. Inputs with the same key share
// a search.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/call/erased_call.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What the function that search_online() was given returns; where it was given none, equal for
/// inputs with the same features. Throws what that function, or a feature, throws.
template <typename... Args>
class online_key {
 public:
  /// Refers to the features, which have to outlive it.
  explicit online_key(const std::vector<any_call>& features) : features_(features) {}
  template <typename Key>
  online_key(const std::vector<any_call>& features, Key key)
      : features_(features), given_(erased_key::template owning<call_key>(std::move(key))) {
    static_assert(std::invocable<Key&, observed<Args>...>,
                  "The key of search_online must be callable with the argument types of its "
                  "code_variant, without changing them, and return a whole number.");
  }

  std::uint64_t operator()(observed<Args>... args) const {
    if (given_) return (*given_)(args...);
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a over the features' bits
    for (const any_call& feature : features_) {
      const double value = erased_feature<Args...>::call(feature, args...);
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
      hash ^= hash >> 32U;
    }
    return hash;
  }

 private:
  using erased_key = erased_call<std::uint64_t, observed<Args>...>;

  struct call_key {
    template <typename Key>
    std::uint64_t operator()(Key& key, observed<Args>... args) const {
      static_assert(std::is_integral_v<std::invoke_result_t<Key&, observed<Args>...>>,
                    "The key of search_online must return a whole number.");
      return static_cast<std::uint64_t>(std::invoke(key, args...));
    }
  };

  const std::vector<any_call>& features_;
  std::optional<erased_key> given_;
};

}  // namespace fettle::detail
