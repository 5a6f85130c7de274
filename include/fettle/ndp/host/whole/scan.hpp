// scan: one scan by a team, in one pass over memory and without barriers (a chained scan: each
// piece waits for the sum of the one before).
//
// The threads take pieces of the source in ascending order. A thread first reduces its piece; with
// the sum of everything before, which the thread of the piece before publishes, it knows where its
// own piece starts, publishes the next sum at once, and scans its piece, reading it a second time
// from its cache. So memory is read once, not twice, the seed enters once, the operator need not
// commute, and nothing is stored but one sum a thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/serial_scan.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A scan that a team can work on together.
template <typename E>
concept team_scannable = scan_node<E> && splits_v<E>;

// The sums of all pieces up to each one, from thread to thread. There is one link for each thread:
// before the sum of piece k + links is published, each sum between has been, and so that of piece k
// has been read.
template <typename T>
class sum_chain {
 public:
  explicit sum_chain(index_t links)
      : count_(links), links_(std::make_unique<link[]>(static_cast<std::size_t>(links))) {}

  void publish(index_t piece, const T& sum) {
    link& to = at(piece);
    to.sum.emplace(sum);
    to.piece.store(piece, std::memory_order_release);
  }
  // Waits for the sum up to `piece`; none where another thread has failed.
  template <typename Turns>
  [[nodiscard]] std::optional<T> wait_for(index_t piece, const Turns& turns) {
    const link& from = at(piece);
    for (int attempt = 0; from.piece.load(std::memory_order_acquire) != piece; ++attempt) {
      if (turns.failed()) return std::nullopt;
      if (attempt > 2000) std::this_thread::yield();
    }
    return from.sum;
  }

 private:
  struct alignas(64) link {
    std::atomic<index_t> piece{-1};
    std::optional<T> sum;
  };
  [[nodiscard]] link& at(index_t piece) noexcept {
    return links_[static_cast<std::size_t>(piece % count_)];
  }

  index_t count_;
  std::unique_ptr<link[]> links_;
};

// How many elements a thread takes at a time: what fits into a core's own cache together with the
// result, unless the policy says it; less where there are not as many. To hand a sum on to another
// thread costs as much as to scan hundreds of elements, and far more where threads share a core.
template <typename T>
[[nodiscard]] inline index_t scan_piece(index_t grain, index_t count, int threads) {
  constexpr index_t least = 512;
  const index_t wanted =
      grain > 0 ? std::max(grain, least) : index_t{128 * 1024} / static_cast<index_t>(sizeof(T));
  return std::clamp<index_t>(wanted, 1, std::max<index_t>(ceiling_quotient(count, threads), 1));
}

/// The scan `e` into `destination`, on the threads of `at`.
template <team_like Team, team_scannable E, typename D>
void scan_on_team(const Team& at, const E& e, const D& destination) {
  using value_type = typename E::value_type;
  const index_t count = e.size();
  const int threads = at.template divide<schedule::none>(count).team;
  if (threads <= 1) {
    realise_in_thread<schedule::cooperative<>>(e, destination, {});
    return;
  }
  const index_t piece = scan_piece<value_type>(at.grain(), count, threads);
  sum_chain<value_type> chain(threads);
  at.in_order(threads, ceiling_quotient(count, piece), [&](auto& turns) {
    own_t<E> own = e;
    own_t<D> to = destination;
    for (index_t k = 0; turns.next(k);) {
      const index_t first = k * piece;
      const index_t last = std::min(first + piece, count);
      std::optional<value_type> sum;
      if (last < count) sum.emplace(fold_part<value_type>(own.op, own.source, first, last));
      std::optional<value_type> value(static_cast<value_type>(own.seed));
      if (k > 0) value = chain.wait_for(k - 1, turns);
      if (!value) return;
      if (sum) chain.publish(k, own.op(*value, *sum));
      scan_part<E::is_inclusive>(own.op, own.source, first, last, *value, to);
    }
  });
}

}  // namespace fettle::ndp::host::detail
