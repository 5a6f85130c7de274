// Selecting allocates nothing after the first call.
#include <tuple>

#include <fettle/variant.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

struct ranking {
  static constexpr std::string_view name = "f";
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
};

template <typename Policy>
std::size_t allocations_of_calls(const std::string& directory) {
  fettle::context cx({directory, [](std::string_view) {}, false});
  fettle::code_variant<Policy, std::tuple<int&>> f(cx);
  f.add_variant("low", [](int&) { return 1.0; });
  f.add_variant("high", [](int&) { return 2.0; });
  f.add_input_feature("x", [](int& x) { return x; });
  f.add_constraint("high", [](int& x) { return x < 50; });
  int x = 3;
  f(x);
  f.fix_inputs(x);
  f();
  const std::size_t before = test::allocations;
  for (x = -200; x < 200; ++x) {
    f(x);
    f.select(x);
    f.last_selection();
    auto bound = f.bind(x);
    bound();
    f.fix_inputs(x);
    f();
  }
  return test::allocations - before;
}

}  // namespace

#ifndef TEST_CANNOT_COUNT_ALLOCATIONS
TEST_CASE("calls, select, bind and fix_inputs allocate nothing after the first call") {
  const test::scratch folder;
  CHECK(allocations_of_calls<fettle::policy<"f">>(folder.path()) == 0);  // no model
  test::write_model(folder.path(), {});
  const std::size_t counted = test::allocations;
  CHECK(counted > 0);
  CHECK(allocations_of_calls<fettle::policy<"f">>(folder.path()) == 0);
  CHECK(allocations_of_calls<ranking>(folder.path()) == 0);
}
#endif
