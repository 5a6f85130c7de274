// row_policies: the policies with which the default rule runs a thread, a warp or a block a row.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/schedule/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

using plain_policy = constant<policy{}>;
using block_policy = constant<policy{.block_size_x = 128}>;

// (These take numbers, not the row: nvcc writes the names of policies into the source that it gives
// the host's compiler, and cannot write those of every row.)
template <int Threads, int Unroll = 0>
using policy_of_threads =
    constant<policy{.block_size_x = Threads, .level = {.second = {.unroll = Unroll}}}>;

/// Of a thread a row. Several elements at a time, so that what one load brings is used before it
/// has to make room: 12 million rows of ten wide values take 340 us instead of 600 to 700.
template <typename Row>
inline constexpr int thread_a_row_v = sizeof(typename Row::value_type) > 8 ? 128 : 256;

/// Of a whole warp a row. Costly elements end at different times: smaller blocks leave room sooner.
template <typename Row>
inline constexpr int warp_a_row_v = has_costly_elements_v<decltype(Row::source)> ? 128 : 256;

}  // namespace fettle::ndp::cuda::detail
