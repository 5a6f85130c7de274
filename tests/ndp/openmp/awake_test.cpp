// Whether a team of OpenMP's threads can start at once.
#include <chrono>
#include <thread>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp/team/awake.hpp>

#include "support/catch.hpp"

namespace detail = fettle::ndp::openmp::detail;

namespace {

// What is asked may be interrupted for longer than threads spin.
template <typename Ask>
bool once_of_many(const Ask& ask) {
  for (int i = 0; i < 1000; ++i) {
    if (ask()) return true;
  }
  return false;
}

void let_them_sleep() { std::this_thread::sleep_for(5 * detail::surely_spinning); }

}  // namespace

// is_awake() remembers that it was asked, so that each try begins with threads that sleep.
TEST_CASE("threads that were used just now are awake, after a while they sleep") {
  if (!detail::waits_by_spinning) return;
  CHECK(once_of_many([] {
    let_them_sleep();
    detail::remember_use();
    return detail::is_awake(1);
  }));
  let_them_sleep();
  CHECK(!detail::is_awake(1));
  CHECK(once_of_many([] {
    let_them_sleep();
    return !detail::is_awake(1) && detail::is_awake(1);
  }));
#ifdef _OPENMP
  CHECK(!once_of_many([] { return detail::is_awake(1000000); }));
#endif
}

#ifdef _OPENMP
TEST_CASE("a team that has worked is awake, and starts sooner") {
  if (!detail::waits_by_spinning) return;
  using team = detail::team;
  CHECK(once_of_many([] {
    let_them_sleep();
    const bool slept = team::start_time(1) == fettle::ndp::host::detail::team_start;
    detail::on_team(2, [](detail::team_member& member) { member.last_step(let_them_sleep); });
    return slept && team::start_time(1) < fettle::ndp::host::detail::team_start;
  }));
}

TEST_CASE("in a parallel region no team is awake, because nested regions start their own threads") {
  const auto asked_twice = [] {
    static_cast<void>(detail::is_awake(1));
    return detail::is_awake(1);
  };
  bool awake = false;
#pragma omp parallel num_threads(2) reduction(|| : awake)
  awake = once_of_many(asked_twice);
  CHECK(!awake);
}
#endif
