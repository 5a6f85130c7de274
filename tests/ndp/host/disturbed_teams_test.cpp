// Teams that were kept waiting for a processor are avoided for a while, if they would do little.
#include <chrono>
#include <thread>

#include <fettle/ndp/host/dispatch/disturbed_teams.hpp>

#include "support/catch.hpp"

namespace loops = fettle::ndp::host::detail;
using namespace std::chrono_literals;

namespace {

struct awake_team {
  static std::chrono::duration<double> start_time(int /*threads*/) { return 2us; }
};
struct sleeping_team {
  static std::chrono::duration<double> start_time(int /*threads*/) { return 70us; }
};

}  // namespace

TEST_CASE("a team that lost a time slice is avoided by little work, for a while") {
  CHECK_FALSE(loops::notice_disturbance(20us, 3us));
  CHECK_FALSE(loops::notice_disturbance(8ms, 5ms));
  CHECK_FALSE(loops::notice_disturbance(8ms, 0us));  // nothing was expected
  CHECK(loops::team_start_now<awake_team>(2) == 2us);
  CHECK(loops::notice_disturbance(20ms, 3us));
  CHECK(loops::team_start_now<awake_team>(2) == loops::team_start);
  CHECK(loops::team_start_now<sleeping_team>(2) == 70us);
  std::thread([] { CHECK(loops::team_start_now<awake_team>(2) == 2us); }).join();
  CHECK(loops::notice_disturbance(1ms, 3us));
  std::this_thread::sleep_for(51ms);
  CHECK(loops::team_start_now<awake_team>(2) == 2us);
}

TEST_CASE("a team that took seconds is not avoided for longer than one") {
  CHECK(loops::notice_disturbance(10s, 3us));
  CHECK(loops::disturbed_until <= std::chrono::steady_clock::now() + 1s);
  loops::disturbed_until = {};
}
