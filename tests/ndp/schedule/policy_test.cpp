#include <type_traits>

#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;

constexpr ndp::cuda::policy tuned{.block_size_x = 128, .level = {{.grain_size = 2}}};

static_assert(ndp::policy_like<ndp::cuda::policy> && ndp::policy_like<ndp::openmp::policy>);
static_assert(!ndp::policy_like<int> && !ndp::policy_like<ndp::constant<tuned>>);
static_assert(ndp::constant_policy<ndp::constant<tuned>>);
static_assert(!ndp::constant_policy<ndp::cuda::policy>);
static_assert(ndp::policy_argument<ndp::cuda::policy>);
static_assert(ndp::policy_argument<ndp::constant<tuned>> && !ndp::policy_argument<double>);

static_assert(ndp::policy_for<ndp::openmp::policy, platform::openmp>);
static_assert(ndp::policy_for<ndp::constant<tuned>, platform::cuda>);
static_assert(!ndp::policy_for<ndp::constant<tuned>, platform::openmp>);
static_assert(!ndp::policy_for<ndp::openmp::policy, platform::cuda>);

// A constant is its policy, and equal policies are one type.
static_assert(ndp::constant<tuned>::value == tuned && ndp::constant<tuned>{}() == tuned);
static_assert(std::is_same_v<
              ndp::constant<tuned>,
              ndp::constant<ndp::cuda::policy{.block_size_x = 128, .level = {{.grain_size = 2}}}>>);
static_assert(!std::is_same_v<ndp::constant<tuned>, ndp::constant<ndp::cuda::policy{}>>);
static_assert(std::is_same_v<ndp::policy_of_t<ndp::constant<tuned>>, ndp::cuda::policy>);
static_assert(std::is_same_v<ndp::policy_of_t<ndp::openmp::policy>, ndp::openmp::policy>);

// A constant serves where a value is asked for.
static_assert([](ndp::cuda::policy p) { return p.block_size_x; }(ndp::constant<tuned>{}) == 128);

TEST_CASE("the levels of a policy by place, the third for all deeper ones") {
  ndp::per_level<ndp::cuda::level> level{{.grain_size = 1}, {.grain_size = 2}, {.grain_size = 3}};
  CHECK(level[0].grain_size == 1);
  CHECK(level[1].grain_size == 2);
  CHECK(level[2].grain_size == 3);
  CHECK(level[7].grain_size == 3);
  level[1].grain_size = 20;
  CHECK(level.second.grain_size == 20);
  CHECK(level != ndp::per_level<ndp::cuda::level>{});
}
