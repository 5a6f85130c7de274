// Chunks that a team's threads take as they are free: each element once, whatever the lengths.
#include <atomic>
#include <vector>

#include <fettle/ndp/host/team/for_chunks.hpp>
#include <fettle/ndp/openmp.hpp>

#include "support/catch.hpp"

using namespace fettle::ndp;

TEST_CASE("each element is in one chunk, none is longer than asked for") {
  for (const int threads : {1, 2, 3, 7}) {
    const openmp::policy policy{.num_threads = threads};
    for (const index_t count : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4097}) {
      for (const index_t chunk : {1, 2, 5, 64, 5000}) {
        INFO(count << " by " << chunk << " on " << threads);
        std::vector<std::atomic<int>> taken(static_cast<std::size_t>(count));
        std::atomic<index_t> longest{0};
        host::detail::for_chunks(openmp::detail::team(policy), threads, count, chunk,
                                 [&](index_t begin, index_t end) {
                                   if (end - begin > longest) longest = end - begin;
                                   for (index_t i = begin; i < end; ++i) {
                                     ++taken[static_cast<std::size_t>(i)];
                                   }
                                 });
        bool once = true;
        for (const auto& times : taken) once = once && times == 1;
        CHECK(once);
        CHECK(longest <= chunk);
      }
    }
  }
}

TEST_CASE("so many elements that chunks have to be longer") {
  const openmp::policy policy{.num_threads = 2};
  std::atomic<index_t> sum{0};
  const index_t count = index_t{1} << 40;
  host::detail::for_chunks(openmp::detail::team(policy), 2, count, 1,
                           [&](index_t begin, index_t end) { sum += end - begin; });
  CHECK(sum == count);
}
