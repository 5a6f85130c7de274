#include <cmath>
#include <string>

#include <fettle/variant/registration/training_request.hpp>

#include "support/catch.hpp"

using fettle::detail::parse_training_request;
using fettle::detail::training_request;

TEST_CASE("a request with every key") {
  const training_request r = parse_training_request(
      "/log",
      "function=my%20f mode=features first_call=3 skip=a%2Cb,c clocks=562,875 best_s=1e-4 "
      "warm_up=2 "
      "minimum_samples=4 maximum_samples=9 budget_s=2.5 limit=7 limit_floor_s=0.5 "
      "timeout_s=60 sample_s=1e-3 confidence=0.99 indifference=0.02 race=0 max_calls=5 "
      "input=x%3Dy.mtx");
  CHECK(r.log_path == "/log");
  CHECK(r.function == "my f");
  CHECK(r.features_only);
  CHECK(r.first_call == 3);
  CHECK(r.skip == std::vector<std::string>{"a,b", "c"});
  CHECK(r.clocks == std::vector<unsigned>{562, 875});
  CHECK(r.best_s == 1e-4);
  CHECK(r.warm_up == 2);
  CHECK(r.race.minimum_samples == 4);
  CHECK(r.race.maximum_samples == 9);
  CHECK(r.race.budget_s == 2.5);
  CHECK(r.limit == 7);
  CHECK(r.limit_floor_s == 0.5);
  CHECK(r.timeout_s == 60);
  CHECK(r.sample_s == 1e-3);
  CHECK(r.race.confidence == 0.99);
  CHECK(r.race.indifference == 0.02);
  CHECK_FALSE(r.race.racing);
  CHECK(r.max_calls == 5);
  CHECK(r.input == "x=y.mtx");
}

TEST_CASE("only the function is needed; stray blanks do no harm") {
  const training_request r = parse_training_request("/log", "  function=f  ");
  CHECK(r.function == "f");
  CHECK_FALSE(r.features_only);
  CHECK(r.skip.empty());
  CHECK(std::isinf(r.best_s));
  CHECK(r.race.racing);
}

TEST_CASE("a comparison names the models") {
  const training_request r = parse_training_request(
      "/log", "function=f mode=compare deployed=/a%20b/f candidate=/tmp/c/f charge=1");
  CHECK(r.compares);
  CHECK_FALSE(r.features_only);
  CHECK(r.deployed_model == "/a b/f");
  CHECK(r.candidate_model == "/tmp/c/f");
  CHECK(r.charges_selection);
}

TEST_CASE("what it does not understand is named") {
  for (const char* text : {"function=f colour=red", "function=f warm_up=many", "function=f race",
                           "function=f mode=fast", "function=f skip=%zz", "function=f limit=1x",
                           "function=f clocks=562,fast"}) {
    const std::string bad = std::string(text).substr(11);
    std::string message;
    try {
      parse_training_request("/log", text);
    } catch (const fettle::error& problem) {
      message = problem.what();
    }
    INFO(message);
    CHECK(message.find("'" + bad + "'") != std::string::npos);
  }
  CHECK_THROWS_AS(parse_training_request("/log", ""), fettle::error);
}
