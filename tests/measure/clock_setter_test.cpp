// Setting a GPU's clock, by the stand-in for its library: no test touches a real device.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fettle/core/error.hpp>
#include <fettle/measure/clock_setter.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace {

using test::scratch;

constexpr unsigned usual = 562;

/// The stand-in's clocks, in a file that other processes see, too.
class shared_clocks {
 public:
  explicit shared_clocks(unsigned mhz = usual) : path_(folder_ / "clocks") {
    write(mhz, 0);
    setenv("FETTLE_STAND_IN_CLOCKS", path_.c_str(), 1);
  }
  shared_clocks(const shared_clocks&) = delete;
  shared_clocks& operator=(const shared_clocks&) = delete;
  ~shared_clocks() { unsetenv("FETTLE_STAND_IN_CLOCKS"); }

  void write(unsigned mhz, int status) const {
    std::ofstream(path_) << mhz << ' ' << status << " 0\n";
  }
  unsigned mhz() const { return number(0); }
  unsigned changes() const { return number(2); }

  /// Whether the clock is so within ten seconds.
  bool becomes(unsigned wanted) const {
    for (int round = 0; round < 1000; ++round) {
      if (mhz() == wanted) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  unsigned number(int which) const {
    std::ifstream file(path_);
    unsigned numbers[3] = {};
    for (unsigned& one : numbers) file >> one;
    return numbers[which];
  }

  scratch folder_;
  std::string path_;
};

/// A setter that by default changes the clock whenever it is asked, whatever a change has cost.
fettle::clock_setter setter(fettle::clock_hysteresis rule = {
                                .overhead = std::numeric_limits<double>::infinity(),
                                .least_s = 0.0}) {
  return fettle::clock_setter(0, FETTLE_STAND_IN_NVML, rule);
}

std::string problem_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return {};
}

/// A process that sets 745 MHz and then ends as `end` says, or waits to be killed.
pid_t program_that(const std::function<void()>& end) {
  const pid_t child = fork();
  if (child != 0) return child;
  fettle::clock_setter clocks(0, FETTLE_STAND_IN_NVML);
  clocks.force(745);
  end();
  _exit(0);
}

void wait_for(pid_t child) { waitpid(child, nullptr, 0); }

}  // namespace

TEST_CASE("the clocks that a device offers are set, and set back at the end") {
  const shared_clocks there;
  {
    fettle::clock_setter clocks = setter();
    CHECK(clocks.offered().size() == 25);
    CHECK(clocks.offered().front() == usual);
    CHECK(clocks.offered().back() == 875);
    CHECK(there.changes() == 0);
    CHECK(clocks.wish(875));
    CHECK(there.mhz() == 875);
    CHECK(clocks.now() == 875);
    CHECK(clocks.cost_s() > 0.0);
  }
  CHECK(there.mhz() == usual);
}

TEST_CASE("what was set before the program is set back, not the device's default") {
  const shared_clocks there(862);
  {
    fettle::clock_setter clocks = setter();
    clocks.force(719);
    CHECK(there.mhz() == 719);
    clocks.force(0);
    CHECK(there.mhz() == 862);
    clocks.force(745);
  }
  CHECK(there.mhz() == 862);
}

TEST_CASE("clocks do not flutter: a change waits until the last one has paid") {
  const shared_clocks there;
  fettle::clock_setter clocks = setter({.overhead = 0.02, .least_s = 3600.0});
  CHECK(clocks.wish(875));
  for (int call = 0; call < 100; ++call) CHECK_FALSE(clocks.wish(call % 2 == 0 ? 719 : 745));
  CHECK(clocks.wish(875));
  CHECK(there.changes() == 1);
  clocks.force(719);  // for measurements
  CHECK(there.mhz() == 719);
  CHECK(clocks.problem().empty());
}

TEST_CASE("a clock that somebody else has set meanwhile is theirs") {
  const shared_clocks there;
  {
    fettle::clock_setter clocks = setter();
    CHECK(clocks.wish(875));
    there.write(706, 0);
    CHECK_FALSE(clocks.wish(719));
    CHECK(clocks.problem().find("somebody else has set NVML 0 Stand-in to 706 MHz") == 0);
    CHECK_FALSE(clocks.wish(875));
    CHECK(problem_of([&] { clocks.force(719); }).find("leaves its clock alone") !=
          std::string::npos);
  }
  CHECK(there.mhz() == 706);
}

TEST_CASE("without permission, or on a lost device, there is one sentence") {
  const shared_clocks there;
  there.write(usual, 4);
  if (geteuid() != 0) CHECK(problem_of([] { setter(); }).find("Permissions") != std::string::npos);
  there.write(usual, 0);
  fettle::clock_setter clocks = setter();
  there.write(usual, 4);
  CHECK_FALSE(clocks.wish(875));
  CHECK(clocks.problem() ==
        "cannot set NVML 0 Stand-in to 875 MHz: Insufficient Permissions; let an administrator "
        "allow it (nvidia-smi -acp 0), or run as root");
  fettle::clock_setter others = setter();
  there.write(usual, 15);
  CHECK(problem_of([&] { others.force(875); }).find("GPU is lost") != std::string::npos);
  CHECK(there.mhz() == usual);
  CHECK(problem_of([] {
          fettle::clock_setter(0, "no-such-library.so");
        }).find("cannot load NVML") == 0);
}

TEST_CASE("the guard sets the clock back after kill -9, a crash and an early end") {
  const shared_clocks there;
  const pid_t killed = program_that([] { pause(); });
  REQUIRE(there.becomes(745));
  kill(killed, SIGKILL);
  wait_for(killed);
  CHECK(there.becomes(usual));
  wait_for(program_that([] {
    std::signal(SIGABRT, SIG_DFL);  // Catch2 has a handler
    std::abort();
  }));
  CHECK(there.becomes(usual));
  CHECK(there.changes() == 4);
  wait_for(program_that([] {}));  // _exit: no destructor runs
  CHECK(there.becomes(usual));
}

TEST_CASE("the guard does not wait for children that outlive the program") {
  const shared_clocks there;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  wait_for(program_that([&] {
    if (fork() == 0) {  // holds the guard's socket open
      char nothing = 0;
      close(ends[1]);
      _exit(static_cast<int>(read(ends[0], &nothing, 1)));
    }
  }));
  CHECK(there.becomes(usual));
  close(ends[1]);
  close(ends[0]);
}

TEST_CASE("a killed guard ends all changes") {
  const shared_clocks there;
  fettle::clock_setter clocks = setter();
  CHECK(clocks.wish(875));
  kill(clocks.guard(), SIGKILL);
  for (int round = 0; round < 1000 && clocks.problem().empty(); ++round) {
    static_cast<void>(clocks.wish(round % 2 == 0 ? 719 : 745));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(clocks.problem().find("the guard that sets the clock of NVML 0 Stand-in back is gone") ==
        0);
  CHECK(there.mhz() == usual);
}
