// Every kernel that the default rule may choose from for a map > reduce, each by its schedule and
// policy: what the rule is judged by.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/execute.hpp>

#include "../../common/ndp/comparison.hpp"

namespace ndp_gpu {

namespace fixed {

namespace schedule = fettle::ndp::schedule;
namespace cuda = fettle::ndp::cuda;
using by_thread = schedule::independent<schedule::sequential<>>;
using by_team = schedule::independent<schedule::cooperative<>>;
using flattened = schedule::flattened<>;

[[nodiscard]] constexpr cuda::policy threads(int block, int grain = 1) {
  return {.block_size_x = block, .level = {.first = {.grain_size = grain}}};
}
[[nodiscard]] constexpr cuda::policy reading_four(int block) {
  return {.block_size_x = block, .level = {.second = {.unroll = 4}}};
}
[[nodiscard]] constexpr cuda::policy staged(int block) {
  return {.block_size_x = block, .level = {.first = {.resource = cuda::execution_resource::block}}};
}
[[nodiscard]] constexpr cuda::policy warps(int block, int lanes) {
  return {.block_size_x = block,
          .logical_warp_size = lanes,
          .level = {.second = {.resource = cuda::execution_resource::warp}}};
}
[[nodiscard]] constexpr cuda::policy blocks(int block) {
  return {.block_size_x = block,
          .level = {.second = {.resource = cuda::execution_resource::block}}};
}

template <typename Schedule, cuda::policy Policy, typename E, typename D>
[[nodiscard]] fettle_benchmarks::contender kernel(const E& e, const D& destination,
                                                  const fettle::ndp::platform::cuda& on) {
  std::string name(schedule::to_string<Schedule>());
  if (const std::string text = to_string(Policy); !text.empty()) name += " " + text;
  return {name, fettle_benchmarks::kind::kernel, [=] {
            fettle::ndp::execute<"kernel">(e, destination, on, Schedule{},
                                           fettle::ndp::constant<Policy>{});
          }};
}

}  // namespace fixed

/// Leaves out kernels in which a thread would have more than some 100 000 elements of the longest
/// row to itself: they take seconds.
template <typename E, typename D>
void add_fixed_kernels(std::vector<fettle_benchmarks::contender>& all, const E& e, const D& to,
                       const fettle::ndp::platform::cuda& on, std::int64_t longest_row) {
  using namespace fixed;
  const auto fits = [&](std::int64_t threads) { return longest_row / threads <= 100'000; };
  if (fits(1)) {
    all.push_back(kernel<by_thread, threads(256)>(e, to, on));
    all.push_back(kernel<by_thread, reading_four(128)>(e, to, on));
    all.push_back(kernel<by_thread, reading_four(256)>(e, to, on));
  }
  if (fits(2)) all.push_back(kernel<by_team, warps(256, 2)>(e, to, on));
  if (fits(4)) all.push_back(kernel<by_team, warps(256, 4)>(e, to, on));
  if (fits(8)) all.push_back(kernel<by_team, warps(256, 8)>(e, to, on));
  if (fits(16)) all.push_back(kernel<by_team, warps(256, 16)>(e, to, on));
  if (fits(32)) {
    all.push_back(kernel<by_team, warps(256, 32)>(e, to, on));
    all.push_back(kernel<by_team, warps(128, 32)>(e, to, on));
  }
  all.push_back(kernel<by_team, blocks(128)>(e, to, on));
  all.push_back(kernel<by_team, blocks(256)>(e, to, on));
  all.push_back(kernel<by_team, blocks(512)>(e, to, on));
  all.push_back(kernel<by_team, staged(256)>(e, to, on));
  all.push_back(kernel<flattened, threads(128)>(e, to, on));
  all.push_back(kernel<flattened, threads(256)>(e, to, on));
  all.push_back(kernel<flattened, threads(128, 2)>(e, to, on));
  if (longest_row <= 10'000) {
    all.push_back(kernel<by_thread, staged(128)>(e, to, on));
    all.push_back(kernel<by_thread, staged(256)>(e, to, on));
  }
  // Several blocks a row: the rule has it, no schedule spells it.
  if (e.size() <= 64) {
    all.push_back({"several blocks a row", fettle_benchmarks::kind::kernel, [=] {
                     cuda::detail::split_rows(on, fettle::ndp::computation{"kernel"}, e, to,
                                              fettle::ndp::constant<cuda::policy{}>{});
                   }});
  }
}

}  // namespace ndp_gpu
