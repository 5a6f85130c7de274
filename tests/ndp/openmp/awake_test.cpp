// Whether a team of OpenMP's threads can start at once.
#include <chrono>
#include <thread>
#include <vector>

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

}  // namespace

TEST_CASE("threads that were used just now are awake, after a while they sleep") {
  if (!detail::waits_by_spinning) return;
  detail::remember_use();
  CHECK(once_of_many([] { return detail::is_awake(1); }));
  std::this_thread::sleep_for(5 * detail::surely_spinning);
  CHECK(!detail::is_awake(1));
#ifdef _OPENMP
  CHECK(!once_of_many([] { return detail::is_awake(1000000); }));
#endif
}

#ifdef _OPENMP
TEST_CASE("a team that has worked is awake, and starts sooner") {
  if (!detail::waits_by_spinning) return;
  using team = detail::team;
  CHECK(once_of_many([] {
    std::this_thread::sleep_for(5 * detail::surely_spinning);
    const bool slept = team::start_time(1) == fettle::ndp::host::detail::team_start;
    detail::on_team(2, [](detail::team_member& member) { member.last_step([] {}); });
    return slept && team::start_time(1) < fettle::ndp::host::detail::team_start;
  }));
}
#endif
