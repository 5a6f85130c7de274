// cooperative_scan: one scan by a team, in one pass over memory and without barriers.
//
// The threads take pieces of the source in turn. A thread first reduces its piece; with the sum of
// everything before, which the thread of the piece before hands on, it knows where its own piece
// starts, hands on the next sum at once, and scans its piece, reading it a second time from its
// cache. So memory is read once, not twice, the seed enters once, the operator need not commute,
// and nothing is stored but one sum a thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/lanes/assign.hpp>
#include <fettle/ndp/openmp/lanes/fold.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/lanes/serial_scan.hpp>
#include <fettle/ndp/openmp/rows/in_thread.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/openmp/whole/cooperative_reduce.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// A scan that a team can share.
template <typename E>
concept team_scannable = scan_node<E> && detail::splits_v<E>;

namespace detail {

// The sums of all pieces up to each one, from thread to thread. There is a place for each thread:
// who publishes the sum of piece k + places has waited, link by link, for somebody who had read
// that of piece k.
template <typename T>
class sum_chain {
 public:
  explicit sum_chain(index_t places)
      : places_(places), links_(std::make_unique<link[]>(static_cast<std::size_t>(places))) {}

  void publish(index_t piece, const T& sum) {
    link& to = at(piece);
    to.sum.emplace(sum);
    to.piece.store(piece, std::memory_order_release);
  }
  // Waits for the sum up to `piece`; none where another thread has failed.
  [[nodiscard]] std::optional<T> wait_for(index_t piece, const team_member& member) {
    const link& from = at(piece);
    for (int turn = 0; from.piece.load(std::memory_order_acquire) != piece; ++turn) {
      if (member.failed()) return std::nullopt;
      if (turn > 2000) std::this_thread::yield();
    }
    return from.sum;
  }

 private:
  struct alignas(64) link {
    std::atomic<index_t> piece{-1};
    std::optional<T> sum;
  };
  [[nodiscard]] link& at(index_t piece) noexcept {
    return links_[static_cast<std::size_t>(piece % places_)];
  }

  index_t places_;
  std::unique_ptr<link[]> links_;
};

// How many elements a thread takes at a time: what fits into a core's own cache together with the
// result, unless the policy says it; less where there are not as many. To hand a sum on to another
// thread costs as much as to scan hundreds of elements, and far more where threads share a core.
template <typename T>
[[nodiscard]] inline index_t scan_piece(const openmp::level& how, index_t count, int team) {
  constexpr index_t least = 512;
  const index_t wanted = how.chunk_size > 0 ? std::max<index_t>(how.chunk_size, least)
                                            : index_t{128 * 1024} / static_cast<index_t>(sizeof(T));
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
    realise_in_thread<schedule::cooperative<>>(e, destination, 0);
    return;
  }
  const index_t piece = detail::scan_piece<value_type>(at.here(), count, team);
  const index_t pieces = ceiling_quotient(count, piece);
  detail::sum_chain<value_type> chain(team);
  on_team(team, [&](team_member& member) {
    member.last_step([&] {
      own_t<E> own = e;
      own_t<D> to = destination;
      for (index_t k = member.thread(); k < pieces; k += member.size()) {
        const index_t first = k * piece;
        const index_t last = std::min(first + piece, count);
        std::optional<value_type> sum;
        if (last < count) sum.emplace(fold_part<value_type>(own.op, own.source, first, last));
        std::optional<value_type> value(static_cast<value_type>(own.seed));
        if (k > 0) value = chain.wait_for(k - 1, member);
        if (!value) return;
        if (sum) chain.publish(k, own.op(*value, *sum));
        scan_part(own.op, own.source, first, last, *value, to);
      }
    });
  });
}

}  // namespace fettle::ndp::openmp
