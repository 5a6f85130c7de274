// team: the threads of OpenMP for one level of a computation; see host/team/team_like.hpp.
//
// Whatever the threads do together is one parallel region, in which they meet at barriers, because
// starting a region costs more than a barrier.
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/team/level_of.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/team/work_stealing.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/awake.hpp>
#include <fettle/ndp/openmp/team/loop_schedule.hpp>
#include <fettle/ndp/openmp/team/region.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

/// Pieces by turns, each thread every n-th.
class strided_turns {
 public:
  strided_turns(const team_member& member, index_t pieces) noexcept
      : member_(member), next_(member.thread()), pieces_(pieces) {}

  [[nodiscard]] bool next(index_t& piece) noexcept {
    piece = next_;
    next_ += member_.size();
    return piece < pieces_;
  }
  [[nodiscard]] bool failed() const noexcept { return member_.failed(); }

 private:
  const team_member& member_;
  index_t next_;
  index_t pieces_;
};

class team : public host::detail::level_of<team, policy> {
 public:
  explicit team(const policy& p) noexcept : level_of(p, thread_count(p.num_threads)) {}

  [[nodiscard]] static int available() noexcept { return thread_count(0); }
  [[nodiscard]] static std::chrono::duration<double> start_time(int threads) noexcept {
    return is_awake(threads) ? std::chrono::duration<double>(1e-6 + 0.25e-6 * threads)
                             : host::detail::team_start;
  }
  template <typename Work>
  static decltype(auto) within(const policy& p, const Work& work) {
    const nesting_permit permit(p.enable_nesting);
    return work();
  }

  [[nodiscard]] index_t grain() const noexcept { return here().chunk_size; }

  /// Nested regions never start more threads than the policy names: half of them at most work on
  /// this level, in teams of equal size.
  template <schedule::inner_schedule Inner>
  [[nodiscard]] host::detail::division divide(index_t count) const noexcept {
    if (threads() <= 1 || here().resource == execution_resource::thread) return {1, threads()};
    const int most = most_threads(count);
    if (!schedule::is_sequential_v<Inner> && parameters().enable_nesting &&
        below().resource != execution_resource::thread) {
      const int outer = std::min(most, std::max(threads() / 2, 1));
      return {outer, threads() / outer};
    }
    return {most, 1};
  }
  [[nodiscard]] index_t parts_of(index_t count, int threads) const noexcept {
    const bool as_threads_are_free =
        here().schedule == omp_schedule::dynamic || here().schedule == omp_schedule::guided;
    return host::detail::parts_for(count, threads, grain(), as_threads_are_free);
  }

  template <typename Take>
  void for_split(int threads, index_t chunk, index_t count, const Take& take) const {
    loop_on_team(threads, here().schedule, chunk, count, range_work(take));
  }
  template <typename Body>
  void for_tiles(int threads, int each, const Body& body) const {
    const host::detail::work_stealing stealing(threads, each);
    on_team(threads, [body, tiles = stealing.tiles()](team_member& member) {
      member.last_step([&] { body(host::detail::assigned_tiles(tiles, member)); });
    });
  }
  template <typename Body>
  void in_order(int threads, index_t pieces, const Body& body) const {
    on_team(threads, [&](team_member& member) {
      member.last_step([&] {
        strided_turns turns(member, pieces);
        body(turns);
      });
    });
  }
  template <typename... Phases>
  void in_phases(int parts, const Phases&... phases) const {
    on_team(parts, [&](team_member& member) { perform(member, parts, phases...); });
  }
  template <typename Work, typename Finish>
  void in_rounds(int threads, index_t rounds, const Work& work, const Finish& finish) const {
    on_team(threads, [&](team_member& member) {
      for (index_t round = 0; round < rounds; ++round) {
        if (!member.step([&] {
              for (int part = member.thread(); part < threads; part += member.size()) {
                work(round, part);
              }
            })) {
          return;
        }
        if (round % member.size() == member.thread()) member.last_step([&] { finish(round); });
      }
    });
  }

 private:
  friend level_of;
  team(const policy& p, int threads, int level) noexcept : level_of(p, threads, level) {}

  template <typename Phase, typename... Rest>
  static void perform(team_member& member, int parts, const Phase& phase, const Rest&... rest) {
    const auto work = [&] {
      if constexpr (host::detail::is_serial_phase_v<Phase>) {
        if (member.thread() == 0) phase();
      } else {
        for (int part = member.thread(); part < parts; part += member.size()) phase(part);
      }
    };
    if constexpr (sizeof...(rest) == 0) {
      member.last_step(work);
    } else {
      if (member.step(work)) perform(member, parts, rest...);
    }
  }
};

static_assert(host::detail::team_like<team>);

}  // namespace fettle::ndp::openmp::detail
