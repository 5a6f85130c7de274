// Platforms and the list of them.
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/platforms.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;

static_assert(ndp::platform_like<platform::openmp> && ndp::platform_like<platform::cuda>);
static_assert(!ndp::platform_like<int>);
static_assert(std::is_empty_v<platform::openmp>);
static_assert(std::is_same_v<platform::preferred, platform::openmp>);

namespace {

struct nameless {
  static constexpr bool runs_on_host = true;
};
static_assert(!ndp::platform_like<nameless>);

struct half_known {
  static constexpr std::string_view name = "half_known";
  static constexpr bool runs_on_host = true;
};

}  // namespace

template <>
struct fettle::ndp::platform_traits<half_known> {
  using policy = openmp::policy;
  using default_policy = openmp::policy;
};
static_assert(!ndp::platform_with_rules<half_known>);
static_assert(!ndp::platform_that_trains<half_known, double>);

TEST_CASE("platforms are listed by the names of their folders") {
  std::vector<std::string> names;
  fettle::for_each(ndp::platforms{}, [&]<typename P>(fettle::type_tag<P>) {
    static_assert(ndp::platform_with_rules<P>);
    CHECK(std::string_view(ndp::platform_traits<P>::policy::platform_name) == P::name);
    names.emplace_back(P::name);
  });
  CHECK(names == std::vector<std::string>{"cuda", "openmp", "tbb", "openmp_nodes", "cuda_devices"});
}

TEST_CASE("every platform that can run here trains") {
  fettle::for_each(ndp::platforms{}, []<typename P>(fettle::type_tag<P>) {
    using traits = ndp::platform_traits<P>;
    STATIC_REQUIRE(!traits::is_available || ndp::platform_that_trains<P, double>);
  });
}
