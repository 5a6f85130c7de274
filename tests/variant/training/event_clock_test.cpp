// Times by events, and what happens after an error of the device: on a device that is played here.
#include <algorithm>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <fettle/measure/event_clock.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/train_in_child.hpp"

namespace {

/// A device whose time passes where a test says so.
struct played {
  enum class status { good, failed };
  struct event {
    double* at = nullptr;
  };
  using stream = int;

  static bool succeeded(status code) { return code == status::good; }
  static const char* text(status) { return "an illegal address was encountered"; }
  static bool is_lost() { return lost; }
  static status make(event& made) {
    made.at = new double(0);
    return status::good;
  }
  static status record(event which, stream in) {
    *which.at = now;
    last_stream = in;
    return status::good;
  }
  static status between(event from, event to, double& seconds) {
    seconds = *to.at - *from.at;
    return next;
  }
  static status empty_cache(stream) { return status::good; }

  static inline double now = 0;
  static inline status next = status::good;
  static inline bool lost = false;
  static inline int last_stream = 0;
};
using played_clock = fettle::event_clock_on<played>;

struct on_device {
  static constexpr std::string_view name = "f";
  using clock = played_clock;
};

}  // namespace

TEST_CASE("seconds pass on the device, in the stream that is used") {
  static_assert(fettle::clock_like<played_clock> && fettle::event_device<played>);
  played::now = 3;
  const played_clock clock;
  played::now += 0.25;
  CHECK(clock.seconds() == 0.25);
  CHECK(played::last_stream == 0);
  played_clock::use(7);
  CHECK(played_clock().seconds() == 0);
  CHECK(played::last_stream == 7);
  played_clock::use(0);
}

TEST_CASE("an error that the device recovers from is thrown") {
  played::next = played::status::failed;
  CHECK_THROWS_WITH(played_clock().seconds(), "a variant: an illegal address was encountered");
  played::next = played::status::good;
}

TEST_CASE("an error that no call recovers from ends the program") {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // not the test program's
    played::next = played::status::failed;
    played::lost = true;
    played_clock().seconds();
    _exit(0);
  }
  int ended = 0;
  REQUIRE(waitpid(child, &ended, 0) == child);
  CHECK(WIFSIGNALED(ended));
  CHECK(WTERMSIG(ended) == SIGABRT);
}

TEST_CASE("a policy's clock times the runs of variants, and timer those of others") {
  static_assert(std::is_same_v<fettle::clock_of<on_device>, played_clock>);
  static_assert(std::is_same_v<fettle::clock_of<fettle::policy<"plain">>, fettle::timer>);
}

TEST_CASE("a variant that only launches is charged what the device did") {
  const test::trained seen = test::train("maximum_samples=3 warm_up=0", [] {
    fettle::context cx;
    fettle::code_variant<on_device, void(int)> f(cx);
    f.add_variant("quarter", [](int) { played::now += 0.25; });
    f.add_variant("half", [](int) { played::now += 0.5; });
    f(1);
    return 0;
  });
  CHECK(seen.status == 0);
  const auto samples = [&](const std::string& variant, const std::string& metric) {
    return std::count_if(seen.log.begin(), seen.log.end(), [&](const std::string& line) {
      return line.find("\"variant\":\"" + variant + "\",\"event\":\"sample\"") !=
                 std::string::npos &&
             line.find("\"metric\":[" + metric) != std::string::npos;
    });
  };
  CHECK(samples("quarter", "0.25") > 0);
  CHECK(samples("half", "0.5") > 0);
}
