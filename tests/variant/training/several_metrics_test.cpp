// Functions that return several metrics: all of them are in the training log, and no variant is
// given up for one of them.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/train_in_child.hpp"

namespace {

using test::train;
using test::trained;

struct both {
  static constexpr std::string_view name = "f";
  static constexpr std::string_view metrics = "seconds=s joules=J";
};

using function = fettle::code_variant<both, fettle::measured<2>(int)>;

bool has(const trained& seen, const std::string& part) {
  return std::any_of(seen.log.begin(), seen.log.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("all metrics of a run are in the log, and every variant has all its samples") {
  const trained seen = train("maximum_samples=4 warm_up=0", [] {
    fettle::context cx;
    function f(cx);
    f.add_variant("quick", [](int) { return fettle::measured{0.001, 80.0}; });
    f.add_variant("thrifty", [](int) { return fettle::measured{0.1, 8.0}; });  // hopeless in time
    f.add_input_feature("n", [](int n) { return n; });
    const fettle::measured<2> found = f(3);
    return found == fettle::measured{0.001, 80.0} ? 0 : 1;
  });
  CHECK(seen.status == 0);
  REQUIRE(!seen.log.empty());
  CHECK(seen.log[0].starts_with(R"({"fettle_log":2,)"));
  CHECK(seen.log[0].ends_with(R"("metrics":{"seconds":"s","joules":"J"}})"));
  CHECK(has(seen, R"("policy":{"constraints":true,)"));
  CHECK(has(seen, R"("metrics":"seconds=s joules=J"})"));
  std::size_t samples = 0;
  for (const std::string& line : seen.log) {
    if (line.find(R"("variant":"thrifty","event":"sample")") == std::string::npos) continue;
    const std::string values = line.substr(line.find("\"metric\""));
    samples += static_cast<std::size_t>(std::count(values.begin(), values.end(), '0') > 0);
    CHECK(values.starts_with(R"("metric":[0.1)"));
    CHECK(values.find(R"("others":{"joules":[8)") != std::string::npos);
  }
  CHECK(samples >= 2);  // a race would have given it up after the first
}

TEST_CASE("a metric that a variant does not know is not a number in the log") {
  const trained seen = train("maximum_samples=3", [] {
    fettle::context cx;
    function f(cx);
    f.add_variant("known", [](int) { return fettle::measured{0.1, 2.0}; });
    f.add_variant("half", [](int) {
      return fettle::measured{0.1, std::numeric_limits<double>::quiet_NaN()};
    });
    f(1);
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(has(seen, R"("others":{"joules":["nan")"));
  CHECK_FALSE(has(seen, R"("event":"failed")"));
}

TEST_CASE("meters run around each variant that has its samples, and say how they know") {
  const trained seen = train("maximum_samples=2 warm_up=0", [] {
    fettle::context cx;
    fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
    int calls = 0;
    f.add_variant("once", [&](int) { ++calls; });
    f.add_variant("twice", [&](int) { calls += 2; });
    f.add_variant("bad", [](int) { throw std::runtime_error("bad"); });
    f.add_meter("calls", "", [&] { return calls; });
    f.set_reset([](int&) {});
    f(1);
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(seen.log[0].ends_with(R"("metrics":{"seconds":"s","calls":""}})"));
  CHECK(has(seen, R"("variant":"once","event":"metered","readings":{"calls":{"value":1,)"));
  CHECK(has(seen, R"("variant":"twice","event":"metered","readings":{"calls":{"value":2,)"));
  CHECK(has(seen, R"("note":"with resets")"));
  CHECK_FALSE(has(seen, R"("variant":"bad","event":"metered")"));
  CHECK_FALSE(has(seen, R"("others")"));
}
