#include <string_view>
#include <type_traits>

#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/schedule/platform.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;

static_assert(ndp::platform_like<platform::openmp> && ndp::platform_like<platform::cuda>);
static_assert(!ndp::platform_like<int>);
static_assert(std::is_empty_v<platform::openmp>);

TEST_CASE("platforms have the names of their folders") {
  CHECK(std::string_view(platform::openmp::name) == "openmp");
  CHECK(std::string_view(platform::cuda::name) == "cuda");
}
