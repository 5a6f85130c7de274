// Ranges that threads take from their own parts and steal from others: each element once.
#include <atomic>
#include <cstddef>
#include <vector>

#include <fettle/ndp/host/team/shared_ranges.hpp>
#include <fettle/ndp/openmp/team/region.hpp>

#include "support/catch.hpp"

using fettle::ndp::index_t;
using fettle::ndp::host::detail::shared_ranges;

namespace {

struct taken {
  index_t begin;
  index_t end;
  bool operator==(const taken&) const = default;
};

taken take(shared_ranges& ranges, int part, index_t least, index_t most) {
  const auto [begin, end] = ranges.take(part, least, most);
  return {begin, end};
}

// The elements that a thread takes alone of the whole loop, its own part first.
index_t all_by_one(index_t count, int threads, index_t least, index_t most) {
  shared_ranges ranges(count, threads);
  index_t sum = 0;
  do {
    for (auto some = ranges.take(0, least, most); some.begin < some.end;
         some = ranges.take(0, least, most)) {
      sum += some.end - some.begin;
    }
  } while (ranges.steal(0));
  return sum;
}

}  // namespace

TEST_CASE("a thread takes half of its part, within limits, and a small rest with it") {
  shared_ranges ranges(200, 2);
  CHECK(take(ranges, 0, 10, 30) == taken{0, 30});
  CHECK(take(ranges, 0, 10, 100) == taken{30, 65});
  CHECK(take(ranges, 0, 20, 100) == taken{65, 85});
  CHECK(take(ranges, 0, 10, 100) == taken{85, 95});
  CHECK(take(ranges, 0, 10, 100) == taken{95, 100});
  CHECK(take(ranges, 0, 10, 100) == taken{0, 0});
  CHECK(take(ranges, 1, 97, 97) == taken{100, 200});
}

TEST_CASE("a thread that is done takes the back half of what another has left") {
  shared_ranges ranges(30, 3);
  CHECK(take(ranges, 0, 100, 100) == taken{0, 10});
  CHECK(take(ranges, 1, 100, 100) == taken{10, 20});
  CHECK(take(ranges, 2, 3, 3) == taken{20, 23});
  CHECK(ranges.steal(0));
  CHECK(take(ranges, 0, 1, 1) == taken{26, 27});
  CHECK(ranges.steal(1));
  CHECK(take(ranges, 1, 100, 100) == taken{24, 26});
  CHECK(take(ranges, 0, 100, 100) == taken{27, 30});
  CHECK(take(ranges, 2, 100, 100) == taken{23, 24});
  CHECK(!ranges.steal(0));
}

TEST_CASE("all elements are taken, however few or many") {
  for (const index_t count : {0, 1, 2, 3, 64, 1000, 100000}) {
    for (const int threads : {1, 2, 3, 16, 17, 100}) {
      CHECK(all_by_one(count, threads, 1, 1) == count);
      CHECK(all_by_one(count, threads, 100, 10) == count);
    }
  }
  constexpr index_t many = (index_t{1} << 40) + 7;
  CHECK(all_by_one(many, 3, 1, index_t{1} << 60) == many);
  CHECK(all_by_one(many, 3, index_t{1} << 36, index_t{1} << 36) == many);
}

TEST_CASE("threads share all elements, each of which is taken once") {
  constexpr index_t count = 20000;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::atomic<int>> times(count);
    shared_ranges ranges(count, 4);
    fettle::ndp::openmp::detail::on_team(4, [&](fettle::ndp::openmp::detail::team_member& member) {
      for (int part = member.thread(); part < 4; part += member.size()) {
        do {
          for (auto some = ranges.take(part, 1, 7); some.begin < some.end;
               some = ranges.take(part, 1, 7)) {
            for (index_t i = some.begin; i < some.end; ++i) ++times[static_cast<std::size_t>(i)];
          }
        } while (ranges.steal(part));
      }
    });
    bool each_once = true;
    for (const std::atomic<int>& one : times) each_once = each_once && one == 1;
    CHECK(each_once);
  }
}
