#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fettle/ndp/openmp/team/own_first.hpp>
#include <fettle/ndp/openmp/team/team.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"

using namespace fettle::ndp;

namespace {

// The shares that each thread of a team took, in its order.
std::vector<std::vector<int>> taken(const openmp::own_first& dealt, int threads) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(threads));
  openmp::on_team(threads, [&](openmp::team_member& member) {
    member.last_step([&] {
      dealt.shares().deal(member, [&](int share) {
        out[static_cast<std::size_t>(member.thread())].push_back(share);
      });
    });
  });
  return out;
}

}  // namespace

TEST_CASE("every share is taken once, by teams of any size") {
  for (const int threads : {1, 2, 5}) {
    for (const int each : {1, 2, 7, 16}) {
      for (const int team : {1, 2, 5}) {
        const openmp::own_first dealt(threads, each);
        CHECK(dealt.shares().count() == threads * each);
        std::multiset<int> all;
        for (const auto& its : taken(dealt, team)) all.insert(its.begin(), its.end());
        std::multiset<int> expected;
        for (int share = 0; share < threads * each; ++share) expected.insert(share);
        INFO(threads << " threads, " << each << " each, a team of " << team);
        CHECK(all == expected);
      }
    }
  }
}

TEST_CASE("a thread's own shares come in order, before those of others") {
  constexpr int each = 16;
  const openmp::own_first dealt(2, each);
  const auto by_thread = taken(dealt, 2);
  for (std::size_t thread = 0; thread < 2; ++thread) {
    const auto is_own = [&](int share) { return share / each == static_cast<int>(thread); };
    bool others = false;
    int last = -1;
    for (const int share : by_thread[thread]) {
      if (is_own(share)) {
        CHECK_FALSE(others);
        CHECK(share > last);
        last = share;
      } else {
        others = true;
      }
    }
  }
}

TEST_CASE("others take what a slow thread has not come to") {
  constexpr int each = 8;
  const openmp::own_first dealt(2, each);
  int members = 0;
  std::vector<int> first_thread;
  std::atomic<int> left{2 * each};
  openmp::on_team(2, [&](openmp::team_member& member) {
    if (member.thread() == 0) members = member.size();
    member.last_step([&] {
      dealt.shares().deal(member, [&](int share) {
        left.fetch_sub(1);
        if (member.thread() != 0) return;
        first_thread.push_back(share);
        // Stays with its first share until the others have done all that is left.
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

TEST_CASE("nobody goes on when a share fails") {
  const openmp::own_first dealt(1, 16);
  int done = 0;
  const auto run = [&] {
    openmp::on_team(2, [&](openmp::team_member& member) {
      if (member.thread() != 0) return;
      member.last_step([&] {
        dealt.shares().deal(member, [&](int share) {
          if (share == 3) throw std::runtime_error("share 3");
          ++done;
        });
      });
    });
  };
  CHECK_THROWS_AS(run(), std::runtime_error);
  CHECK(done == 3);
}

TEST_CASE("threads have several shares where each is worth more than dealing it") {
  CHECK(openmp::shares_of_thread(1'000'000'000, 1) == 1);
  CHECK(openmp::shares_of_thread(16 * 4096, 16) == 1);
  CHECK(openmp::shares_of_thread(16 * 4096 * 2 - 1, 16) == 1);
  CHECK(openmp::shares_of_thread(16 * 4096 * 2, 16) == 2);
  CHECK(openmp::shares_of_thread(index_t{1} << 40, 16) == 16);
  CHECK(openmp::shares_of_thread(0, 16) == 1);
}
