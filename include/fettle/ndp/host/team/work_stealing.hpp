// work_stealing: equal tiles of a computation, of which each thread has several, one behind the
// other, until it is done with them and steals those that others have not begun.
//
// Threads of one team are not equally fast: two may share a core, or lose it to another program. A
// thread that is done helps the others, beginning with its neighbour; before that, each stays in
// its own part of the memory, and none waits for a counter.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How many tiles each of `threads` threads gets of so many steps (rows and elements): one where
/// the work is not worth more, or where there is no other thread to steal.
[[nodiscard]] constexpr int tiles_of_thread(index_t steps, int threads) noexcept {
  constexpr index_t least = 4096;  // steps, a few microseconds
  constexpr index_t most = 16;
  if (threads <= 1) return 1;
  return static_cast<int>(std::clamp<index_t>(steps / (threads * least), 1, most));
}

/// `threads` times `each` tiles, while they are assigned. Usable once.
class work_stealing {
  struct alignas(64) counter {
    std::atomic<int> begun{0};
  };

 public:
  work_stealing(int threads, int each)
      : begun_(each > 1 ? static_cast<std::size_t>(threads) : 0),
        queues_{threads, each, begun_.data()} {}

  /// What a thread has to know in order to take part: a plain value, so that it can come with the
  /// thread's other work. The work_stealing that it is of has to live as long.
  class queues {
   public:
    /// take(tile) for those that fall to this thread; a thread's own come in order. All are taken,
    /// also by fewer threads than were asked for.
    template <typename Member, typename Take>
    void for_each(const Member& member, const Take& take) const {
      if (each_ == 1) {
        for (int tile = member.thread(); tile < threads_; tile += member.size()) take(tile);
        return;
      }
      for (int i = 0; i < threads_; ++i) {
        const int owner = (member.thread() + i) % threads_;
        std::atomic<int>& begun = begun_[owner].begun;
        // Looked at first: writing to a counter takes its line away from its owner.
        while (begun.load(std::memory_order_relaxed) < each_ && !member.failed()) {
          const int index = begun.fetch_add(1, std::memory_order_relaxed);
          if (index < each_) take(owner * each_ + index);
        }
      }
    }

   private:
    friend work_stealing;
    queues(int threads, int each, counter* begun) noexcept
        : threads_(threads), each_(each), begun_(begun) {}

    int threads_;
    int each_;
    counter* begun_;  // one for each thread; none where each has one tile
  };

  [[nodiscard]] const queues& tiles() const noexcept { return queues_; }

 private:
  std::vector<counter> begun_;
  queues queues_;
};

/// The tiles that fall to one member of a team.
template <typename Member>
class assigned_tiles {
 public:
  assigned_tiles(const work_stealing::queues& queues, const Member& member) noexcept
      : queues_(queues), member_(member) {}

  template <typename Take>
  void for_each(const Take& take) const {
    queues_.for_each(member_, take);
  }

 private:
  work_stealing::queues queues_;
  const Member& member_;
};

}  // namespace fettle::ndp::host::detail
