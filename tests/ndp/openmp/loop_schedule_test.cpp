#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include <fettle/ndp/openmp/team/loop_schedule.hpp>
#include <fettle/ndp/openmp/team/region.hpp>
#include <fettle/ndp/openmp/team/team.hpp>

#include "support/catch.hpp"

using namespace fettle::ndp;
using openmp::omp_schedule;

namespace {

struct range_taken {
  index_t begin;
  index_t end;
  int thread;
};

// What each thread of a team takes of `count` iterations.
std::vector<range_taken> divided(omp_schedule schedule, index_t chunk, index_t count, int threads) {
  std::vector<std::vector<range_taken>> by_thread(static_cast<std::size_t>(threads));
  openmp::detail::loop_state state;
  openmp::detail::on_team(threads, [&](openmp::detail::team_member& member) {
    const auto take = [&](index_t begin, index_t end) {
      by_thread[static_cast<std::size_t>(member.thread())].push_back({begin, end, member.thread()});
    };
    member.last_step([&] {
      openmp::detail::divide_loop(schedule, chunk, count, member, state,
                                  openmp::detail::range_work(take));
    });
  });
  std::vector<range_taken> out;
  for (const auto& taken : by_thread) out.insert(out.end(), taken.begin(), taken.end());
  return out;
}

}  // namespace

TEST_CASE("every iteration is taken once, by every schedule") {
  for (const auto schedule : {omp_schedule::automatic, omp_schedule::static_, omp_schedule::dynamic,
                              omp_schedule::guided}) {
    for (const index_t chunk : {0, 1, 3, 1000}) {
      for (const index_t count : {0, 1, 2, 7, 100, 1001}) {
        for (const int threads : {1, 2, 5}) {
          std::vector<int> times(static_cast<std::size_t>(count));
          for (const auto& taken : divided(schedule, chunk, count, threads)) {
            for (index_t i = taken.begin; i < taken.end; ++i) ++times[static_cast<std::size_t>(i)];
          }
          INFO(static_cast<int>(schedule) << ' ' << chunk << ' ' << count << ' ' << threads);
          CHECK(times == std::vector<int>(static_cast<std::size_t>(count), 1));
        }
      }
    }
  }
}

TEST_CASE("chunks are as long as the schedule says") {
  for (const auto& taken : divided(omp_schedule::dynamic, 10, 95, 3)) {
    CHECK(taken.begin % 10 == 0);
    CHECK(taken.end - taken.begin == (taken.begin == 90 ? 5 : 10));
  }
#ifdef _OPENMP
  for (const auto& taken : divided(omp_schedule::static_, 10, 100, 4)) {
    CHECK(taken.begin / 10 % 4 == taken.thread);
  }
  CHECK(divided(omp_schedule::static_, 0, 100, 4).size() == 4);
  index_t longest = 0;
  for (const auto& taken : divided(omp_schedule::guided, 5, 1000, 2)) {
    longest = std::max(longest, taken.end - taken.begin);
    CHECK((taken.end - taken.begin >= 5 || taken.end == 1000));
  }
  CHECK(longest == 500);
#endif
}

#ifdef _OPENMP
TEST_CASE("threads divide between a level and what is nested in it") {
  using inner = schedule::cooperative<>;
  openmp::policy policy{.num_threads = 8};
  const openmp::detail::team at(policy);
  CHECK(at.divide<inner>(100).team == 8);
  CHECK(at.divide<inner>(100).inner == 1);
  CHECK(at.divide<inner>(3).team == 3);
  CHECK(at.divide<inner>(0).team == 1);
  policy.enable_nesting = true;
  CHECK(at.divide<inner>(100).team == 4);
  CHECK(at.divide<inner>(100).inner == 2);
  CHECK(at.divide<inner>(2).inner == 4);
  CHECK(at.divide<schedule::sequential<>>(100).team == 8);
  policy.level.first.resource = openmp::execution_resource::thread;
  CHECK(at.divide<inner>(100).team == 1);
}
#endif

TEST_CASE("a step ends when all threads have done theirs") {
  std::atomic<int> done{0};
  std::atomic<bool> right{true};
  openmp::detail::on_team(4, [&](openmp::detail::team_member& member) {
    if (!member.step([&] { ++done; })) return;
    if (done != member.size()) right = false;
  });
  CHECK(right);
}

TEST_CASE("after an exception no thread goes on to the next step, and none waits for ever") {
  for (int turn = 0; turn < 50; ++turn) {
    for (int failing = 0; failing < 3; ++failing) {
      std::atomic<int> second_steps{0};
      CHECK_THROWS_AS(
          openmp::detail::on_team(3,
                                  [&](openmp::detail::team_member& member) {
                                    if (!member.step([&] {
                                          if (member.thread() == failing % member.size()) {
                                            throw std::runtime_error("first step");
                                          }
                                        })) {
                                      return;
                                    }
                                    member.last_step([&] { ++second_steps; });
                                  }),
          std::runtime_error);
      CHECK(second_steps == 0);
    }
  }
}

TEST_CASE("a failure in a later step leaves the earlier one's threads alone") {
  for (int turn = 0; turn < 200; ++turn) {
    std::atomic<int> second_steps{0};
    CHECK_THROWS_AS(openmp::detail::on_team(3,
                                            [&](openmp::detail::team_member& member) {
                                              if (!member.step([] {})) return;
                                              if (!member.step([&] {
                                                    ++second_steps;
                                                    throw std::runtime_error("second step");
                                                  })) {
                                                return;
                                              }
                                              second_steps = 100;
                                            }),
                    std::runtime_error);
    CHECK((second_steps >= 1 && second_steps <= 3));
  }
}
