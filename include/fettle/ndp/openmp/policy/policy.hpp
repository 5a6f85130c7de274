// openmp::policy: the parameters of an implementation on OpenMP (the paper's table IV).
//
//   openmp::policy{.num_threads = 8, .level = {{.schedule = openmp::omp_schedule::dynamic,
//                                               .chunk_size = 64}}}
//   to_string(policy)      "num_threads=8 1.schedule=dynamic 1.chunk_size=64"
//   openmp::parse_policy("num_threads=8")
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

using ndp::precision;

/// How a parallel loop's iterations are distributed to the threads: the schedule clause.
/// `automatic` leaves it to the kernel.
enum class omp_schedule : std::uint8_t { automatic, static_, dynamic, guided };

[[nodiscard]] constexpr auto names_of(omp_schedule /*any*/) noexcept {
  return std::array<std::string_view, 4>{"automatic", "static", "dynamic", "guided"};
}

/// Who performs a level that may run in parallel: one thread (with its vector lanes), or the whole
/// team. `automatic`: the team on the outermost parallel level, one thread on those inside it.
enum class execution_resource : std::uint8_t { automatic, thread, team };

[[nodiscard]] constexpr auto names_of(execution_resource /*any*/) noexcept {
  return std::array<std::string_view, 3>{"automatic", "thread", "team"};
}

/// The parameters of one nesting level.
struct level {
  omp_schedule schedule = omp_schedule::automatic;
  int chunk_size = 0;  // iterations per chunk; 0: OpenMP's default
  execution_resource resource = execution_resource::automatic;
  int unroll =
      0;  // iterations of a sequential loop at a time: 1, 2, 4, 8; 0: the compiler's choice

  [[nodiscard]] friend constexpr bool operator==(const level&, const level&) = default;
};

/// The parameters of a whole computation.
struct policy {
  static constexpr std::string_view platform_name = "openmp";

  int num_threads = 0;          // 0: as many as OpenMP gives by default
  bool enable_nesting = false;  // parallel regions inside parallel regions
  int sample = 1;               // knobs (schedule/knobs.hpp): every how many tiles a reduce reads,
  int perforate = 1;            // every how many results a map computes,
  precision accumulation = precision::full;  // and in what sums of doubles add up
  per_level<openmp::level> level{};

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

namespace detail {

/// The fields of openmp::policy, in any policy that has them too.
template <typename Policy, typename Visit>
constexpr void visit_thread_fields(Policy& p, Visit& visit) {
  visit(0, "num_threads", "num_threads", p.num_threads);
  visit(0, "enable_nesting", "enable_nesting", p.enable_nesting);
  ndp::detail::visit_knobs(p, visit);
  for (int i = 0; i < p.level.count; ++i) {
    visit(i + 1, "schedule", "omp_schedule", p.level[i].schedule);
    visit(i + 1, "chunk_size", "chunk_size", p.level[i].chunk_size);
    visit(i + 1, "resource", "execution_resource", p.level[i].resource);
    visit(i + 1, "unroll", "enable_unroll", p.level[i].unroll);
  }
}

}  // namespace detail

/// Calls visit(level, name, name in the paper, field) for every parameter; level 0 is the whole
/// computation's. The fields are const where `p` is.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  detail::visit_thread_fields(p, visit);
}

/// To text and back: see schedule/policy_text.hpp.
using ndp::to_string;
inline constexpr ndp::detail::policy_parser<policy> parse_policy{};

}  // namespace fettle::ndp::openmp
