// cuda::policy: the parameters of an implementation on CUDA (the paper's table IV). Needs no CUDA.
//
//   cuda::policy{.block_size_x = 128, .logical_warp_size = 8,
//                .level = {{.grain_size = 2}, {.resource = cuda::execution_resource::warp}}}
//   to_string(policy)      "block_size_x=128 logical_warp_size=8 1.grain_size=2 2.resource=warp"
//   cuda::parse_policy("block_size_x=128")
//
// Kernels take a policy as a type, ndp::constant<policy{...}>, so that it shapes their code.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

using ndp::precision;

/// How the threads of a block combine their partial results in a reduce; CUB's algorithms.
enum class block_reduce_algorithm : std::uint8_t {
  raking,
  raking_commutative_only,
  warp_reductions
};

[[nodiscard]] constexpr auto names_of(block_reduce_algorithm /*any*/) noexcept {
  return std::array<std::string_view, 3>{"raking", "raking_commutative_only", "warp_reductions"};
}

/// How the threads of a block combine their partial results in a scan; CUB's algorithms.
enum class block_scan_algorithm : std::uint8_t { raking, raking_memoize, warp_scans };

[[nodiscard]] constexpr auto names_of(block_scan_algorithm /*any*/) noexcept {
  return std::array<std::string_view, 3>{"raking", "raking_memoize", "warp_scans"};
}

/// Who performs one instance of a level: a thread, a logical warp, or a block. `automatic`: a
/// thread for each element of an independent outermost level, a logical warp for what cooperates
/// inside it.
enum class execution_resource : std::uint8_t { automatic, thread, warp, block };

[[nodiscard]] constexpr auto names_of(execution_resource /*any*/) noexcept {
  return std::array<std::string_view, 4>{"automatic", "thread", "warp", "block"};
}

/// The parameters of one nesting level.
struct level {
  int grain_size = 1;  // elements that one resource takes at a time
  block_reduce_algorithm block_reduce_algo = block_reduce_algorithm::warp_reductions;
  block_scan_algorithm block_scan_algo = block_scan_algorithm::warp_scans;
  int block_scan_grain_size = 1;  // elements that one thread scans at a time
  execution_resource resource = execution_resource::automatic;
  int unroll =
      0;  // iterations of a sequential loop at a time: 1, 2, 4 or 8; 0: the compiler's choice

  [[nodiscard]] friend constexpr bool operator==(const level&, const level&) = default;
};

/// The parameters of a whole computation.
struct policy {
  static constexpr std::string_view platform_name = "cuda";

  int block_size_x = 256;  // threads of a block, side by side
  int block_size_y = 1;
  int logical_warp_size = 32;  // threads that act as one warp: 2, 4, 8, 16 or 32
  int sample = 1;              // knobs (schedule/knobs.hpp): every how many tiles a reduce reads,
  int perforate = 1;           // every how many results a map computes,
  precision accumulation = precision::full;  // and in what sums of doubles add up
  per_level<cuda::level> level{};

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

namespace detail {

/// The fields of cuda::policy, in any policy that has them too.
template <typename Policy, typename Visit>
constexpr void visit_block_fields(Policy& p, Visit& visit) {
  visit(0, "block_size_x", "block_size_x", p.block_size_x);
  visit(0, "block_size_y", "block_size_y", p.block_size_y);
  visit(0, "logical_warp_size", "logical_warp_size", p.logical_warp_size);
  ndp::detail::visit_knobs(p, visit);
  for (int i = 0; i < p.level.count; ++i) {
    visit(i + 1, "grain_size", "grain_size", p.level[i].grain_size);
    visit(i + 1, "block_reduce_algo", "block_reduce_algo", p.level[i].block_reduce_algo);
    visit(i + 1, "block_scan_algo", "block_scan_algo", p.level[i].block_scan_algo);
    visit(i + 1, "block_scan_grain_size", "block_scan_grain_size",
          p.level[i].block_scan_grain_size);
    visit(i + 1, "resource", "execution_resource", p.level[i].resource);
    visit(i + 1, "unroll", "enable_unroll", p.level[i].unroll);
  }
}

}  // namespace detail

/// Calls visit(level, name, name in the paper, field) for every parameter; level 0 is the whole
/// computation's. The fields are const where `p` is.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  detail::visit_block_fields(p, visit);
}

/// To text and back: see schedule/policy_text.hpp.
using ndp::to_string;
inline constexpr ndp::detail::policy_parser<policy> parse_policy{};

}  // namespace fettle::ndp::cuda
