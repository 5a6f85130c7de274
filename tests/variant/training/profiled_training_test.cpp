// Variants that run for a profiler: perf's two pipes have a stand-in at their other end.
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/machine/gpu_features.hpp>
#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"
#include "support/train_in_child.hpp"

namespace {

/// Answers each command on the pipe `control` as perf does, and keeps it.
class answering_perf {
 public:
  answering_perf() {
    for (const char* name : {"control", "answer"}) mkfifo((folder / name).c_str(), 0600);
    control_ = open((folder / "control").c_str(), O_RDWR);
    answer_ = open((folder / "answer").c_str(), O_RDWR);
    thread_ = std::thread([this] {
      for (char letter = 0; read(control_, &letter, 1) == 1 && letter != 'q';) {
        heard += letter;
        if (letter == '\n' && write(answer_, "ack\n", 5) != 5) return;  // with its terminating 0
      }
    });
  }
  answering_perf(const answering_perf&) = delete;
  answering_perf& operator=(const answering_perf&) = delete;
  ~answering_perf() {
    end();
    close(control_);
    close(answer_);
  }

  std::string& end() {
    if (thread_.joinable() && write(control_, "q", 1) == 1) thread_.join();
    return heard;
  }

  test::scratch folder;
  std::string heard;

 private:
  int control_;
  int answer_;
  std::thread thread_;
};

int run_three() {
  fettle::context cx({"", [](std::string_view) { _exit(97); }, false});
  fettle::code_variant<fettle::policy<"f">, std::tuple<int&>> f(cx);
  f.add_variant("twice", [](int& runs) { ++runs; });
  f.add_variant("never", [](int&) { _exit(96); });
  f.add_variant("excluded", [](int&) { _exit(95); });
  f.add_constraint("excluded", [](int&) { return false; });
  int runs = 0;
  f(runs);
  return runs == 3 ? 0 : 1;  // a first run, the one that is counted, and the caller's own
}

}  // namespace

TEST_CASE("a variant is counted once, after a first run, and not measured") {
  answering_perf perf;
  const test::trained seen = test::train("skip=never profiler=" + perf.folder.path(), run_three);
  CHECK(seen.status == 0);
  CHECK(perf.end() == "enable\ndisable\n");
  CHECK(seen.has(R"({"call":0,"variant":"twice","event":"measured"})"));
  CHECK(seen.has(R"({"call":0,"variant":"excluded","event":"excluded")"));
  CHECK_FALSE(seen.has("sample"));
}

TEST_CASE("a profiler that cannot count is named in the log") {
  const test::trained without = test::train("skip=never profiler=/nowhere", run_three);
  CHECK(without.has("perf does not answer in /nowhere; is it of Linux 5.10 or later"));
  if (fettle::describe_gpu(0).name.empty()) {
    const test::trained seen = test::train("skip=never profiler=cuda", run_three);
    CHECK(seen.has("has used no CUDA device before it is profiled"));
  }
}
