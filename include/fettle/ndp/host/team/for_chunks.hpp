// for_chunks: a loop in chunks of equal length, by work stealing (work_stealing.hpp). A thread
// begins with neighbouring chunks, the same in each loop of this length, because what it read or
// wrote there before is in its cache; then it steals from others.
#pragma once

#include <algorithm>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/team/team_like.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// take(begin, end) for ranges of `chunk` elements, the last one shorter, that together are
/// [0, count).
template <team_like Team, typename Take>
void for_chunks(const Team& at, int threads, index_t count, index_t chunk, const Take& take) {
  if (count <= 0) return;
  constexpr index_t most = std::numeric_limits<int>::max() / 4096;
  const index_t chunks = ceiling_quotient(count, chunk);
  const index_t each = ceiling_quotient(chunks, threads);
  if (each > most) chunk = ceiling_quotient(count, most * threads);
  const int tiles = static_cast<int>(std::min(each, most));
  at.for_tiles(threads, tiles, [&take, count, chunk](const auto& assigned) {
    assigned.for_each([&](int tile) {
      const index_t begin = index_t{tile} * chunk;
      if (begin < count) take(begin, std::min(begin + chunk, count));
    });
  });
}

}  // namespace fettle::ndp::host::detail
