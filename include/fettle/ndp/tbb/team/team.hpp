// team: the tasks of oneTBB for one level of a computation; see host/team/team_like.hpp.
//
// There are no barriers, and no task waits for one that may not have begun: with a single thread
// the tasks run one after the other. What a kernel does in phases is a parallel loop a phase.
#pragma once

#include <atomic>
#include <chrono>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/host/team/level_of.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/team/work_stealing.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tbb/policy/partitioner.hpp>
#include <fettle/ndp/tbb/policy/policy.hpp>
#include <fettle/ndp/tbb/team/arena.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb::detail {

/// One of a number of tasks that are as many as threads are wanted.
struct task {
  int index;
  int count;
  const std::atomic<bool>* any_failed;

  [[nodiscard]] int thread() const noexcept { return index; }
  [[nodiscard]] int size() const noexcept { return count; }
  /// Another task has thrown: no need to go on.
  [[nodiscard]] bool failed() const noexcept { return any_failed->load(std::memory_order_relaxed); }
};

/// body(task) for `count` tasks, which oneTBB divides among the threads that it has.
template <typename Body>
void for_tasks(int count, const Body& body) {
  std::atomic<bool> any_failed{false};
  const auto perform = [&](const ::tbb::blocked_range<int>& some) {
    for (int i = some.begin(); i < some.end(); ++i) {
      try {
        body(task{i, count, &any_failed});
      } catch (...) {
        any_failed = true;
        throw;
      }
    }
  };
  ::tbb::parallel_for(::tbb::blocked_range<int>(0, count), perform, ::tbb::static_partitioner{});
}

/// Pieces by tickets: a piece is taken when all before it have been, by threads that work on them,
/// so that to wait for one of them is safe however many threads there are.
class tickets {
 public:
  tickets(std::atomic<index_t>& next, index_t pieces, const task& its) noexcept
      : next_(next), pieces_(pieces), task_(its) {}

  [[nodiscard]] bool next(index_t& piece) noexcept {
    piece = next_.fetch_add(1, std::memory_order_relaxed);
    return piece < pieces_;
  }
  [[nodiscard]] bool failed() const noexcept { return task_.failed(); }

 private:
  std::atomic<index_t>& next_;
  index_t pieces_;
  const task& task_;
};

class team : public host::detail::level_of<team, policy> {
 public:
  explicit team(const policy& p)
      : level_of(p, p.num_threads > 0 ? p.num_threads : arena_threads()) {}

  [[nodiscard]] static int available() noexcept { return arena_threads(); }
  /// oneTBB does not tell whether its threads are awake.
  [[nodiscard]] static std::chrono::duration<double> start_time(int /*threads*/) noexcept {
    return host::detail::team_start;
  }
  template <typename Work>
  static decltype(auto) within(const policy& p, const Work& work) {
    if (p.num_threads <= 1 || p.num_threads == arena_threads()) return work();
    return in_arena(p.num_threads, work);
  }

  [[nodiscard]] index_t grain() const noexcept { return here().grain_size; }

  /// Tasks inside tasks are shared by the same threads, so nothing has to be divided.
  template <schedule::inner_schedule Inner>
  [[nodiscard]] host::detail::division divide(index_t count) const noexcept {
    if (threads() <= 1 || here().resource == execution_resource::thread) return {1, threads()};
    const bool nests =
        !schedule::is_sequential_v<Inner> && below().resource == execution_resource::tasks;
    return {most_threads(count), nests ? threads() : 1};
  }
  [[nodiscard]] index_t parts_of(index_t count, int wanted) const noexcept {
    return host::detail::parts_for(count, wanted, grain(), balances_load(here().partitioner));
  }

  // As many equal ranges as tasks, or ranges that are split by one of oneTBB's partitioners.
  template <typename Take>
  void for_split(int tasks, index_t grain, index_t count, const Take& take) const {
    if (count <= 0) return;
    if (tasks <= 1) {
      take(index_t{0}, count);
      return;
    }
    const partitioner_type split = here().partitioner;
    const bool is_a_task_each = grain <= 0 || (grain == 1 && count <= tasks);
    if (split == partitioner_type::automatic && is_a_task_each) {
      for_tasks(tasks, [&](const task& its) {
        const index_t begin = part_begin(count, its.index, its.count);
        const index_t end = part_begin(count, its.index + 1, its.count);
        if (begin < end) take(begin, end);
      });
      return;
    }
    if (grain <= 0) grain = default_grain(split, count, tasks);
    const ::tbb::blocked_range<index_t> all(0, count, static_cast<std::size_t>(grain));
    const auto body = [&](const ::tbb::blocked_range<index_t>& some) {
      take(some.begin(), some.end());
    };
    switch (split) {
      case partitioner_type::automatic:
      case partitioner_type::auto_:
        return ::tbb::parallel_for(all, body, ::tbb::auto_partitioner{});
      case partitioner_type::simple:
        return ::tbb::parallel_for(all, body, ::tbb::simple_partitioner{});
      case partitioner_type::static_:
        return ::tbb::parallel_for(all, body, ::tbb::static_partitioner{});
    }
  }
  template <typename Body>
  void for_tiles(int tasks, int each, const Body& body) const {
    const host::detail::work_stealing stealing(tasks, each);
    for_tasks(tasks, [body, tiles = stealing.tiles()](const task& its) {
      body(host::detail::assigned_tiles(tiles, its));
    });
  }
  template <typename Body>
  void in_order(int tasks, index_t pieces, const Body& body) const {
    std::atomic<index_t> next{0};
    for_tasks(tasks, [&](const task& its) {
      // A thread that waits inside the user's functions must not begin another of these tasks: it
      // would wait for a piece that the thread itself holds.
      ::tbb::this_task_arena::isolate([&] {
        tickets turns(next, pieces, its);
        body(turns);
      });
    });
  }
  template <typename... Phases>
  void in_phases(int parts, const Phases&... phases) const {
    (perform(parts, phases), ...);
  }
  template <typename Work, typename Finish>
  void in_rounds(int tasks, index_t rounds, const Work& work, const Finish& finish) const {
    for (index_t round = 0; round < rounds; ++round) {
      for_tasks(tasks, [&](const task& its) { work(round, its.index); });
      finish(round);
    }
  }

 private:
  friend level_of;
  team(const policy& p, int threads, int level) noexcept : level_of(p, threads, level) {}

  template <typename Phase>
  static void perform(int parts, const Phase& phase) {
    if constexpr (host::detail::is_serial_phase_v<Phase>) {
      phase();
    } else {
      for_tasks(parts, [&](const task& its) { phase(its.index); });
    }
  }
};

static_assert(host::detail::team_like<team>);

}  // namespace fettle::ndp::tbb::detail
