#include <type_traits>

#include <fettle/model/model_input.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

static_assert(std::is_trivially_copyable_v<model_input> && std::is_aggregate_v<model_input>);
static_assert(has_divisor(transform::ratio) && has_divisor(transform::log_ratio));
static_assert(has_divisor(transform::fraction) && !has_divisor(transform::root_fraction));
static_assert(!has_divisor(transform::linear) && !has_divisor(transform::log));

TEST_CASE("every transform has the name that files give it") {
  CHECK(name_of(transform::linear) == "linear");
  CHECK(name_of(transform::log_ratio) == "log_ratio");
  CHECK(name_of(transform::root_fraction) == "root_fraction");
  for (const auto name : transform_names) CHECK(name_of(*transform_named(name)) == name);
  CHECK(!transform_named("exp"));
  CHECK(!transform_named(""));
}
