// Registration and calling conventions; selection by a model is in selection_test.cpp.
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#if __has_include(<thrust/tuple.h>)
#include <thrust/tuple.h>
#endif

#include "support/catch.hpp"
#include "support/scratch.hpp"

using vec = std::vector<double>;

namespace {

fettle::context_options silent() {
  fettle::context_options options;
  options.on_warning = [](std::string_view) {};
  return options;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "nothing thrown";
}

struct doubling : fettle::variant_type<vec&> {
  double operator()(vec& v) override {
    for (double& x : v) x *= 2.0;
    return 2.5;
  }
};

template <typename T>
struct templated_variant : fettle::variant_type<vec&> {
  double operator()(vec&) override { return 1.0; }
};

struct length : fettle::input_feature_type<vec&> {
  double operator()(vec& v) override { return static_cast<double>(v.size()); }
};

struct not_empty : fettle::constraint_type<vec&> {
  bool operator()(vec& v) override { return !v.empty(); }
};

double free_variant(vec& v) {
  v.push_back(7.0);
  return 3.5;
}

}  // namespace

TEST_CASE("the paper's form: objects by pointer, named after their classes") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, std::tuple<vec&>> f(&cx);
  doubling d;
  templated_variant<int> t;
  templated_variant<float> t2;
  length n;
  not_empty c;
  f.add_variant(&d);
  f.add_variant(&t);
  f.add_variant(&t2);
  f.set_default(&t);
  f.add_input_feature(&n);
  f.add_constraint(&d, &c);
  vec v{1.0};
  CHECK(f.select(v).variant == "templated_variant");
  CHECK(f(v) == 1.0);
  CHECK(f.last_selection()->index == 1);
}

TEST_CASE("two objects of one class get different names") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, std::tuple<vec&>> f(cx);
  doubling a;
  doubling b;
  doubling c;
  f.add_variant(&a);
  f.add_variant(&b);
  f.add_variant(&c);
  f.set_default(&c);
  vec v;
  const std::string name(f.select(v).variant);
  CHECK(name.find("doubling_2") != std::string::npos);
}

TEST_CASE("named callables: lambdas with state, function pointers, objects by pointer") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, std::tuple<vec&>> f(cx);
  int calls = 0;
  f.add_variant("lambda", [&calls, owned = std::make_unique<int>(4)](vec& v) {
    ++calls;
    v.assign(1, *owned);
  });
  f.add_variant("function", free_variant);
  f.add_variant("pointer", &free_variant);
  doubling d;
  f.add_variant("object", &d);
  vec v{1.0, 2.0};
  CHECK(std::isnan(f(v)));  // a void variant has no metric outside of training
  CHECK(calls == 1);
  CHECK(v == vec{4.0});
}

TEST_CASE("the first variant runs where no default is set, the default otherwise") {
  fettle::context cx(silent());
  for (const bool set : {false, true}) {
    fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
    f.add_variant("one", [](int) { return 1.0; });
    f.add_variant("two", [](int) { return 2.0; });
    if (set) f.set_default("two");
    CHECK(f(0) == (set ? 2.0 : 1.0));
    CHECK(f.select(0).reason == fettle::selection_reason::no_model);
  }
}

TEST_CASE("a signature returns the function's own result") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"g">, std::string(const std::string&, int)> g(cx);
  g.add_variant("repeat", [](const std::string& s, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += s;
    return all;
  });
  CHECK(g("ab", 3) == "ababab");

  fettle::code_variant<fettle::policy<"h">, vec&(vec&)> h(cx);
  h.add_variant("self", [](vec& v) -> vec& { return v; });
  vec v;
  CHECK(&h(v) == &v);

  fettle::code_variant<fettle::policy<"i">, void(int&)> i(cx);
  i.add_variant("count", [](int& x) { return ++x; });  // a result that is not used
  int x = 0;
  i(x);
  CHECK(x == 1);
}

TEST_CASE("move-only arguments, rvalue references, references and none at all") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"m">, int(std::unique_ptr<int>, int&)> m(cx);
  m.add_variant("take", [](std::unique_ptr<int> p, int& out) { return out = *p; });
  m.add_input_feature("value", [](const std::unique_ptr<int>& p, int&) { return *p; });
  int out = 0;
  CHECK(m(std::make_unique<int>(5), out) == 5);
  CHECK(out == 5);
  m.fix_inputs(std::make_unique<int>(6), out);
  CHECK(m() == 6);
  CHECK(message_of([&] { m(); }).find("fix_inputs") != std::string::npos);

  fettle::code_variant<fettle::policy<"r">, vec(vec&&)> r(cx);
  r.add_variant("move", [](vec&& v) { return std::move(v); });
  vec source(3, 1.0);
  const double* data = source.data();
  CHECK(r(std::move(source)).data() == data);

  fettle::code_variant<fettle::policy<"z">, std::tuple<>> z(cx);
  int runs = 0;
  z.add_variant("only", [&runs] { ++runs; });
  z();
  z.fix_inputs();
  z();
  auto bound = z.bind();
  bound();
  CHECK(runs == 3);
}

TEST_CASE("fixed inputs serve many calls, by reference and by value") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, std::size_t(vec&, vec)> f(cx);
  f.add_variant("append", [](vec& to, vec from) {
    to.insert(to.end(), from.begin(), from.end());
    return to.size();
  });
  CHECK(message_of([&] { f(); }).find("no inputs are fixed") != std::string::npos);
  vec to;
  f.fix_inputs(to, vec{1.0, 2.0});
  CHECK(f() == 2);
  CHECK(f() == 4);
  f.fix_inputs(to, vec{});
  CHECK(f() == 4);
}

#if __has_include(<thrust/tuple.h>)
TEST_CASE("thrust::tuple names the arguments as std::tuple does") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, thrust::tuple<vec&, int>> f(cx);
  f.add_variant("fill", [](vec& v, int n) { v.assign(static_cast<std::size_t>(n), 1.0); });
  vec v;
  f(v, 4);
  CHECK(v.size() == 4);
  f.fix_inputs(v, 2);
  f();
  CHECK(v.size() == 2);
}
#endif

TEST_CASE("mistakes in registration are errors that name function, thing and remedy") {
  fettle::context cx(silent());
  using function = fettle::code_variant<fettle::policy<"f">, std::tuple<int>>;
  const auto nothing = [](int) {};
  function f(cx);
  CHECK(message_of([&] { f(1); }) == "f: no variants; call add_variant first");
  f.add_variant("a", nothing);
  CHECK(message_of([&] { f.add_variant("a", nothing); }) == "f: two variants named a");
  CHECK(message_of([&] { f.add_variant("", nothing); }) == "f: a variant with an empty name");
  CHECK(message_of([&] { f.set_default("b"); }) ==
        "f: set_default names b, which is none of the variants a; add_variant it first");
  CHECK(message_of([&] {
          f.add_constraint("b", [](int) { return true; });
        }).find("add_constraint names b") != std::string::npos);
  f.add_input_feature("x", [](int i) { return i; });
  CHECK(message_of([&] { f.add_input_feature("x", [](int i) { return i; }); }) ==
        "f: two features named x");
  for (int i = 1; i < 64; ++i) {
    f.add_input_feature("x" + std::to_string(i), [](int k) { return k; });
  }
  CHECK(message_of([&] { f.add_input_feature("y", [](int i) { return i; }); }) ==
        "f: more than 64 features");
  f(1);
  CHECK(message_of([&] { f.add_variant("late", nothing); }) ==
        "f: add_variant after the first call; register everything before it");
  CHECK(message_of([&] { f.set_reset([](int&) {}); }).find("after the first call") !=
        std::string::npos);
}

namespace {
struct three_variants {
  static constexpr std::string_view name = "stated";
  static constexpr std::size_t variant_count = 3;
};
}  // namespace

TEST_CASE("the number of variants that the tuning script states is checked") {
  fettle::context cx(silent());
  fettle::code_variant<three_variants, std::tuple<>> f(cx);
  f.add_variant("a", [] {});
  CHECK(message_of([&] { f(); }) ==
        "stated: the tuning script states 3 variants, the program has 1: a");
}

TEST_CASE("what a variant throws passes through") {
  fettle::context cx(silent());
  fettle::code_variant<fettle::policy<"f">, std::tuple<>> f(cx);
  f.add_variant("a", []() -> double { throw std::out_of_range("mine"); });
  CHECK_THROWS_AS(f(), std::out_of_range);
}

TEST_CASE("an approximate variant that is forced runs with a warning, or without a bound not") {
  const test::environment_variable force("FETTLE_FORCE", "f=rough");
  for (const bool has_bound : {true, false}) {
    std::string said;
    fettle::context cx({.on_warning = [&](std::string_view message) { said += message; }});
    fettle::code_variant<fettle::policy<"f">, double(double)> f(cx);
    f.add_variant("exact", [](double x) { return x; });
    f.add_variant("rough", [](double) { return 0.0; }, fettle::approximate);
    if (has_bound) f.set_quality([](double exact, double out) { return exact - out; }, 0.5);
    CHECK(f(3.0) == (has_bound ? 0.0 : 3.0));
    CHECK(said.find(has_bound ? "rough, which is approximate; it runs without a check of its error"
                              : "which is approximate, but set_quality gives no bound; ignored") !=
          std::string::npos);
  }
}
