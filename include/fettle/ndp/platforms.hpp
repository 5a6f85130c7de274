// The list of platforms. A new one adds its folder, and a line here.
#pragma once

// clang-format off
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda_devices.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp_nodes.hpp>
#include <fettle/ndp/tbb/traits.hpp>
// clang-format on

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// The platforms whose numbers are `Number` and greater.
template <int Number, typename... Found>
[[nodiscard]] consteval auto platforms_from() {
  constexpr int end = 16;
  if constexpr (Number == end) {
    return type_list<Found...>{};
  } else if constexpr (requires { typename platform_at<Number>::type; }) {
    using next = typename platform_at<Number>::type;
    static_assert(
        platform_with_rules<next>,
        "a platform's traits lack a rule: <fettle/ndp/schedule/platform_traits.hpp> lists "
        "what platform_traits<P> has to have");
    return platforms_from<Number + 1, Found..., next>();
  } else {
    return platforms_from<Number + 1, Found...>();
  }
}

template <typename List>
struct first_available;
template <typename First, typename... Rest>
struct first_available<type_list<First, Rest...>> {
  using type =
      typename std::conditional_t<platform_traits<First>::is_available, std::type_identity<First>,
                                  first_available<type_list<Rest...>>>::type;
};

}  // namespace detail

/// All platforms, also those that this program cannot run computations on.
using platforms = decltype(detail::platforms_from<0>());

namespace platform {

/// Where a computation runs unless a platform is given: on the GPU where nvcc compiles the file.
using preferred = detail::first_available<platforms>::type;

}  // namespace platform

}  // namespace fettle::ndp
