#include <algorithm>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/ndp/program/program_choices.hpp>

#include "ndp/execute/program_cases.hpp"
#include "ndp/execute/program_operator_cases.hpp"
#include "ndp/execute/program_pair_cases.hpp"
#include "ndp/execute/program_pass_cases.hpp"
#include "ndp/execute/random_program_cases.hpp"
#include "ndp/support/message_of.hpp"

TEST_CASE("what a program's user does wrong is an error that names the computation") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  const auto in = ndp::make_sequence(x);
  const auto out = ndp::make_sequence(y);
  tested_program p;
  const auto a = p.add<"a">(ndp::map(program_twice{}, in));
  CHECK(message_of([&] { static_cast<void>(a[0]); }) ==
        "program: the result \"a\" is read before it is computed: give it to the program's add(), "
        "or execute the program first");
  CHECK(message_of([&] { p.add<"a">(ndp::map(program_next{}, in)); }) ==
        "program: \"a\" is added twice; give each computation another name");
  tested_program other;
  CHECK(message_of([&] { other.add<"b">(ndp::map(program_next{}, a)); }) ==
        "program: \"b\" reads \"a\", which is a result of another program: give it a destination "
        "there, and read that");
  p.add<"b">(ndp::map(program_next{}, a), out);
  CHECK(message_of([&] { p.add<"c">(ndp::map(program_twice{}, a), subsequence(out, 4, 4)); }) ==
        "c: the destination has 4 elements, the result has 8");
  CHECK(message_of([&] { p.add<"c">(ndp::map(program_twice{}, a), out); }) ==
        "program: the destination of \"c\" overlaps that of \"b\"; give each computation "
        "another destination");
  CHECK(message_of([&] { p.fuse({"b"}); }) ==
        "program: \"b\" cannot be fused: it has a destination");
  CHECK(message_of([&] { p.fuse({"c"}); }) == "program: no computation is called \"c\"");
  p.execute();
  CHECK(y[7] == 3);
  CHECK(message_of([&] { static_cast<void>(p.result(a)); }) ==
        "program: the result \"a\" is fused into what reads it, so it is in no memory: give it a "
        "destination");

  tested_program chain;  // the memory of "first" becomes that of "third"
  const auto first = chain.add<"first">(ndp::inclusive_scan(ndp::plus{}, in));
  const auto second = chain.add<"second">(ndp::inclusive_scan(ndp::plus{}, first));
  const auto third = chain.add<"third">(ndp::inclusive_scan(ndp::plus{}, second));
  chain.execute();
  CHECK(third[7] == 120);
  CHECK(message_of([&] { static_cast<void>(first[7]); }) ==
        "program: the result \"first\" is read by later computations, and its memory may be theirs "
        "by now: give it a destination");
}

TEST_CASE("a computation is not fused across what overwrites what it reads") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  const auto in = ndp::make_sequence(x);
  tested_program p;
  const auto a = p.add<"a">(ndp::map(program_twice{}, in));
  p.add<"b">(ndp::map(program_next{}, in), in);
  p.add<"c">(ndp::map(program_next{}, a), ndp::make_sequence(y));
  CHECK(p.fusions().size() == 1);
  CHECK(message_of([&] { p.fuse({"a"}); }) ==
        "program: \"a\" cannot be fused: what it reads is overwritten before");
  p.execute();
  p.execute();
  CHECK(x[0] == 3);
  CHECK(y[0] == 5);
}

namespace {
struct counted_calls {
  static constexpr bool is_deterministic = false;
  int* calls;
  double operator()(double x) const { return x + ++*calls; }
};
struct fails {
  double operator()(double x) const {
    if (x > 0) throw fettle::error("no such value");
    return x;
  }
};
}  // namespace

TEST_CASE(
    "a computation that is not deterministic is not fused, and a failure names what is written") {
  std::vector<double> x(2, 1.0);
  std::vector<double> y(2);
  std::vector<double> z(2);
  int calls = 0;
  tested_program p;
  const auto a = p.add<"a">(ndp::map(counted_calls{&calls}, ndp::make_sequence(x)));
  p.add<"b">(ndp::map(program_twice{}, a), ndp::make_sequence(y));
  CHECK(message_of([&] { p.fuse({"a"}); }) ==
        "program: \"a\" cannot be fused: it does not yield the same each time");
  p.add<"c">(ndp::map(fails{}, a), ndp::make_sequence(z));
  const std::string message = message_of([&] { p.execute(); });
  CHECK(message == "c: no such value (in a program, which has written before: b)");
}

TEST_CASE("a program says what it does") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(1);
  tested_program p;
  const auto a = p.add<"a">(ndp::map(program_twice{}, ndp::make_sequence(x)));
  p.add<"b">(ndp::reduce(ndp::plus{}, a, 0.0), ndp::make_sequence(y));
  const auto c = p.add<"c">(ndp::inclusive_scan(ndp::plus{}, ndp::make_sequence(x), 0.0));
  CHECK(ndp::explain(p) ==
        "program on openmp: 3 computations, 1 of them fused by the default rule, 256 bytes of "
        "intermediate results "
        "(256 without fusion)\n"
        "  a: map; fused into b\n"
        "  b: reduce of a; into its destination\n"
        "  c: inclusive_scan; 64 bytes at 0, not fused: no later computation reads it\n");
  p.execute();
  CHECK(y[0] == 16);
  CHECK(p.result(c)[7] == 8);
  CHECK(c[7] == 8);
}

TEST_CASE("what may be fused has the names of what is fused") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(1);
  ndp::detail::program_contents<tested_platform> its;
  for (const char* const name : {"a", "b", "c"}) {
    ndp::detail::program_node node;
    node.name = name;
    node.bytes = 64;
    node.reads = {{256, 512}};
    its.add(std::move(node));
  }
  CHECK(ndp::detail::variant_of(its, {false, false, false}) == "unfused");
  CHECK(ndp::detail::variant_of(its, {true, false, true}) == "a+c");
  CHECK(ndp::detail::fusion_named(its, "unfused") == std::vector<bool>{false, false, false});
  CHECK(ndp::detail::fusion_named(its, "a+c") == std::vector<bool>{true, false, true});
  CHECK(ndp::detail::fusion_named(its, "a+d") == std::nullopt);
  std::vector<std::string> values;
  ndp::detail::for_each_program_feature<tested_platform>([&](std::string_view name, auto feature) {
    values.push_back(std::string(name) + ' ' + std::to_string(static_cast<int>(feature(its))));
  });
  CHECK(values == std::vector<std::string>{"bytes 768", "intermediate_bytes 192",
                                           "largest_result 64", "bytes_a_result 4"});
}

TEST_CASE("fuse and the default rule say in the explanation that they chose") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  std::vector<double> z(8);
  const auto in = ndp::make_sequence(x);
  tested_program p;
  p.add<"y", "z">(ndp::map(program_twice{}, in), ndp::make_sequence(y),
                  ndp::map(program_next{}, in), ndp::make_sequence(z));
  CHECK(ndp::explain(p) ==
        "program on openmp: 2 computations, 0 of them fused by the default rule, 0 bytes of "
        "intermediate results (0 without fusion)\n"
        "  y: map; side by side with z; into its destination\n"
        "  z: map; side by side with y; into its destination\n");
  p.fuse({});
  CHECK(
      ndp::explain(p).starts_with("program on openmp: 2 computations, 0 of them fused by fuse()"));
  p.execute<"both">();
  CHECK(y[7] + z[7] == 4);
}

TEST_CASE("computations are not side by side where one writes what the other reads") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  const auto in = ndp::make_sequence(x);
  tested_program p;
  p.add<"x", "y">(ndp::map(program_next{}, in), in, ndp::map(program_twice{}, in),
                  ndp::make_sequence(y));
  CHECK(p.fusions().size() == 1);
  CHECK(message_of([&] { p.fuse({"x|y"}); }) ==
        "program: \"x|y\" cannot be fused: the second reads what the first writes");
  p.execute();
  CHECK(y[7] == 4);
}

TEST_CASE("of two computations that are added together none is added where one is wrong") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  std::vector<double> z(8);
  const auto in = ndp::make_sequence(x);
  const auto to = ndp::make_sequence(y);
  const auto other = ndp::make_sequence(z);
  tested_program p;
  tested_program elsewhere;
  const auto foreign = elsewhere.add<"foreign">(ndp::map(program_twice{}, in));
  const auto twice = ndp::map(program_twice{}, in);
  const auto next = ndp::map(program_next{}, in);
  const auto message_into = [&](const auto& second) {
    return message_of([&] { p.add<"y", "z">(twice, to, next, second); });
  };
  CHECK(message_into(subsequence(other, 0, 4)) ==
        "z: the destination has 4 elements, the result has 8");
  CHECK(message_into(to) ==
        "program: the destination of \"z\" overlaps that of \"y\"; give each computation "
        "another destination");
  CHECK(message_of([&] { p.add<"y", "y">(twice, next); }) ==
        "program: \"y\" is added twice; give each computation another name");
  CHECK(message_of([&] { p.add<"y", "z">(twice, ndp::map(program_next{}, foreign)); }) ==
        "program: \"z\" reads \"foreign\", which is a result of another program: give it a "
        "destination there, and read that");
  CHECK(message_of([&] {
          p.add<"y", "z">(twice, ndp::map(ndp::plus{}, in, subsequence(in, 0, 4)));
        }).starts_with("z: "));
  CHECK(ndp::explain(p).starts_with("program on openmp: 0 computations"));
  p.add<"y", "z">(twice, to, next, other);
  p.execute();
  CHECK(y[7] + z[7] == 4);
}

namespace {
/// A sum that does not say that it is commutative.
struct ordered_sum {
  double operator()(double a, double b) const { return a + b; }
};
}  // namespace

TEST_CASE("a reduction is in one pass with a map only where it reads each value at its own index") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  std::vector<double> one(1);
  const auto in = ndp::make_sequence(x);
  const auto to = ndp::make_sequence(y);
  const auto sum_of = [](const auto& values) { return ndp::reduce(ndp::plus{}, values, 0.0); };
  const auto names_of = [&](const auto& reduction_of) {
    tested_program p;
    p.add<"y", "sum">(ndp::map(program_next{}, in), to, reduction_of, ndp::make_sequence(one));
    p.execute();
    const std::vector<std::vector<std::string>> all = p.fusions();
    return std::count(all.begin(), all.end(), std::vector<std::string>{"y|sum"});
  };
  CHECK(names_of(sum_of) == 1);
  CHECK(one[0] == 16);
  CHECK(names_of([&](const auto& values) { return sum_of(ndp::reverse(values)); }) == 0);
  CHECK(names_of([&](const auto& values) {
          return sum_of(ndp::gather(values, ndp::range(index_t{1}, index_t{8})));
        }) == 0);
  CHECK(one[0] == 14);
  CHECK(names_of([&](const auto& values) { return ndp::reduce(ordered_sum{}, values, 0.0); }) == 0);
  CHECK(names_of([&](const auto& /*values*/) { return sum_of(in); }) == 1);
  CHECK(one[0] == 8);
  // By another name than the one that it is given.
  tested_program p;
  p.add<"y", "sum">(
      ndp::map(program_next{}, in), to, [&](const auto& /*values*/) { return sum_of(to); },
      ndp::make_sequence(one));
  CHECK(message_of([&] { p.fuse({"y|sum"}); }) ==
        "program: \"y|sum\" cannot be fused: the second reads what the first writes");
  tested_program updates;
  updates.add<"x", "sum">(ndp::map(program_next{}, in), in, sum_of, ndp::make_sequence(one));
  CHECK(ndp::explain(updates).find("x: map; in one pass with sum") != std::string::npos);
  updates.execute();
  CHECK(one[0] == 16);
  CHECK(x[7] == 2);
}

TEST_CASE("of a map and a reduction that are added together none is added where one is wrong") {
  std::vector<double> x(8, 1.0);
  std::vector<double> y(8);
  std::vector<double> two(2);
  const auto in = ndp::make_sequence(x);
  const auto to = ndp::make_sequence(y);
  const auto sum_of = [](const auto& values) { return ndp::reduce(ndp::plus{}, values, 0.0); };
  tested_program p;
  CHECK(message_of([&] { p.add<"y", "y">(ndp::map(program_next{}, in), to, sum_of); }) ==
        "program: \"y\" is added twice; give each computation another name");
  CHECK(message_of([&] {
          p.add<"x", "y", "sum">(
              ndp::map(program_next{}, in), in, ndp::map(program_twice{}, in), to,
              [&](const auto& a, const auto& /*b*/) { return sum_of(a); }, subsequence(to, 0, 1));
        }) ==
        "program: the destination of \"sum\" overlaps that of \"y\"; give each computation "
        "another destination");
  CHECK(ndp::explain(p).starts_with("program on openmp: 0 computations"));
  const auto sum = p.add<"y", "sum">(ndp::map(program_next{}, in), to, sum_of);
  p.add<"out">(ndp::map(program_twice{}, sum), ndp::make_sequence(two));
  p.execute();
  CHECK(two[0] == 32);
}
