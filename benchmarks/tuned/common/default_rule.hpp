// by_default_rule<Platform>: a platform on which nothing is tuned, so that a tuned program can be
// measured beside itself untuned. Named computations are realised as unnamed ones are.
#pragma once

#include <string_view>

#include <fettle/ndp/schedule/platform_traits.hpp>

#include "../../../examples/ndp/support/platform.hpp"

namespace ndp_tuned {

template <typename Platform>
struct by_default_rule {
  static constexpr std::string_view name = Platform::name;
  static constexpr bool runs_on_host = Platform::runs_on_host;
  Platform platform;

  // Functions that are written for the platform take it.
  operator const Platform&() const { return platform; }
};

}  // namespace ndp_tuned

template <typename Platform>
struct fettle::ndp::platform_traits<ndp_tuned::by_default_rule<Platform>>
    : platform_traits<Platform> {
  template <typename E, typename D>
  static void run_default(const ndp_tuned::by_default_rule<Platform>& on, const computation& named,
                          const E& e, const D& destination) {
    platform_traits<Platform>::run_default(on.platform, named, e, destination);
  }

  template <typename E>
  static auto value(const ndp_tuned::by_default_rule<Platform>& on, const computation& named,
                    const E& e) {
    return platform_traits<Platform>::value(on.platform, named, e);
  }
};

template <typename Platform>
struct examples::memory<ndp_tuned::by_default_rule<Platform>> {
  template <typename T>
  using vector = typename memory<Platform>::template vector<T>;
};
