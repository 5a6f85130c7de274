// rules: what OpenMP can implement, what its implementations are tuned by, and on which inputs.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/dispatch/default_rule.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/limit.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

struct rules {
  using policy = openmp::policy;
  using default_policy = openmp::policy;

  static constexpr bool is_available = true;

  /// Joining what is known of two rows costs more than looking at one.
  static constexpr index_t rows_read_together = 64;

  /// Every level may have any schedule of the paper.
  [[nodiscard]] static constexpr schedule::limit schedule_limit(
      const schedule::nodes& nodes) noexcept {
    return schedule::flattened_limit(nodes);
  }
  [[nodiscard]] static constexpr std::string_view violation(const policy& p,
                                                            const schedule::nodes& nodes) noexcept {
    return openmp::violation(p, nodes);
  }

  static constexpr void global_parameters(parameter_list& out) {
    out.insert({"num_threads"});
    out.insert({"enable_nesting"});
  }
  /// Every parallel loop has a schedule; sequential ones can be unrolled. Inside another level, a
  /// parallel one is for a thread or a team. Flattened has nothing to set.
  static constexpr void local_parameters(parameter_list& out, const scheduled_level& its) {
    if (its.node == schedule::kind::sequential) {
      out.insert({"enable_unroll", its.level});
    } else if (its.node != schedule::kind::flattened) {
      out.insert({"omp_schedule", its.level});
      out.insert({"chunk_size", its.level});
      if (its.level > 1) out.insert({"execution_resource", its.level});
    }
  }

  template <typename E, typename Schedule>
  [[nodiscard]] static constexpr std::string_view why_pruned() noexcept {
    return {};
  }
  static void describe_limits(json_writer& out) { out.field("threads", threads()); }
  [[nodiscard]] static int threads() noexcept { return thread_count(0); }

  /// A team is for inputs that the default rule would give one at once: on fewer elements, a busy
  /// machine makes a thread that is waited for a thousand times slower than all of the work.
  [[nodiscard]] static constexpr bool is_restricted(const policy& p,
                                                    const schedule::nodes& nodes) noexcept {
    return takes_team(p, nodes);
  }
  template <typename E>
  [[nodiscard]] static bool admits(const E& e) {
    return is_worth_team(e);
  }
};

}  // namespace fettle::ndp::openmp::detail
