// level_of: where in a nested computation a kernel is: at which level, with how many threads for it
// and what is nested in it.
#pragma once

#include <algorithm>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/team/unroll.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How the threads of a team divide between the elements of its level and what is nested in them.
struct division {
  int team;   // threads for this level
  int inner;  // threads for each of them to go on with
};

/// The parameters of the level that is being realised, and the threads that are left for it.
template <typename Team, typename Policy>
class level_of {
 public:
  using policy_type = Policy;

  level_of(const Policy& parameters, int threads, int level = 0) noexcept
      : parameters_(&parameters), threads_(threads), level_(level) {}

  [[nodiscard]] int threads() const noexcept { return threads_; }
  /// The level below, with so many threads for it.
  [[nodiscard]] Team inner(int threads_left) const noexcept {
    return Team(*parameters_, threads_left, level_ + 1);
  }
  [[nodiscard]] unroll_factors unrolled() const noexcept {
    return unroll_factors::from(parameters_->level.count,
                                [this](int k) { return parameters_->level[level_ + k].unroll; });
  }

  /// take(begin, end) for ranges that are [0, count) together, of the policy's length.
  template <typename Take>
  void for_ranges(int threads, index_t count, const Take& take) const {
    team().for_split(threads, team().grain(), count, take);
  }
  /// The same with ranges as short as possible.
  template <typename Take>
  void for_parts(int threads, index_t parts, const Take& take) const {
    team().for_split(threads, index_t{1}, parts, take);
  }

 protected:
  [[nodiscard]] const Policy& parameters() const noexcept { return *parameters_; }
  [[nodiscard]] const auto& here() const noexcept { return parameters_->level[level_]; }
  [[nodiscard]] const auto& below() const noexcept { return parameters_->level[level_ + 1]; }

  // `count` elements that may be worked on in parallel, one at least on each thread.
  [[nodiscard]] int most_threads(index_t count) const noexcept {
    return static_cast<int>(std::clamp<index_t>(count, 1, threads_));
  }

 private:
  [[nodiscard]] const Team& team() const noexcept { return static_cast<const Team&>(*this); }

  const Policy* parameters_;
  int threads_;
  int level_;  // from 0
};

/// Into how many parts `count` elements are cut for partial results: parts of `grain` elements, or
/// small ones for threads as they are free, or else one for each thread.
[[nodiscard]] inline index_t parts_for(index_t count, int threads, index_t grain,
                                       bool as_threads_are_free) {
  const index_t most = std::min<index_t>(count, index_t{64} * threads);
  if (grain > 0) return std::clamp<index_t>(ceiling_quotient(count, grain), 1, most);
  return std::min<index_t>(most, as_threads_are_free ? index_t{16} * threads : threads);
}

}  // namespace fettle::ndp::host::detail
