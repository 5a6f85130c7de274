// rules: what the platforms have in common whose work is done by threads of the host.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/worth_team.hpp>
#include <fettle/ndp/schedule/limit.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename Policy>
[[nodiscard]] constexpr std::string_view violation_of(const Policy& p,
                                                      const schedule::nodes& nodes) noexcept {
  return violation(p, nodes);
}

template <typename Policy>
struct rules {
  using policy = Policy;
  using default_policy = Policy;

  static constexpr bool is_available = true;

  /// Joining what is known of two rows costs more than looking at one.
  static constexpr index_t rows_read_together = 64;

  /// Every level may have any schedule of the paper.
  [[nodiscard]] static constexpr schedule::limit schedule_limit(
      const schedule::nodes& nodes) noexcept {
    return schedule::flattened_limit(nodes);
  }

  [[nodiscard]] static constexpr std::string_view violation(const Policy& p,
                                                            const schedule::nodes& nodes) noexcept {
    return violation_of(p, nodes);
  }

  template <typename E, typename Schedule>
  [[nodiscard]] static constexpr std::string_view why_pruned() noexcept {
    return {};
  }

  /// A team is for inputs for which the default rule would start one at once: on fewer elements, a
  /// busy machine makes a thread that is waited for a thousand times slower than all of the work.
  [[nodiscard]] static constexpr bool is_restricted(const Policy& p,
                                                    const schedule::nodes& nodes) noexcept {
    return takes_team(p, nodes);
  }
  template <typename E>
  [[nodiscard]] static bool admits(const E& e) {
    return is_worth_team(e);
  }

  /// Whether a computation takes a team of threads by this schedule and policy, as far as there are
  /// any.
  [[nodiscard]] static constexpr bool takes_team(const Policy& p,
                                                 const schedule::nodes& nodes) noexcept {
    if (p.num_threads == 1) return false;
    int level = 1;
    for (const schedule::kind node : nodes) {
      using resource = decltype(p.level.first.resource);
      const bool parallel = node != schedule::kind::sequential;
      if (parallel && p.level[level - 1].resource != resource::thread) return true;
      level += schedule::levels_covered(node);
    }
    return false;
  }
};

}  // namespace fettle::ndp::host::detail
