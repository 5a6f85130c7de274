// own_first: equal shares of a computation, of which each thread has several to itself, one behind
// the other, until it is done with them and takes those that others have not come to.
//
// Threads of one team are not equally fast: two may share a core, or lose it to another program. A
// thread that is done helps the others, beginning with its neighbour; as long as none is, each
// stays in its own part of the memory, and nobody waits for a counter.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/openmp/team/team.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// How many shares each of `threads` threads gets of so many steps (rows and elements): one where
/// the work is not worth more, or where there is nobody to take them.
[[nodiscard]] constexpr int shares_of_thread(index_t steps, int threads) noexcept {
  constexpr index_t least = 4096;  // steps, a few microseconds
  constexpr index_t most = 16;
  if (threads <= 1) return 1;
  return static_cast<int>(std::clamp<index_t>(steps / (threads * least), 1, most));
}

/// `threads` times `each` shares, while they are dealt. Usable once.
class own_first {
  struct alignas(64) counter {
    std::atomic<int> share{0};
  };

 public:
  own_first(int threads, int each)
      : next_(each > 1 ? static_cast<std::size_t>(threads) : 0),
        dealer_{threads, each, next_.data()} {}

  /// What a thread has to know in order to take part: a plain value, so that it can come with the
  /// thread's other work. The shares that it deals have to live as long.
  class dealer {
   public:
    [[nodiscard]] int threads() const noexcept { return threads_; }
    [[nodiscard]] int count() const noexcept { return threads_ * each_; }

    /// take(share) for those that fall to this member of the team; a thread's own come in order.
    /// All are taken, also by a team that is smaller than was asked for.
    template <typename Take>
    void deal(const team_member& member, const Take& take) const {
      if (each_ == 1) {
        for (int share = member.thread(); share < threads_; share += member.size()) take(share);
        return;
      }
      for (int i = 0; i < threads_; ++i) {
        const int owner = (member.thread() + i) % threads_;
        std::atomic<int>& next = next_[owner].share;
        // Looked at first: writing to a counter takes its line away from its owner.
        while (next.load(std::memory_order_relaxed) < each_ && !member.failed()) {
          const int place = next.fetch_add(1, std::memory_order_relaxed);
          if (place < each_) take(owner * each_ + place);
        }
      }
    }

   private:
    friend own_first;
    dealer(int threads, int each, counter* next) noexcept
        : threads_(threads), each_(each), next_(next) {}

    int threads_;
    int each_;
    counter* next_;  // one for each thread; none where each has one share
  };

  [[nodiscard]] const dealer& shares() const noexcept { return dealer_; }

 private:
  std::vector<counter> next_;
  dealer dealer_;
};

}  // namespace fettle::ndp::openmp
