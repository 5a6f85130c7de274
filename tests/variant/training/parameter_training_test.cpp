// Training of variants with parameters: what the log says of them, and points that are measured as
// they are asked for. Cases of a program run in a child process, since a process has one training
// request.
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/training/training.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"
#include "support/train_in_child.hpp"

using fettle::constraint;
using fettle::parameter;
using fettle::parameters;

namespace {

using test::spin;
using test::trained;

/// Runs a program in training, which gets `points` where there are some.
trained train(const std::string& request, const std::string& points,
              const std::function<int()>& program) {
  return test::train(request, program, {.points = points});
}

using vec = std::vector<double>;
using function = fettle::code_variant<fettle::policy<"f">, std::tuple<vec&>>;

void tiled(vec& v, const parameters& p) {
  if (p["tile"] == 64) throw std::runtime_error("too large");
  v[0] = p["tile"] == 8 ? 7.0 : 1.0;
  spin(p["tile"] == 1 ? 1e-4 : 1e-3);
}

void add_variants(function& f) {
  f.add_variant("plain", [](vec& v) { v[0] = 1.0, spin(1e-3); });
  f.add_variant("tiled", tiled, parameter{"tile", {1, 2, 8, 64}, 2}, parameter{"unroll", {1, 2}},
                constraint{"tile * unroll < 100"});
}

}  // namespace

TEST_CASE("the log's header says what there is to tune") {
  const trained seen = train("mode=features", "", [] {
    fettle::context cx;
    function f(cx);
    add_variants(f);
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variants":["plain","tiled tile=2 unroll=1"])"));
  CHECK(seen.has(R"("parameters":{"tiled":{"values":{"tile":[1,2,8,64],"unroll":[1,2]},)"
                 R"("defaults":{"tile":2,"unroll":1},"constraints":["tile * unroll < 100"]}})"));
}

TEST_CASE("a function without parameters has none in the log") {
  const trained seen = train("", "", [] {
    fettle::context cx;
    function f(cx);
    f.add_variant("plain", [](vec& v) { v[0] = 1.0; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.has("fettle_log"));
  CHECK_FALSE(seen.has("parameters"));
  CHECK_FALSE(seen.has("versions"));
}

TEST_CASE("the log's header says the versions that are stated") {
  const trained seen = train("mode=features", "", [] {
    struct doubling {
      void operator()(vec& v) const { v[0] = 2.0; }
    } object;
    fettle::context cx;
    function f(cx);
    const auto plain = [](vec& v) { v[0] = 1.0; };
    f.add_variant("plain", plain);
    f.add_variant("stated", plain, fettle::version{"2"});
    f.add_variant("tiled", tiled, parameter{"tile", {1, 2}}, fettle::version{"a \"b\""});
    f.add_variant("object", &object, fettle::version{"3"});
    f.add_variant(&object, fettle::version{"4"});
    vec v(1);
    f(v);
    return v[0] == 1.0 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variants":["plain","stated","tiled tile=1","object","doubling"])"));
  CHECK(seen.has(R"("versions":{"stated":"2","tiled":"a \"b\"","object":"3","doubling":"4"}})"));
}

TEST_CASE("without points, variants are measured at their default values") {
  const trained seen = train("race=0 maximum_samples=1 minimum_samples=1", "", [] {
    fettle::context cx;
    function f(cx);
    add_variants(f);
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.has(R"("variant":"tiled tile=2 unroll=1","event":"sample")"));
  CHECK(seen.has(R"("variant":"plain","event":"sample")"));
  CHECK(seen.has(R"("event":"end")"));
}

TEST_CASE("points are measured one after the other, as they are asked for") {
  const std::string points =
      "tiled%20tile%3D1%20unroll%3D2\n"   // better than what is known, but on a busy machine
      "tiled%20tile%3D2%20unroll%3D2\n"   // hopeless beside that: one sample is enough
      "tiled%20tile%3D8%20unroll%3D1\n"   // wrong
      "tiled%20tile%3D64%20unroll%3D1\n"  // throws
      "tiled%20tile%3D64%20unroll%3D2\n"  // no such point
      "plain\n";                          // no point at all
  const trained seen = train("input=a best_s=0.0002", points, [] {
    fettle::context cx;
    function f(cx);
    add_variants(f);
    f.set_verify([](const vec& v) { return v; });
    vec v(1);
    f(v);
    return v[0] == 1.0 ? 0 : 1;  // after training the default has run
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"tiled tile=1 unroll=2","event":"measured")"));
  CHECK(seen.has(R"("variant":"tiled tile=2 unroll=2","event":"measured")"));
  CHECK(seen.count(R"("variant":"tiled tile=2 unroll=2","event":"sample")") == 1);
  CHECK(seen.has(R"("variant":"tiled tile=8 unroll=1","event":"failed","reason":"wrong result)"));
  CHECK(seen.has(
      R"("variant":"tiled tile=64 unroll=1","event":"failed","reason":"exception: too large")"));
  CHECK(seen.has(R"("variant":"tiled tile=64 unroll=2","event":"failed")"));
  CHECK(seen.has("plain is not a point of a variant with parameters"));
  CHECK(seen.count(R"("event":"measured")") == 2);
  CHECK_FALSE(seen.has(R"("event":"end")"));
}

TEST_CASE("a point is hopeless beside the best's median, not beside its fastest run") {
  const std::vector<std::string> variants{"timed"};
  std::size_t runs = 0;
  fettle::detail::trainee function;
  function.variants = variants;
  function.constraints_hold = [](std::size_t) { return true; };
  function.at_point = [](const std::string& point) -> std::size_t {
    return point == "mostly_slow" ? 1 : 2;
  };
  function.run = [&runs](std::size_t point, std::size_t) {
    const double mostly_slow = ++runs % 4 == 0 ? 1e-3 : 1e-2;
    const double seconds = point == 1 ? mostly_slow : 3e-3;
    return fettle::detail::training_run{seconds, seconds};
  };
  const test::scratch folder;
  const std::string log = folder / "log.jsonl";
  test::write_text(folder / "points", "mostly_slow\nsteady\n");
  const auto request = fettle::detail::parse_training_request(
      log, "function=f minimum_samples=9 warm_up=1 points_from=" + folder / "points");
  REQUIRE(fettle::detail::training_session(request).measure(function));
  trained seen;
  seen.log = test::lines_of(log);
  CHECK(seen.has(R"("variant":"mostly_slow","event":"sample","metric":[0.001])"));
  CHECK(seen.has(R"("variant":"mostly_slow","event":"sample","metric":[0.01])"));
  CHECK(seen.count(R"("variant":"steady","event":"measured")") == 1);
  CHECK(seen.count(R"("variant":"steady","event":"sample","metric":[0.003])") >= 2);
}

TEST_CASE("a constraint on the input excludes a variant's points") {
  const trained seen = train("", "tiled%20tile%3D1%20unroll%3D1\n", [] {
    fettle::context cx;
    function f(cx);
    add_variants(f);
    f.add_constraint("tiled", [](const vec& v) { return v.size() > 1; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.has(R"("variant":"tiled tile=1 unroll=1","event":"excluded")"));
  CHECK_FALSE(seen.has(R"("event":"measured")"));
}

TEST_CASE("a file of points that is not there is an error that names it") {
  const trained seen = train("points_from=/nowhere/points", "", [] {
    fettle::context cx;
    function f(cx);
    add_variants(f);
    vec v(1);
    try {
      f(v);
    } catch (const fettle::error& problem) {
      return std::string(problem.what()).find("cannot open '/nowhere/points'") == 0 ? 0 : 1;
    }
    return 2;
  });
  CHECK(seen.status == 0);
}
