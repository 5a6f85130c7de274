#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/ndp/introspect.hpp>

#include "ndp/execute/approximated_cases.hpp"
#include "ndp/support/message_of.hpp"

TEST_CASE("knobs of a policy that is a value are refused, with the remedy") {
  const std::vector<double> x(10, 1.0);
  const auto sum = ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0);
  const auto with = [&](const policy& given) {
    return message_of([&] {
      return ndp::execute<"total">(sum, tested_platform{}, schedule::cooperative<>{}, given);
    });
  };
  CHECK(with(policy{.sample = 4}) ==
        "total: sample, perforate and accumulation change what is computed, so that they are part "
        "of the type: give the policy as a constant, constant<policy{...}>{}");
  CHECK(with(policy{.sample = 0}).find("sample must be 1 or more") != std::string::npos);
  CHECK(violation(policy{.perforate = 2}, schedule::flattened<>{}) ==
        "flattened takes rows that are contiguous, and perforate leaves some of them out");
}

TEST_CASE("knobs are part of a policy's text") {
  constexpr policy all{
      .num_threads = 2, .sample = 4, .perforate = 2, .accumulation = ndp::precision::single};
  const std::string text = "num_threads=2 sample=4 perforate=2 accumulation=single";
  CHECK(to_string(all) == text);
  CHECK(ndp::openmp::parse_policy(text) == all);
  CHECK(all != policy{.num_threads = 2});
  CHECK_THROWS_AS(ndp::openmp::parse_policy("accumulation=half"), fettle::error);
}

TEST_CASE("introspection names the knobs that have a meaning") {
  const std::vector<double> x(10, 1.0);
  const std::vector<int> n(10, 1);
  const auto s = ndp::make_sequence(x);
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(
      has(ndp::describe(ndp::reduce(ndp::plus{}, s, 0.0)), R"("knobs":["sample","accumulation"])"));
  CHECK(has(ndp::describe(ndp::reduce(ndp::minimum{}, s, 0.0)), R"("knobs":["accumulation"])"));
  CHECK(has(ndp::describe(ndp::map(squared{}, s)), R"("knobs":["perforate"])"));
  CHECK(has(ndp::describe(ndp::map(sum_from_one{}, ndp::split(s, 2))),
            R"("knobs":["sample","perforate","accumulation"])"));
  CHECK(!has(ndp::describe(ndp::reduce(ndp::plus{}, ndp::make_sequence(n), 0)), "knobs"));
  CHECK(!has(ndp::describe(ndp::scan(ndp::plus{}, s, 0.0)), "knobs"));
}
