// How far the carries of rows that go on reach in a warp.
#include <cstdint>
#include <random>

#include <fettle/ndp/cuda/flattened/warp_carry.hpp>

#include "support/catch.hpp"

namespace {

namespace cuda = fettle::ndp::cuda;

TEST_CASE("warp carry: a carry reaches as far back as its row, and no farther than the warp") {
  std::mt19937 random(11);
  for (int k = 0; k < 300; ++k) {
    const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
    const std::uint32_t ends = k == 0 ? 0U : bits() & bits() & (k % 2 == 0 ? bits() : ~0U);
    for (int lane = 0; lane < 32; ++lane) {
      int reach = 0;
      while (reach < lane && (ends >> (lane - reach) & 1U) == 0) ++reach;
      REQUIRE(cuda::detail::carry_reach(ends, lane) == reach);
    }
  }
}

TEST_CASE("warp carry: a row ends in the first lanes where one of them ends one") {
  CHECK(!cuda::detail::carry_ended(0, 32));
  CHECK(cuda::detail::carry_ended(1U << 31, 32));
  CHECK(!cuda::detail::carry_ended(1U << 31, 31));
  CHECK(!cuda::detail::carry_ended(1U, 0));
  CHECK(cuda::detail::carry_ended(1U, 1));
}

}  // namespace
