// set_reset(restore_arguments{}): every variant starts from what the caller passed.
#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/train_in_child.hpp"

namespace {

using test::train;
using test::trained;
using vec = std::vector<int>;

fettle::context& context() {
  static fettle::context cx({"", [](std::string_view) { _exit(97); }, false});
  return cx;
}

// The metric is 1 where a variant found the arguments of the caller, and 9 elsewhere.
double metric_of(const vec& v, int n) { return v == vec{3, 1, 2} && n == 7 ? 1.0 : 9.0; }

int samples_of(const trained& seen, const std::string& metric) {
  return static_cast<int>(
      std::count_if(seen.log.begin(), seen.log.end(), [&](const std::string& line) {
        return line.find(R"("event":"sample","metric":[)" + metric) != std::string::npos;
      }));
}

}  // namespace

TEST_CASE("objects given by reference are restored before each run, and after training") {
  const trained seen = train("", [] {
    fettle::code_variant<fettle::policy<"f">, std::tuple<vec&, int&, const vec&>> f(context());
    const auto variant = [](vec& v, int& n, const vec&) {
      const double metric = metric_of(v, n);
      v.assign(10, ++n);
      return metric;
    };
    f.add_variant("a", variant);
    f.add_variant("b", variant);
    f.set_reset(fettle::restore_arguments{});
    vec v{3, 1, 2};
    int n = 7;
    const double metric = f(v, n, v);
    return metric == 1.0 && v == vec(10, 8) && n == 8 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(samples_of(seen, "1") >= 2);
  CHECK(samples_of(seen, "9") == 0);
}

TEST_CASE("the elements of a span are restored") {
  const trained seen = train("", [] {
    fettle::code_variant<fettle::policy<"f">, std::tuple<std::span<int>>> f(context());
    const auto variant = [](std::span<int> v) {
      const double metric = metric_of(vec(v.begin(), v.end()), 7);
      std::sort(v.begin(), v.end());
      return metric;
    };
    f.add_variant("a", variant);
    f.add_variant("b", variant);
    f.set_reset(fettle::restore_arguments{});
    vec v{3, 1, 2};
    return f(v) == 1.0 && v == vec{1, 2, 3} ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(samples_of(seen, "1") >= 2);
  CHECK(samples_of(seen, "9") == 0);
}

TEST_CASE("without it, later runs find what earlier ones left") {
  const trained seen = train("", [] {
    fettle::code_variant<fettle::policy<"f">, std::tuple<std::span<int>>> f(context());
    const auto variant = [](std::span<int> v) {
      const double metric = metric_of(vec(v.begin(), v.end()), 7);
      std::sort(v.begin(), v.end());
      return metric;
    };
    f.add_variant("a", variant);
    f.add_variant("b", variant);
    vec v{3, 1, 2};
    f(v);
    return 0;
  });
  CHECK(samples_of(seen, "9") >= 1);
}
