// loop_schedule: which thread of a team gets which iterations: OpenMP's loop schedules as ranges.
//
// Divided by hand rather than by `omp for`, so that a thread gets whole ranges (the loops over them
// vectorise), exceptions end the loop, and the schedule is a run-time value without touching
// OpenMP's global one.
#pragma once

#include <algorithm>
#include <atomic>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/region.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

/// A reference to a function take(begin, end), which has to outlive it. With it the loops below are
/// compiled once instead of for each computation; it costs an indirect call a range.
class range_work {
 public:
  template <typename Take>
  explicit range_work(const Take& take) noexcept
      : take_(&take), call_([](const void* its, index_t begin, index_t end) {
          (*static_cast<const Take*>(its))(begin, end);
        }) {}

  void operator()(index_t begin, index_t end) const { call_(take_, begin, end); }

 private:
  const void* take_;  // not owned
  void (*call_)(const void*, index_t, index_t);
};

/// What the threads of a loop have in common.
struct loop_state {
  std::atomic<index_t> next{0};
};

inline void divide_static(index_t chunk, index_t count, const team_member& member,
                          range_work take) {
  if (chunk <= 0) {
    const index_t begin = part_begin(count, member.thread(), member.size());
    const index_t end = part_begin(count, member.thread() + 1, member.size());
    if (begin < end) take(begin, end);
    return;
  }
  const index_t stride = chunk * member.size();
  for (index_t begin = chunk * member.thread(); begin < count; begin += stride) {
    if (member.failed()) return;
    take(begin, std::min(begin + chunk, count));
  }
}

inline void divide_dynamic(index_t chunk, index_t count, const team_member& member,
                           loop_state& state, range_work take) {
  while (!member.failed()) {
    const index_t begin = state.next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= count) return;
    take(begin, std::min(begin + chunk, count));
  }
}

// Each range is an equal part of what is left, `chunk` at least.
inline void divide_guided(index_t chunk, index_t count, const team_member& member,
                          loop_state& state, range_work take) {
  index_t begin = state.next.load(std::memory_order_relaxed);
  while (begin < count && !member.failed()) {
    const index_t part = ceiling_quotient(count - begin, member.size());
    const index_t end = std::min(begin + std::max(part, chunk), count);
    if (state.next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) {
      take(begin, end);
      begin = state.next.load(std::memory_order_relaxed);
    }
  }
}

/// take(begin, end) for ranges that together are [0, count), each range on one thread of the team.
/// A chunk of 0 means what it means in OpenMP: equal parts (static), 1 (dynamic, guided).
inline void divide_loop(omp_schedule schedule, index_t chunk, index_t count,
                        const team_member& member, loop_state& state, range_work take) {
  switch (schedule) {
    case omp_schedule::automatic:
    case omp_schedule::static_:
      return divide_static(chunk, count, member, take);
    case omp_schedule::dynamic:
      return divide_dynamic(std::max<index_t>(chunk, 1), count, member, state, take);
    case omp_schedule::guided:
      return divide_guided(std::max<index_t>(chunk, 1), count, member, state, take);
  }
}

/// The loop over [0, count) on a team of its own, which ends with it.
inline void loop_on_team(int threads, omp_schedule schedule, index_t chunk, index_t count,
                         range_work take) {
  loop_state state;
  on_team(threads, [&](team_member& member) {
    member.last_step([&] { divide_loop(schedule, chunk, count, member, state, take); });
  });
}

}  // namespace fettle::ndp::openmp::detail
