#include <string_view>
#include <type_traits>

#include <fettle/variant/registration/policy.hpp>

#include "support/catch.hpp"

namespace {

struct concurrent {
  static constexpr bool is_concurrent = true;
};
struct bare {
  static constexpr std::string_view name = "bare";
};
struct full {
  static constexpr std::string_view name = "full";
  static constexpr std::size_t variant_count = 6;
  static constexpr bool constraints = false;
  static constexpr bool parallel_feature_evaluation = true;
  static constexpr bool parallel_constraint_evaluation = true;
  static constexpr bool async_feature_eval = true;
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
  static constexpr auto outside_region = fettle::outside_region::predict;
  static constexpr auto metric = fettle::metric_source::elapsed;
  static constexpr bool larger_is_better = true;
  static constexpr bool strict = true;
  static constexpr std::string_view model_directory = "/models";
  using evaluation = concurrent;
};
struct nameless {};

static_assert(fettle::tuning_policy<bare>);
static_assert(fettle::tuning_policy<fettle::policy<"spmv">>);
static_assert(!fettle::tuning_policy<nameless>);
static_assert(!fettle::tuning_policy<int>);
static_assert(std::is_same_v<fettle::evaluation_of<bare>, fettle::serial_evaluation>);
static_assert(std::is_same_v<fettle::evaluation_of<full>, concurrent>);
static_assert(std::is_same_v<fettle::policy<"a">, fettle::policy<"a">>);
static_assert(!std::is_same_v<fettle::policy<"a">, fettle::policy<"b">>);

}  // namespace

TEST_CASE("a policy that states only its name has the documented defaults") {
  constexpr fettle::policy_settings s = fettle::settings_of<bare>();
  CHECK(s.name == "bare");
  CHECK(s.variant_count == 0);
  CHECK(s.constraints);
  CHECK_FALSE(s.parallel_feature_evaluation);
  CHECK_FALSE(s.parallel_constraint_evaluation);
  CHECK_FALSE(s.async_feature_eval);
  CHECK(s.on_constraint_failure == fettle::constraint_failure::use_default);
  CHECK(s.on_infinite_metric == fettle::infinite_metric::returned);
  CHECK(s.outside_region == fettle::outside_region::use_default);
  CHECK(s.metric == fettle::metric_source::returned);
  CHECK_FALSE(s.larger_is_better);
  CHECK_FALSE(s.strict);
  CHECK(s.model_directory.empty());
  CHECK(s.metrics.empty());
  CHECK(s.objective.empty());
}

TEST_CASE("every constant that a policy states is taken") {
  constexpr fettle::policy_settings s = fettle::settings_of<full>();
  CHECK(s.name == "full");
  CHECK(s.variant_count == 6);
  CHECK_FALSE(s.constraints);
  CHECK(s.parallel_feature_evaluation);
  CHECK(s.parallel_constraint_evaluation);
  CHECK(s.async_feature_eval);
  CHECK(s.on_constraint_failure == fettle::constraint_failure::next_best);
  CHECK(s.on_infinite_metric == fettle::infinite_metric::next_best);
  CHECK(s.outside_region == fettle::outside_region::predict);
  CHECK(s.metric == fettle::metric_source::elapsed);
  CHECK(s.larger_is_better);
  CHECK(s.strict);
  CHECK(s.model_directory == "/models");
}
