// FETTLE_TRACE: a line for each computation that runs by the default rule, with explain()'s text.
#include <cstdlib>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/prepare.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace ndp = fettle::ndp;

namespace {

constexpr ndp::platform::openmp here;

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

// The lines that `work` writes into a trace.
template <typename Work>
std::vector<std::string> traced(const Work& work) {
  const test::scratch folder;
  const std::string file = folder / "trace.jsonl";
  {
    const test::environment_variable trace("FETTLE_TRACE", file);
    fettle::detail::update_default_trace();
    work();
  }
  fettle::detail::update_default_trace();
  return test::lines_of(file);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each call by the default rule is a line with its sizes, choice and reason") {
  std::vector<double> x(100000, 1.0), sums(1000);
  const auto s = ndp::make_sequence(x);
  const auto rows = ndp::map(row_sum{}, ndp::split(s, 100));
  const auto total = ndp::reduce(ndp::plus{}, ndp::subsequence(s, 0, 10), 0.0);
  const std::vector<std::string> lines = traced([&] {
    ndp::execute<"rows">(rows, ndp::make_sequence(sums), here);
    CHECK(ndp::execute(total, here) == 10);
    ndp::prepare<"prepared">(rows, ndp::make_sequence(sums), here)();
    // Chosen by hand, not by the rule.
    ndp::execute<"by hand">(rows, ndp::make_sequence(sums), here, ndp::schedule::independent<>{});
  });
  REQUIRE(lines.size() == 3);
  CHECK(has(lines[0], R"({"function":"rows.openmp","expression":"map>reduce","sizes":"100000 el)"));
  CHECK(has(lines[0], R"("candidates":[],"variant":")"));
  CHECK(has(lines[0], R"(","reason":"default rule"})"));
  const bool has_team = ndp::openmp::detail::team::available() > 1;
  CHECK(has(lines[0], R"("variant":"flattened: equal tiles)") == has_team);
  CHECK(has(lines[1], R"({"function":"execute.openmp","expression":"reduce","sizes":"10 element)"));
  CHECK(has(lines[1], R"("variant":"the calling thread","reason")"));
  CHECK(has(lines[2], R"({"function":"prepared.openmp","expression":"map>reduce")"));
  CHECK(sums[999] == 100);
}

TEST_CASE("what explain says is what is traced") {
  const std::vector<double> x(50000);
  std::vector<double> sums(49991);
  const auto e = ndp::map(row_sum{}, ndp::windows(ndp::make_sequence(x), 10));
  const std::string text = ndp::explain(e, here);
  const std::vector<std::string> lines =
      traced([&] { ndp::execute(e, ndp::make_sequence(sums), here); });
  REQUIRE(lines.size() == 1);
  const std::size_t begin = text.find("chosen: ") + std::string("chosen: ").size();
  const std::string chosen = text.substr(begin, text.find('\n', begin) - begin);
  CHECK(has(lines[0], R"("variant":")" + chosen + '"'));
  if (ndp::openmp::detail::team::available() > 1) {
    CHECK(chosen.starts_with("independent: rows in chunks as threads are free, "));
    CHECK(chosen.ends_with(" at a time"));
  }
}

TEST_CASE("nothing is traced without the variable, and a bad file stops nothing") {
  std::vector<double> x(10, 1.0);
  const auto total = ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0);
  CHECK(ndp::execute(total, here) == 10);
  CHECK(fettle::detail::default_trace_state == 0);
  const test::scratch folder;
  const test::environment_variable trace("FETTLE_TRACE", folder / "missing/trace.jsonl");
  CHECK(fettle::detail::update_default_trace());
  CHECK(ndp::execute(total, here) == 10);  // said on standard error, once
  CHECK(fettle::detail::default_trace_state == 0);
}
