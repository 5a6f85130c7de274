// What every call reads: one block, in adjacent lines, that says what the tables say.
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/selection/call_plan.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

using plan_type = fettle::detail::call_plan;
using feature_call = fettle::detail::erased_feature<int>;
using condition_call = fettle::detail::erased_constraint<int>;
using variant_call = fettle::detail::erased_variant<double, int>;
using adapter = fettle::detail::call_variant<double, int>;

struct scaled {
  static constexpr bool is_immutable = true;
  double factor;
  double operator()(int x) const { return factor * x; }
};

struct counting {
  int calls = 0;
  double operator()(int) { return ++calls; }
};

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// A function of two variants, the second under a condition, and two features.
struct function {
  fettle::detail::registry names;
  fettle::detail::variant_tables tables;
  std::vector<fettle::detail::any_call> features;
  fettle::detail::deployment deployed;

  function() {
    names.settings.name = "f";
    names.add_variant("high", nullptr);
    names.add_variant("low", nullptr);
    names.default_index = 1;
    tables.add(variant_call::owning<adapter>(scaled{2.5}), true, {});
    tables.add(variant_call::owning<adapter>(counting{}), true, {});
    const auto condition = [](int x) { return x < 7; };
    tables.constraints[1].push_back(
        condition_call::owning<fettle::detail::call_constraint<int>>(condition));
    for (const int factor : {10, 100}) {
      const auto feature = [factor](int x) { return x * factor; };
      features.push_back(feature_call::owning<fettle::detail::call_feature<int>>(feature));
    }
  }

  std::shared_ptr<const plan_type> plan(bool searches = false) const {
    return plan_type::make(deployed, names, tables, features, searches);
  }
};

}  // namespace

TEST_CASE("features, classes and variants are in the lines behind the plan") {
  const test::scratch folder;
  test::split_model described;
  described.features = {"x", "y"};
  test::write_model(folder.path(), described);
  function f;
  f.deployed.model = std::make_shared<const fettle::model::loaded_model>(
      fettle::model::load_model_directory(folder / "f"));
  f.deployed.features = {{1, 0}};
  f.deployed.variant_of_class = {1, 0};
  const auto plan = f.plan();

  CHECK(address(plan.get()) % 64 == 0);
  CHECK(sizeof(plan_type) == 64);
  CHECK(plan->has_model());
  CHECK(&plan->predictor() == &f.deployed.model->predictor);
  CHECK_FALSE(plan->is_in_training());
  CHECK_FALSE(plan->is_traced());
  CHECK_FALSE(plan->is_refined());
  CHECK_FALSE(plan->searches_online());
  CHECK(f.plan(true)->searches_online());
  CHECK(plan->default_variant() == 1);
  CHECK(plan->value_count() == 2);

  REQUIRE(plan->feature_count() == 1);
  CHECK(address(&plan->feature_at(0)) == address(plan.get()) + 64);
  CHECK(plan->feature_at(0).position == 0);
  CHECK(feature_call::call(plan->feature_at(0), 3) == 300);
  CHECK(plan->variant_of_class(0) == 1);
  CHECK(plan->variant_of_class(1) == 0);
  for (const std::size_t k : {0U, 1U}) {
    CHECK(address(&plan->variant_at(k)) == address(plan.get()) + 64 * (2 + k));
    CHECK(plan->variant_at(k).name == f.names.variants[k]);
  }
  CHECK(plan->variant_at(0).conditions == nullptr);
  CHECK(plan->variant_at(1).conditions == &f.tables.constraints[1]);
  plan->prefetch();  // reads nothing: the sanitizers have no say
}

TEST_CASE("without a model there are variants, and no features") {
  const function f;
  const auto plan = f.plan();
  CHECK_FALSE(plan->has_model());
  CHECK(plan->feature_count() == 0);
  CHECK(variant_call::call(plan->variant_at(0), 4) == 10.0);
}

TEST_CASE("an immutable object is copied into its variant's line, any other is shared") {
  const function f;
  const auto plan = f.plan();
  const auto& own = plan->variant_at(0);
  CHECK(own.object == static_cast<const void*>(&own.copy));
  CHECK(variant_call::call(own, 4) == 10.0);
  const auto& shared = plan->variant_at(1);
  CHECK(shared.object == f.tables.variants[1].object());
  CHECK(variant_call::call(shared, 0) == 1.0);
  CHECK(variant_call::call(f.tables.variants[1], 0) == 2.0);
  CHECK(variant_call::call(shared, 0) == 3.0);
}

TEST_CASE("a variant that counts its calls counts those of every way to call it") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  fettle::context cx({folder.path(), {}, true});
  fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
  f.add_variant("low", counting{});
  f.add_variant("high", [](int) { return -1.0; });
  f.add_input_feature("x", [](int x) { return x; });
  CHECK(f(1) == 1.0);
  CHECK(f.bind(1)() == 2.0);
  CHECK(f(1) == 3.0);
  f.fix_inputs(1);
  CHECK(f() == 4.0);
}
