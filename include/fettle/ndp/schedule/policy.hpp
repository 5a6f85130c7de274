// What policies are: concepts, and ndp::constant, a policy as a compile-time value.
//
// A policy is a plain aggregate of a platform's parameters (openmp::policy, cuda::policy). Handed
// to execute() as a value it can be read at run time; as a constant it is part of the type, and
// kernels are compiled for it. CUDA takes constants only.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// Takes any field of a policy.
struct any_field_visitor {
  template <typename Field>
  constexpr void operator()(int /*level*/, std::string_view /*name*/, std::string_view /*paper*/,
                            const Field& /*field*/) const noexcept {}
};

}  // namespace detail

/// An aggregate of a platform's parameters; `platform_name` says whose.
template <typename P>
concept policy_like =
    std::is_aggregate_v<P> && std::equality_comparable<P> && requires(const P& p) {
      { P::platform_name } -> std::convertible_to<std::string_view>;
      visit_fields(p, detail::any_field_visitor{});
    };

/// A policy or an integer in a type: constant<cuda::policy{.block_size_x = 128}>{}, constant<5>{}.
template <auto Value>
  requires(policy_like<std::remove_cvref_t<decltype(Value)>> ||
           std::integral<std::remove_cvref_t<decltype(Value)>>)
struct constant {
  using value_type = std::remove_cvref_t<decltype(Value)>;
  static constexpr value_type value = Value;

  constexpr operator value_type() const noexcept { return value; }
  [[nodiscard]] constexpr value_type operator()() const noexcept { return value; }
};

template <typename T>
inline constexpr bool is_constant_policy_v = false;
template <auto Value>
inline constexpr bool is_constant_policy_v<constant<Value>> =
    policy_like<std::remove_cvref_t<decltype(Value)>>;

/// A constant<...> of a policy.
template <typename T>
concept constant_policy = is_constant_policy_v<T>;

namespace detail {

template <typename T>
struct policy_of;
template <policy_like P>
struct policy_of<P> {
  using type = P;
};
template <constant_policy C>
struct policy_of<C> {
  using type = typename C::value_type;
};

}  // namespace detail

/// What execute() takes: a policy as a value or as a constant.
template <typename T>
concept policy_argument = policy_like<T> || constant_policy<T>;

/// The aggregate behind either form.
template <policy_argument T>
using policy_of_t = typename detail::policy_of<T>::type;

/// `p` is a policy of `Platform`, in either form.
template <typename T, typename Platform>
concept policy_for = policy_argument<T> && std::string_view(policy_of_t<T>::platform_name) ==
                                               std::string_view(Platform::name);

}  // namespace fettle::ndp
