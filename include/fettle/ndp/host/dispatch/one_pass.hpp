// one_pass: a map whose values are kept and a reduction of them (shape/one_pass.hpp), tile by tile:
// what a thread has just written is reduced while it is in the cache.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/default_rule.hpp>
#include <fettle/ndp/host/dispatch/measured_cost.hpp>
#include <fettle/ndp/host/dispatch/measured_loop.hpp>
#include <fettle/ndp/host/dispatch/worth_team.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Elements that a thread writes before it reduces them: what a few arrays have of them fits the
/// cache next to the core.
inline constexpr index_t elements_of_pass = 1024;

template <typename M, typename R, typename Kept>
struct pass_of_thread {
  using T = typename R::value_type;

  M map;
  decltype(R::op) op;
  decltype(R::source) source;
  Kept kept;

  /// value op source[begin] op ... op source[end - 1].
  [[nodiscard]] T append(T value, index_t begin, index_t end) const {
    for (index_t next = begin; begin < end; begin = next) {
      next = write(begin, end);
      value = fold(op, source, begin, next, value);
    }
    return value;
  }
  /// ... without a value before; begin < end.
  [[nodiscard]] T operator()(index_t begin, index_t end) const {
    const index_t next = write(begin, end);
    return append(fold_part<T>(op, source, begin, next), next, end);
  }

 private:
  /// The next tile of the map; returns where it ends.
  [[nodiscard]] index_t write(index_t begin, index_t end) const {
    const index_t next = end - begin < elements_of_pass ? end : begin + elements_of_pass;
    elements_in_thread<by_lanes>(map, kept, begin, next, {});
    return next;
  }
};

/// Both computations of `e` into `destination`, by as many threads as the reduction alone takes.
template <team_like Team, typename M, typename R, typename Kept, typename Total>
void one_pass_by_default(const ndp::detail::one_pass<M, R>& e,
                         const ndp::detail::one_pass_destination<Kept, Total>& destination) {
  using T = typename R::value_type;
  const R& reduction = e.reduction;
  const pass_of_thread<M, R, Kept> pass{e.map, reduction.op, reduction.source, destination.kept};
  const typename Team::policy_type chosen;
  const Team at(chosen);
  const int threads = at.threads();
  const index_t count = e.map.size();
  measured_cost& cost = cost_of<ndp::detail::one_pass<M, R>>;
  auto value = static_cast<T>(reduction.seed);
  index_t done = 0;
  if (threads <= 1) {
    value = pass.append(value, 0, count);
    done = count;
  } else if (count < few_elements) {
    // They may be expensive: the calling thread finds out.
    const auto work = [&](index_t begin, index_t end) { value = pass.append(value, begin, end); };
    done = begin_measured<Team>(count, threads, cost, work).done;
  }
  if (done < count) {
    value = measured_whole(count - done, threads, cost, [&] {
      return combined_parts<T>(
          at, threads, count - done, reduction.op, value,
          [pass, done](index_t begin, index_t end) { return pass(done + begin, done + end); });
    });
  }
  store<element_t<Total>>(destination.total[0], value);
}

}  // namespace fettle::ndp::host::detail
