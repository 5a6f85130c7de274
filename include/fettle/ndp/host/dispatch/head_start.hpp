// head_start: elements of unknown cost. The calling thread begins with them and times what it does,
// until it knows that the rest takes longer than starting a team.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/time_stamp.hpp>
#include <fettle/ndp/host/team/team_like.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// What the calling thread did before others joined it.
struct head_start {
  using seconds = std::chrono::duration<double>;

  index_t done = 0;
  seconds each{};  // of the last elements of these

  /// How many elements take that long, going by the last ones; one at least.
  [[nodiscard]] index_t elements_in(seconds time) const noexcept {
    const double count = time / each;
    return count < 1 ? 1 : static_cast<index_t>(std::min(count, 1e15));
  }
};

/// The shortest time that can be distinguished from the cost of reading the clock.
inline constexpr head_start::seconds shortest_sample = std::chrono::nanoseconds(500);

// work(begin, end) on ranges by the calling thread, until all is done or, going by what is done,
// the rest takes it longer than a team, which takes `start` to start. The first element does not
// count unless it is slow by itself: its code and data are not in the caches yet. Each range is
// some times as long as the one before at most, because later elements may be slower.
template <typename Work>
[[nodiscard]] head_start start_alone(index_t count, const Work& work,
                                     head_start::seconds start = team_start) {
  using clock = std::chrono::steady_clock;
  const head_start::seconds sample = std::max(shortest_sample, start / 10);
  head_start so_far;
  auto begun = clock::now();
  for (index_t step = 1; so_far.done < count;) {
    const bool is_first = so_far.done == 0;
    const index_t end = std::min(so_far.done + step, count);
    work(so_far.done, end);
    const auto now = clock::now();
    const head_start::seconds took = now - begun;
    begun = now;
    so_far.each = took / static_cast<double>(end - so_far.done);
    so_far.done = end;
    if (took < sample) {
      step = std::min(8 * step, so_far.elements_in(2 * sample));
    } else if (!is_first || took > start) {
      if (count - end > so_far.elements_in(2 * start)) break;
      step = std::min(8 * step, so_far.elements_in(start));
    }
  }
  return so_far;
}

// The same of elements that took `known` each the last time, all of them less than a team: without
// a look at the clock between, as long as the first ones are not slower. Does these, or all.
template <typename Work>
[[nodiscard]] head_start do_as_known(index_t count, const Work& work, head_start::seconds known) {
  using clock = std::chrono::steady_clock;
  const index_t first = std::min<index_t>(count > 64 ? 8 : 1, count);
  if (has_time_stamp && known * static_cast<double>(count) < 2 * shortest_sample) {
    const std::uint64_t begun = time_stamp();
    const auto took = [&] { return static_cast<double>(time_stamp() - begun) * time_of_stamp; };
    work(0, first);
    head_start::seconds so_far = took();
    if (so_far > shortest_sample) return {first, so_far / static_cast<double>(first)};
    if (first < count) work(first, count);
    so_far = took();
    const bool is_as_known = so_far < 4 * shortest_sample;
    return {count, is_as_known ? known : so_far / static_cast<double>(count)};
  }
  const auto begun = clock::now();
  const auto each_of = [&](index_t done) {
    return head_start::seconds(clock::now() - begun) / static_cast<double>(done);
  };
  work(0, first);
  if (count == first) return {count, known};
  const head_start::seconds each = each_of(first);
  if ((each - 2 * known) * static_cast<double>(first) > shortest_sample) return {first, each};
  work(first, count);
  return {count, each_of(count)};
}

// How many rows a chunk has where no row has been measured, and kernels take up to `grouped` rows
// at a time: fewer where a thread would get no rows, or less than four chunks.
[[nodiscard]] inline index_t rows_in_chunk(index_t rows, index_t elements, int threads,
                                           index_t grouped) {
  constexpr index_t elements_in_chunk = 16384;
  const index_t per_row = std::max<index_t>(elements / std::max<index_t>(rows, 1), 1);
  const index_t worthwhile = ceiling_quotient(elements_in_chunk, per_row);
  const index_t balanced = std::max<index_t>(rows / (index_t{32} * threads), 1);
  constexpr index_t in_a_cache_line = 8;  // results of 8 bytes
  const index_t fewest = std::clamp<index_t>(ceiling_quotient(rows, threads), 1, in_a_cache_line);
  const index_t together = std::min(grouped, std::max(rows / (index_t{4} * threads), fewest));
  return ceiling_quotient(std::min(balanced, worthwhile), together) * together;
}

}  // namespace fettle::ndp::host::detail
