// Tuned computations in training. A process trains one function, so that every case runs the hidden
// case of its name in another process, with the request in the environment.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#ifndef FETTLE_NDP_TRAINING
#define FETTLE_NDP_TRAINING
#endif
#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned.hpp>

#include "ndp/support/on_platform.hpp"
#include "support/scratch.hpp"
#include "support/trained.hpp"

namespace {

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using namespace ndp_test;

#ifdef __CUDACC__
using policy = ndp::cuda::policy;
constexpr policy other_policy{.block_size_x = 128};
#else
using policy = ndp::openmp::policy;
constexpr policy other_policy{.num_threads = 3};
#endif

}  // namespace

// What fettle_config.hpp holds.
namespace ndp_test {
struct unchecked {
  template <typename E>
  static constexpr void check() {}
};
struct of_one_value {
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::sequential<>, policy{}>>;
};
struct of_elements {
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::independent<>, other_policy>,
      fettle::ndp::candidate<fettle::ndp::schedule::sequential<>, policy{}>>;
};
}  // namespace ndp_test

// clang-format off
template <> struct fettle::ndp::tuned_computation<"halved", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"halved">;
  using candidates = of_elements::candidates;
};
template <> struct fettle::ndp::tuned_computation<"total", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"total">;
  using candidates = of_one_value::candidates;
};
template <> struct fettle::ndp::tuned_computation<"placed", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"placed">;
  using candidates = of_elements::candidates;
};
template <> struct fettle::ndp::tuned_computation<"bumped", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"bumped">;
  using candidates = of_elements::candidates;
};
// clang-format on

namespace {

struct halve {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 0.5 * x; }
};
/// Not what it says: what order the elements are combined in makes a difference.
struct claims_to_be_associative {
  static constexpr bool is_associative = true;
  FETTLE_HOST_DEVICE double operator()(double a, double b) const { return 0.5 * a + b; }
};
struct bump {
  ndp::sequence<double> out;
  FETTLE_HOST_DEVICE void operator()(index_t i) const { out[i] += 1.0; }
};

using test::trained;

/// Every variant was measured and none failed.
bool measured(const trained& seen, std::size_t variants) {
  std::size_t sampled = 0;
  for (const char* const name :
       {"default", "sequential", "independent block_size_x=128", "independent num_threads=3"}) {
    sampled += seen.has(R"("variant":")" + std::string(name) + R"(","event":"sample")") ? 1U : 0U;
  }
  return seen.status == 0 && sampled == variants && !seen.has("failed") && !seen.has("error");
}

/// Runs a hidden case of this program as training of `function`.
trained train(const std::string& function, const std::string& hidden_case) {
  const test::scratch folder;
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  REQUIRE(length > 0);
  const std::string program(self, static_cast<std::size_t>(length));
  const int status = std::system(
      ("OMP_WAIT_POLICY=passive OMP_NUM_THREADS=4 FETTLE_TRAINING_LOG=" + (folder / "log") +
       " FETTLE_TRAINING='function=" + function + " budget_s=0.1' " + program + " '" + hidden_case +
       "' > " + (folder / "output") + " 2>&1")
          .c_str());
  trained seen;
  seen.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  seen.log = test::lines_of(folder / "log");
  UNSCOPED_INFO(test::read_text(folder / "output"));
  for (const std::string& line : seen.log) UNSCOPED_INFO(line);
  return seen;
}

std::vector<double> counted(index_t count) {
  std::vector<double> out;
  for (index_t i = 0; i < count; ++i) out.push_back(static_cast<double>(i % 17) + 1.0);
  return out;
}

}  // namespace

TEST_CASE("hidden: into another sequence", "[.hidden]") {
  const std::vector<double> before = counted(20000);
  const data<double> x(before);
  data<double> y = room_for<double>(20000);
  ndp::execute<"halved">(ndp::map(halve{}, x.read()), y.write(), tested_platform{});
  std::vector<double> expected = before;
  for (double& value : expected) value *= 0.5;
  CHECK(y.values() == with_margin(expected));  // what lies behind the result has been left alone
  CHECK(x.values() == before);
}
TEST_CASE("a destination holds the result once, and nothing behind it is touched") {
  CHECK(measured(train("halved", "hidden: into another sequence"), 3));
}

#ifndef __CUDACC__
TEST_CASE("hidden: few elements", "[.hidden]") {
  const data<double> x(counted(5000));
  data<double> y = room_for<double>(5000);
  ndp::execute<"halved">(ndp::map(halve{}, x.read()), y.write(), tested_platform{});
}
TEST_CASE("few elements are measured without the teams that they are not given") {
  const trained seen = train("halved", "hidden: few elements");
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"sequential","event":"sample")"));
  CHECK(seen.has(R"("variant":"independent num_threads=3","event":"excluded")"));
  CHECK_FALSE(seen.has(R"("variant":"independent num_threads=3","event":"sample")"));
}
#endif

TEST_CASE("hidden: in place", "[.hidden]") {
  for (const index_t count : {20000, 24000}) {  // two calls to measure
    std::vector<double> expected = counted(count);
    data<double> x(expected);
    ndp::execute<"halved">(ndp::map(halve{}, x.read()), x.write(), tested_platform{});
    for (double& value : expected) value *= 0.5;
    CHECK(x.values() == expected);
  }
}
TEST_CASE("a computation that overwrites its input does so once, whatever is measured") {
  const trained seen = train("halved", "hidden: in place");
  CHECK(measured(seen, 3));
  CHECK(seen.count(R"("event":"end")") == 2);
}

TEST_CASE("hidden: in place later", "[.hidden]") {
  const data<double> x(counted(20000));
  data<double> y = room_for<double>(20000);
  ndp::execute<"halved">(ndp::map(halve{}, x.read()), y.write(), tested_platform{});
  data<double> z(counted(3000));
  ndp::execute<"halved">(ndp::map(halve{}, z.read()), z.write(), tested_platform{});
  CHECK(z.values()[2] == 1.5);
}
TEST_CASE("a later call that overwrites its input is not measured") {
  const trained seen = train("halved", "hidden: in place later");
  CHECK(measured(seen, 3));
  CHECK(seen.count(R"("event":"end")") == 1);
}

TEST_CASE("hidden: a value", "[.hidden]") {
  const data<double> x(counted(5000));
  double expected = 1.0;
  for (const double value : x.values()) expected += value;
  CHECK(ndp::execute<"total">(ndp::reduce(ndp::plus{}, x.read(), 1.0), tested_platform{}) ==
        approx(expected));
}
TEST_CASE("the value of a reduce is compared with the default's") {
  CHECK(measured(train("total", "hidden: a value"), 2));
}

#if defined(_OPENMP) || defined(__CUDACC__)  // else everything is serial
TEST_CASE("hidden: a wrong value", "[.hidden]") {
  const data<double> x(counted(100000));
  static_cast<void>(ndp::execute<"total">(ndp::reduce(claims_to_be_associative{}, x.read(), 1.0),
                                          tested_platform{}));
}
TEST_CASE("a variant whose result is not the default's is named and excluded") {
  const trained seen = train("total", "hidden: a wrong value");
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("variant":"sequential","event":"failed","reason":"wrong result)") == 1);
}
#endif

TEST_CASE("hidden: updates", "[.hidden]") {
  std::vector<int> backwards;
  for (int i = 0; i < 20000; ++i) backwards.push_back(19999 - i);
  const data<int> places(backwards);
  const data<double> x(counted(20000));
  data<double> y(std::vector<double>(20000, -1.0));
  ndp::execute<"placed">(ndp::scatter(x.read(), places.read(), y.write()), tested_platform{});
  std::vector<double> expected = x.values();
  std::reverse(expected.begin(), expected.end());
  CHECK(y.values() == expected);
  ndp::execute<"bumped">(ndp::map(bump{y.write()}, ndp::range(index_t{0}, index_t{20000})),
                         tested_platform{});
  CHECK(y.values()[0] >= expected[0] + 1);  // each run has added one
}
TEST_CASE("updates are measured too") {
  CHECK(measured(train("placed", "hidden: updates"), 3));
  CHECK(measured(train("bumped", "hidden: updates"), 3));
}
