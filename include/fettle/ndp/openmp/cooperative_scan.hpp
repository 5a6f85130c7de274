// cooperative_scan: one scan by a team, in two passes over pieces that stay in the cache between
// them.
//
// In each round every thread takes the next piece of the source. It first reduces its piece; when
// all have met, it knows from the others' sums where its own piece starts, and scans it, reading it
// a second time from its cache. So memory is read once, not twice, the seed enters once, and the
// operator need not commute. Nothing is stored but two sums a thread.
#pragma once

#include <algorithm>
#include <optional>

#include <fettle/ndp/openmp/context.hpp>
#include <fettle/ndp/openmp/cooperative_reduce.hpp>
#include <fettle/ndp/openmp/fold.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/openmp/serial_scan.hpp>
#include <fettle/ndp/openmp/slots.hpp>
#include <fettle/ndp/openmp/team.hpp>

namespace fettle::ndp::openmp {

/// A scan that a team can share.
template <typename E>
concept team_scannable = scan_node<E> && detail::splits_v<E>;

namespace detail {

// How many elements a thread takes in a round: what fits into a core's own cache, unless the policy
// says it; less where there are not as many.
template <typename T>
[[nodiscard]] inline index_t scan_piece(const openmp::level& how, index_t count, int team) {
  const index_t wanted =
      how.chunk_size > 0 ? how.chunk_size : index_t{256 * 1024} / static_cast<index_t>(sizeof(T));
  return std::clamp<index_t>(wanted, 1, std::max<index_t>(ceiling_quotient(count, team), 1));
}

}  // namespace detail

/// The scan `e` into `destination`, on the threads of `at`.
template <team_scannable E, typename D>
void scan_on_team(const context& at, const E& e, const D& destination) {
  using value_type = typename E::value_type;
  const index_t count = e.size();
  const int team = divide(at, count).team;
  if (team <= 1) {
    scan_part(e.op, e.source, 0, count, static_cast<value_type>(e.seed), destination);
    return;
  }
  const index_t piece = detail::scan_piece<value_type>(at.here(), count, team);
  slots<value_type> sums(index_t{2} * team);
  on_team(team, [&](team_member& member) {
    const auto op = e.op;
    const auto source = e.source;
    const D own_destination = destination;
    std::optional<value_type> carry;  // what has been summed before this round
    for (index_t round = 0, base = 0; base < count; ++round, base += piece * team) {
      // The sums of two rounds: one may still be read while the next is written.
      const index_t first_sum = (round & 1) * team;
      const auto begin = [&](index_t k) { return std::min(base + k * piece, count); };
      const bool all_well = member.step([&] {
        for (index_t k = member.thread(); k < team; k += member.size()) {
          auto& sum = sums[first_sum + k];
          sum.reset();
          if (begin(k + 1) > begin(k) && begin(k + 1) < count) {
            sum.emplace(fold_part<value_type>(op, source, begin(k), begin(k + 1)));
          }
        }
      });
      if (!all_well) return;
      member.last_step([&] {
        value_type value = carry ? *carry : static_cast<value_type>(e.seed);
        for (index_t k = 0; k < team; ++k) {
          if (k % member.size() == member.thread()) {
            scan_part(op, source, begin(k), begin(k + 1), value, own_destination);
          }
          if (sums[first_sum + k]) value = op(value, *sums[first_sum + k]);
        }
        carry.emplace(value);
      });
    }
  });
}

}  // namespace fettle::ndp::openmp
