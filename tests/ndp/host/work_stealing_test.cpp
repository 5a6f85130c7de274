#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fettle/ndp/host/team/work_stealing.hpp>
#include <fettle/ndp/openmp/team/region.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"

using namespace fettle::ndp;

namespace {

// The tiles that each thread of a team took, in its order.
std::vector<std::vector<int>> taken(const host::detail::work_stealing& stealing, int threads) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(threads));
  openmp::detail::on_team(threads, [&](openmp::detail::team_member& member) {
    member.last_step([&] {
      stealing.tiles().for_each(member, [&](int tile) {
        out[static_cast<std::size_t>(member.thread())].push_back(tile);
      });
    });
  });
  return out;
}

}  // namespace

TEST_CASE("every tile is taken once, by teams of any size") {
  for (const int threads : {1, 2, 5}) {
    for (const int each : {1, 2, 7, 16}) {
      for (const int team : {1, 2, 5}) {
        const host::detail::work_stealing stealing(threads, each);
        std::multiset<int> all;
        for (const auto& its : taken(stealing, team)) all.insert(its.begin(), its.end());
        std::multiset<int> expected;
        for (int tile = 0; tile < threads * each; ++tile) expected.insert(tile);
        INFO(threads << " threads, " << each << " each, a team of " << team);
        CHECK(all == expected);
      }
    }
  }
}

TEST_CASE("a thread's own tiles come in order, before those of others") {
  constexpr int each = 16;
  const host::detail::work_stealing stealing(2, each);
  const auto by_thread = taken(stealing, 2);
  for (std::size_t thread = 0; thread < 2; ++thread) {
    const auto is_own = [&](int tile) { return tile / each == static_cast<int>(thread); };
    bool others = false;
    int last = -1;
    for (const int tile : by_thread[thread]) {
      if (is_own(tile)) {
        CHECK_FALSE(others);
        CHECK(tile > last);
        last = tile;
      } else {
        others = true;
      }
    }
  }
}

TEST_CASE("others steal what a slow thread has not begun") {
  constexpr int each = 8;
  const host::detail::work_stealing stealing(2, each);
  int members = 0;
  std::vector<int> first_thread;
  std::atomic<int> left{2 * each};
  openmp::detail::on_team(2, [&](openmp::detail::team_member& member) {
    if (member.thread() == 0) members = member.size();
    member.last_step([&] {
      stealing.tiles().for_each(member, [&](int tile) {
        left.fetch_sub(1);
        if (member.thread() != 0) return;
        first_thread.push_back(tile);
        // Stays with its first tile until the others have done all that is left.
        while (member.size() > 1 && left.load() > 0) std::this_thread::yield();
      });
    });
  });
  if (members < 2) {
    test::left_out("threads that help each other, which takes two");
    return;
  }
  CHECK(first_thread.size() <= 1);  // none where the others were done before it began
}

TEST_CASE("no tile is begun after one has failed") {
  const host::detail::work_stealing stealing(1, 16);
  int done = 0;
  const auto run = [&] {
    openmp::detail::on_team(2, [&](openmp::detail::team_member& member) {
      if (member.thread() != 0) return;
      member.last_step([&] {
        stealing.tiles().for_each(member, [&](int tile) {
          if (tile == 3) throw std::runtime_error("tile 3");
          ++done;
        });
      });
    });
  };
  CHECK_THROWS_AS(run(), std::runtime_error);
  CHECK(done == 3);
}

TEST_CASE("threads have several tiles where each is worth more than taking it") {
  CHECK(host::detail::tiles_of_thread(1'000'000'000, 1) == 1);
  CHECK(host::detail::tiles_of_thread(16 * 4096, 16) == 1);
  CHECK(host::detail::tiles_of_thread(16 * 4096 * 2 - 1, 16) == 1);
  CHECK(host::detail::tiles_of_thread(16 * 4096 * 2, 16) == 2);
  CHECK(host::detail::tiles_of_thread(index_t{1} << 40, 16) == 16);
  CHECK(host::detail::tiles_of_thread(0, 16) == 1);
}
